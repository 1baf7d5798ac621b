import { queueAccountNotices } from '../../access/account-notice.ts'
import { recordCreation } from '../../changes/audit.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { hashPassword } from '../../platform/secrets/passwords.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { insertAccountLink } from '../accounts/account-link-store.ts'
import { readGrantor, requireMayGrantAll } from '../grantor.ts'
import { deriveGroupsOfUser, groupsMatching } from '../group-grants.ts'
import { requireGivenPassword } from './password-rules.ts'
import { requireLoginName, requireRealName } from './user.ts'
import { insertUser } from './user-store.ts'

export interface RequestedUser {
  email: string
  fullName: string
  /** From `hashPassword`, which is slow and runs before any transaction; null for an account without a password. */
  passwordHash: string | null
}

/** The hash of the password of a new account; null for an empty one. */
export async function hashOfNewPassword(password: string, settings: Settings, caller: string): Promise<string | null> {
  const checked = requireGivenPassword(password, settings)
  return checked === undefined ? null : hashPassword(checked, [caller])
}

/**
 * Creates an account, in the groups whose regexp matches its login. `who` is null for the first account and for users who join. An account
 * without a password gets an invitation to choose one.
 */
export async function createUser(
  db: Db,
  settings: Settings,
  who: number | null,
  requested: RequestedUser,
): Promise<number> {
  const login = requireLoginName(requested.email, settings)
  const realName = requireRealName(requested.fullName)
  const { passwordHash } = requested
  return db.transaction(async (tx) => {
    // Without a password, only the owner of the address can use the account.
    if (who !== null && passwordHash !== null)
      requireMayGrantAll(await readGrantor(tx, who), await groupsMatching(tx, login))
    const at = timeNow()
    const id = await insertUser(tx, { login, realName, passwordHash, at })
    await deriveGroupsOfUser(tx, id, login)
    await recordCreation(tx, { who, class: 'User', objectId: id }, login)
    if (who !== null) {
      const linkId = passwordHash === null ? await invite(tx, settings, id, login) : null
      await queueAccountNotices(tx, { what: 'account_made', userId: id, who, linkId, at })
    }
    return id
  }, 'accounts')
}

function invite(tx: Db, settings: Settings, userId: number, login: string): Promise<number> {
  const hours = settings.invitation_days * 24
  return insertAccountLink(tx, { kind: 'invite', login, network: '', userId, hours })
}
