import { checkPassword } from '../../access/authentication/check-password.ts'
import { knownSession } from '../../access/authentication/known-device.ts'
import type { CallContext } from '../../access/call.ts'
import { requireUnlimited, type SignedIn } from '../../access/caller.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import { requireAllowedWords } from '../../access/new-account.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import type { Changes } from '../../changes/audit.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { hashPassword } from '../../platform/secrets/passwords.ts'
import { keepingAnAdministrator } from '../last-administrator.ts'
import { requestEmailChange, requireConfirmedEmail, requireRoomForEmailChange } from './email/email-change.ts'
import { requireNick } from './nick-rules.ts'
import { requireRoomForNick } from './nick-store.ts'
import { requireChosenPassword } from './password-rules.ts'
import { changesInAccount, saveAccount } from './save-account.ts'
import { nickOf, requireLoginName, requireRealName, type User } from './user.ts'
import { passwordHashOf } from './user-store.ts'
import { getTarget } from './user-targets.ts'

export interface RequestedOwnChanges {
  full_name: string | undefined
  nick: string | undefined
  password: string | undefined
  email: string | undefined
  old_password: string | undefined
  email_code: string | undefined
}

export interface OwnChange {
  id: number
  changes: Changes
  /** The new address, if a code was sent to it. */
  email_to_confirm?: string
}

export type AccountContext = Pick<
  CallContext,
  'db' | 'caller' | 'authenticator' | 'settings' | 'credentials' | 'address'
>

/**
 * Changes the caller's own name, password or address. The last two need the old password and end all sessions but the
 * current one. An address changes only with the code that is sent to it.
 */
export async function changeOwnAccount(
  asking: AccountContext,
  caller: SignedIn,
  requested: RequestedOwnChanges,
): Promise<OwnChange> {
  const { settings, credentials } = asking
  if (requested.email !== undefined || requested.email_code !== undefined)
    requireMayChangeEmail(caller, settings, requested)
  const realName = requested.full_name === undefined ? undefined : requireRealName(requested.full_name)
  if (realName !== undefined && realName !== caller.realName) requireAllowedWords(caller, settings, [realName])
  const nick = requested.nick === undefined ? undefined : requireNick(caller.id, requested.nick)
  requireAllowedWords(caller, settings, [nick])
  const password =
    requested.password === undefined
      ? undefined
      : requireChosenPassword(requested.password, settings, [caller.login, realName ?? caller.realName])
  const email = requested.email === undefined ? undefined : requireLoginName(requested.email, settings)
  requireAllowedWords(caller, settings, [email])
  const needsProof = password !== undefined || email !== undefined
  const proven = needsProof ? await requireOldPassword(asking, caller, requested.old_password) : undefined
  const passwordHash = password === undefined ? undefined : await hashPassword(password, [`user ${caller.id}`])
  return withLiveCredential(asking, 'configuration', async (tx) => {
    const before = await getTarget(tx, String(caller.id))
    if (proven !== undefined && (await passwordHashOf(tx, caller.id)) !== proven.hash) throw errors.wrong_credentials()
    const login =
      requested.email_code === undefined
        ? before.login
        : await confirmedLogin(tx, settings, before, requested.email_code)
    const isEmailNew = email !== undefined && email !== before.login
    if (isEmailNew) await requireRoomForEmailChange(tx, caller.id)
    const after = { ...before, login, real_name: realName ?? before.real_name, nick: nick ?? before.nick }
    if (nickOf(after) !== nickOf(before)) await requireRoomForNick(tx, caller.id)
    const edit = { before, after, passwordHash, keptToken: caller.source === 'token' ? credentials.token : undefined }
    const changes = await keepingAnAdministrator(tx, () => saveAccount(tx, caller.id, edit, changesInAccount(edit)))
    if (!isEmailNew) return { id: caller.id, changes }
    await requestEmailChange(tx, caller.id, email)
    return { id: caller.id, changes, email_to_confirm: email }
  })
}

function requireMayChangeEmail(caller: SignedIn, settings: Settings, { email, email_code }: RequestedOwnChanges) {
  if (!settings.allowemailchange)
    throw errors.not_allowed({ need: 'the parameter allowemailchange is off, so it needs membership in editusers' })
  requireUnlimited(caller, 'change an address')
  if (email !== undefined && email_code !== undefined)
    throw errors.bad_value({
      name: 'email_code',
      value: '…',
      right: 'it confirms a requested email, so leave out email',
    })
}

/** The parameters may have changed since the code was sent. */
async function confirmedLogin(tx: Db, settings: Settings, { id }: User, code: string): Promise<string> {
  return requireLoginName(await requireConfirmedEmail(tx, id, code), settings)
}

/**
 * Checks the old password as a login does, with its lockout, outside of any transaction. Returns the hash that it was
 * compared with: the change is saved only if the stored hash is still the same. Users without a password, who log in through
 * a provider or with a passkey, must have done so a short time ago.
 */
export async function requireOldPassword(
  { db, settings, authenticator, address, credentials }: AccountContext,
  caller: SignedIn,
  old: string | undefined,
): Promise<{ hash: string | null }> {
  requireUnlimited(caller, 'change a password or an address, or end an account')
  const hash = await passwordHashOf(db, caller.id)
  if (old === undefined) {
    if (hash !== null || caller.source !== 'token') throw errors.parameter_required({ name: 'old_password' })
    requireRecentProof({ caller, settings })
    return { hash }
  }
  const countedAs = caller.source === 'token' ? knownSession(credentials.token) : undefined
  const given = { login: caller.login, password: old, countedAs }
  await checkPassword(authenticator, given, { peer: address, forwardedFor: undefined })
  return { hash }
}
