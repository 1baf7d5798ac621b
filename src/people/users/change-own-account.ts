import { authenticate } from '../../access/authenticate.ts'
import type { Asked } from '../../access/call.ts'
import { requireMaySetPasswords, type SignedIn } from '../../access/caller.ts'
import type { Changes } from '../../changes/audit.ts'
import { errors } from '../../platform/errors.ts'
import { hashPassword } from '../../platform/passwords.ts'
import type { Settings } from '../../platform/settings.ts'
import { changesInAccount, saveAccount } from './save-account.ts'
import { requirePassword, requireRealName, SHORTEST_PASSWORD } from './user.ts'
import { passwordHashOf } from './user-store.ts'
import { getTarget } from './user-targets.ts'

export interface WantedOwnChanges {
  full_name: string | undefined
  password: string | undefined
  old_password: string | undefined
}

type Asking = Pick<Asked, 'db' | 'door' | 'settings' | 'credentials' | 'address'>

/** Changes one's own name or password. A password needs the old one, and ends all sessions but the one in use. */
export async function changeOwnAccount(
  asking: Asking,
  caller: SignedIn,
  wanted: WantedOwnChanges,
): Promise<{ id: number; changes: Changes }> {
  const { db, settings, credentials } = asking
  const realName = wanted.full_name === undefined ? undefined : requireRealName(wanted.full_name)
  const password = wanted.password === undefined ? undefined : requireOwnPassword(wanted.password, settings)
  const proven = password === undefined ? undefined : await requireOldPassword(asking, caller, wanted.old_password)
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  return db.transaction(async (tx) => {
    const before = await getTarget(tx, String(caller.id))
    if (proven !== undefined && (await passwordHashOf(tx, caller.id)) !== proven.hash) throw errors.wrong_credentials()
    const after = { ...before, real_name: realName ?? before.real_name }
    const edit = { before, after, passwordHash, keptToken: caller.source === 'token' ? credentials.token : undefined }
    return { id: caller.id, changes: await saveAccount(tx, caller.id, edit, changesInAccount(edit)) }
  }, 'configuration')
}

/** Nobody takes their own password away: they could not log in again. */
function requireOwnPassword(given: string, settings: Settings): string {
  return requirePassword(given, settings) ?? tooShort()
}

function tooShort(): never {
  throw errors.password_too_short({ least: SHORTEST_PASSWORD })
}

/**
 * Looks at the old password as a login does, with its lockout, outside of any transaction. Returns the hash that it was compared with: the
 * change is saved only if it is still that one.
 */
async function requireOldPassword(
  { db, door, address }: Asking,
  caller: SignedIn,
  old: string | undefined,
): Promise<{ hash: string | null }> {
  requireMaySetPasswords(caller)
  if (old === undefined) throw errors.parameter_required({ name: 'old_password' })
  const hash = await passwordHashOf(db, caller.id)
  await authenticate(door, { login: caller.login, password: old }, { peer: address, forwardedFor: undefined })
  return { hash }
}
