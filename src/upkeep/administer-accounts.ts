import { noteGroupsChanged, readSettings } from '../access/installation.ts'
import { noteCredentialsEnded } from '../access/live-credential.ts'
import { recordAudit } from '../changes/audit.ts'
import { closeLinksOfUser } from '../people/accounts/account-link-store.ts'
import type { CredentialKind } from '../people/credentials/credential-kinds.ts'
import { listCredentials } from '../people/credentials/credential-store.ts'
import { added, endedInWords, endKeysAndMail } from '../people/credentials/end-credentials.ts'
import { deleteFactors, listFactors, noteHasFactor } from '../people/factors/factor-store.ts'
import { deleteRecoveryCodes } from '../people/factors/recovery-codes.ts'
import { grantDirectly } from '../people/group-grants.ts'
import { findGroups } from '../people/groups/group-store.ts'
import { closeCodesOfUser } from '../people/oauth/grants/code-store.ts'
import { unlinkAllProviders } from '../people/providers/unlink-provider.ts'
import { closeEmailChanges } from '../people/users/email/email-change-store.ts'
import { requireChosenPassword } from '../people/users/password-rules.ts'
import {
  deleteTokensOf,
  findUserByLogin,
  type UserRow,
  updatePassword,
  updateUser,
} from '../people/users/user-store.ts'
import type { Settings } from '../platform/config/settings.ts'
import type { ConfigurationTransaction, Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { ApiError } from '../platform/errors.ts'
import { Refusal } from '../platform/refusal.ts'
import { hashPassword } from '../platform/secrets/passwords.ts'

const ADMINISTRATORS = 'admin'
/** In place of a password in the audit log. */
const HIDDEN = '********'

/** Adds an account to the group admin, and lets it log in if it was disabled. Returns whether anything was changed. */
export function makeAdministrator(db: Db, login: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const user = await getUser(tx, login)
    const group = (await findGroups(tx, [ADMINISTRATORS])).get(ADMINISTRATORS)
    if (group === undefined) throw new Refusal('The installation has no group admin.')
    const isMember = (await tx.first(membership, { userId: user.id, groupId: group.id })) !== undefined
    if (isMember && user.disabled_text === '') return false
    for (const right of ['member', 'bless'] as const) await grantDirectly(tx, user.id, group.id, right)
    if (user.disabled_text !== '') await updateUser(tx, { ...user, disabled_text: '' })
    await noteGroupsChanged(tx)
    await recordAudit(
      tx,
      { who: null, class: 'User', objectId: user.id },
      {
        ...(!isMember && { groups: { removed: '', added: ADMINISTRATORS } }),
        ...(user.disabled_text !== '' && { login_denied_text: { removed: user.disabled_text, added: '' } }),
      },
    )
    return true
  }, 'configuration')
}

const membership = statement<{ userId: number; groupId: number }>()((q, p) =>
  q
    .selectFrom('user_group_grants')
    .select('user_id')
    .where('user_id', '=', p.userId)
    .where('group_id', '=', p.groupId)
    .where('right', '=', 'member')
    .where('source', '=', 'direct'),
)

/** Refuses a login name without an account. */
export async function requireAccount(db: Db, login: string) {
  await getUser(db, login)
}

/** How many of each kind. */
type Counts = Partial<Record<CredentialKind, number>>

/**
 * Sets a password and ends all sessions of the account; with `endsAll` also all else that acts for it, except second factors. Returns what
 * was ended beside the sessions, and what can still act for the user.
 */
export async function setPassword(
  db: Db,
  login: string,
  password: string,
  endsAll = false,
): Promise<{ ended: Counts; left: Counts }> {
  const settings = await readSettings(db)
  const user = await getUser(db, login)
  const { id, real_name } = user
  const hash = await hashPassword(
    namingTheRule(() => requireChosenPassword(password, settings, [login, real_name])),
    ['command'],
  )
  return db.transaction(async (tx) => {
    await updatePassword(tx, id, hash)
    await deleteTokensOf(tx, id)
    await closeEmailChanges(tx, id)
    await closeLinksOfUser(tx, id)
    await closeCodesOfUser(tx, id)
    const ended = endsAll ? await endAll(tx, settings, user) : {}
    await recordAudit(
      tx,
      { who: null, class: 'User', objectId: id },
      {
        password: { removed: HIDDEN, added: HIDDEN },
        ...(Object.keys(ended).length > 0 && { credentials: { removed: endedInWords(ended), added: '' } }),
      },
    )
    const left: Counts = {}
    for (const { kind } of await listCredentials(tx, settings, id)) left[kind] = (left[kind] ?? 0) + 1
    return { ended, left }
  }, 'configuration')
}

async function endAll(tx: ConfigurationTransaction, settings: Settings, user: UserRow): Promise<Counts> {
  const ended = await endKeysAndMail(tx, user.id, null)
  const operator = { id: null, token: undefined }
  return added(ended, { provider: await unlinkAllProviders(tx, settings, operator, user, { keepsWayIn: false }) })
}

/** Removes all second factors and recovery codes of an account, and ends its sessions. Returns how many factors it had. */
export function resetFactors(db: Db, login: string): Promise<number> {
  return db.transaction(async (tx) => {
    const { id } = await getUser(tx, login)
    const factors = (await listFactors(tx, id)).filter(({ is_confirmed }) => is_confirmed === 1)
    await deleteFactors(tx, id)
    await deleteRecoveryCodes(tx, id)
    await noteHasFactor(tx, id, false)
    await deleteTokensOf(tx, id)
    const names = factors.map(({ kind, name }) => `${kind} ${name}`).join(', ')
    if (names !== '')
      await recordAudit(tx, { who: null, class: 'User', objectId: id }, { factors: { removed: names, added: '' } })
    return factors.length
  }, 'configuration')
}

/** Ends the sessions of one account, or of all. API keys stay. Returns how many there were. */
export function endSessions(db: Db, login: string | undefined): Promise<number> {
  return db.transaction(async (tx) => {
    const id = login === undefined ? undefined : (await getUser(tx, login)).id
    const rows = id === undefined ? await tx.all(allSessions, {}) : await tx.all(sessionsOf, { id })
    if (id !== undefined) await deleteTokensOf(tx, id)
    else {
      await tx.all(removeAllSessions, {})
      await noteCredentialsEnded(tx)
    }
    return Number(rows[0]?.n)
  }, 'accounts')
}

const allSessions = statement<object>()((q) =>
  q.selectFrom('login_tokens').select((row) => row.fn.countAll<number>().as('n')),
)
const sessionsOf = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('login_tokens')
    .select((row) => row.fn.countAll<number>().as('n'))
    .where('user_id', '=', p.id),
)
const removeAllSessions = statement<object>()((q) => q.deleteFrom('login_tokens'))

async function getUser(db: Db, login: string): Promise<UserRow> {
  const user = await findUserByLogin(db, login)
  if (user === undefined) throw new Refusal(`There is no account ${login}.`)
  return user
}

function namingTheRule<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (fault) {
    throw fault instanceof ApiError ? new Refusal(fault.message, fault.reason) : fault
  }
}
