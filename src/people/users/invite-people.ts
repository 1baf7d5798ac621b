import { personIn } from '../../../shared/text/written-people.ts'
import type { CallContext } from '../../access/call.ts'
import { noteGroupsChanged } from '../../access/installation.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { type Grantor, getGrantable, readGrantor } from '../grantor.ts'
import { grantDirectly } from '../group-grants.ts'
import { createUser } from './create-user.ts'
import { isAllowedLogin, requireLoginName, requireRealName } from './user.ts'
import { listUsersByLogins } from './user-store.ts'

/** What becomes of one entry: `new` is for a dry run. */
export const INVITATION_RESULTS = ['new', 'invited', 'has_account', 'repeated', 'not_allowed', 'malformed'] as const

export interface Invitation {
  address: string
  real_name: string
  result: (typeof INVITATION_RESULTS)[number]
  /** Why it is not allowed or malformed; else empty. */
  message: string
  id?: number
}

export interface WantedInvitations {
  /** Addresses, or names with addresses in angle brackets. */
  people: readonly string[]
  groups: readonly string[]
  isDryRun: boolean
}

type Context = Pick<CallContext, 'db' | 'caller' | 'credentials' | 'settings'>

/** Makes an account without a password for each new address, in these groups. Entries that cannot be invited stop no other. */
export function invitePeople(context: Context, who: number, wanted: WantedInvitations): Promise<Invitation[]> {
  if (wanted.isDryRun) return planInvitations(context.db, context.settings, who, wanted).then(({ planned }) => planned)
  return withLiveCredential(context, 'configuration', async (tx) => {
    const { planned, grantor, groups } = await planInvitations(tx, context.settings, who, wanted)
    const results: Invitation[] = []
    for (const it of planned)
      results.push(it.result === 'new' ? await invite(tx, context.settings, grantor, groups, it) : it)
    if (groups.length > 0) await noteGroupsChanged(tx)
    return results
  })
}

interface NamedGroup {
  id: number
  name: string
}

async function planInvitations(db: Db, settings: Settings, who: number, { people, groups }: WantedInvitations) {
  const grantor = await readGrantor(db, who)
  const given = [...new Map(groups.map((ref) => getGrantable(grantor, ref)).map((it) => [it.id, it])).values()]
  const written = people.map((entry) => checkEntry(entry, settings))
  const logins = written.filter(({ result }) => result === 'new').map(({ address }) => address)
  const taken = new Set((await listUsersByLogins(db, logins)).map(({ login }) => fold(login)))
  const seen = new Set<string>()
  const planned = written.map((it): Invitation => {
    if (it.result !== 'new') return it
    const key = fold(it.address)
    if (seen.has(key)) return { ...it, result: 'repeated' }
    seen.add(key)
    return taken.has(key) ? { ...it, result: 'has_account' } : it
  })
  return { planned, grantor, groups: given }
}

function checkEntry(entry: string, settings: Settings): Invitation {
  const { address, name } = personIn(entry)
  const refused = (result: 'not_allowed' | 'malformed', message: string) =>
    ({ address: address === '' ? entry.trim() : address, real_name: name, result, message }) as const
  try {
    const real_name = requireRealName(name)
    const login = requireLoginName(address, settings)
    return { address: login, real_name, result: 'new', message: '' }
  } catch (fault) {
    if (!(fault instanceof ApiError)) throw fault
    return refused(
      isAddress(address) && !isAllowedLogin(address, settings) ? 'not_allowed' : 'malformed',
      fault.message,
    )
  }
}

const LONGEST_ADDRESS = 127

/** Whether it looks like an address, so that what is wrong with it is a rule of this installation. */
function isAddress(text: string) {
  return text.length <= LONGEST_ADDRESS && /^[!-;=?-~]+$/.test(text) && /^[^@]+@[^@]+$/.test(text)
}

async function invite(
  tx: ConfigurationTransaction,
  settings: Settings,
  grantor: Grantor,
  groups: readonly NamedGroup[],
  invitation: Invitation,
): Promise<Invitation> {
  const { address: email, real_name: fullName } = invitation
  const id = await createUser(tx, settings, grantor.id, { email, fullName, passwordHash: null })
  for (const group of groups) await grantDirectly(tx, id, group.id, 'member')
  const added = groups.map(({ name }) => name).join(', ')
  if (added !== '')
    await recordAudit(tx, { who: grantor.id, class: 'User', objectId: id }, { groups: { removed: '', added } })
  return { ...invitation, result: 'invited', id }
}
