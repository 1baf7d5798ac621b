import { noteCatalogueChanged, noteGroupsChanged } from '../../access/installation.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { keepingAnAdministrator } from '../last-administrator.ts'
import type { User } from '../users/user.ts'
import { findUserByLogin, lockUser, updatePassword, updateUser } from '../users/user-store.ts'
import { getTarget } from '../users/user-targets.ts'
import { deleteWhatNames, deleteWhatUserOwns, earlierLoginsOf, forgetNamesInAudit } from './forget-user-store.ts'
import { removeFromMailLists, replaceLogin } from './replace-login-store.ts'

/**
 * Removes who a user is: name, address, password, keys, sessions, groups, preferences and searches. What they did stays, under a neutral
 * name. The audit log records it without the old name. It cannot be undone.
 */
export async function anonymiseUser(db: Db, who: number, ref: string): Promise<{ id: number; name: string }> {
  return db.transaction(async (tx) => {
    const user = await getTarget(tx, ref)
    await lockUser(tx, user.id)
    const neutral = neutralForm(user.id)
    await keepingAnAdministrator(tx, async () => {
      for (const login of await loginsOf(tx, user)) {
        await replaceLogin(tx, login, neutral.login)
        await removeFromMailLists(tx, login)
        await deleteWhatNames(tx, login)
      }
      await forgetNamesInAudit(tx, user.id)
      await deleteWhatUserOwns(tx, user.id)
      await updateUser(tx, neutral)
      await updatePassword(tx, user.id, null)
    })
    await recordAudit(tx, { who, class: 'User', objectId: user.id }, { anonymised: { removed: '0', added: '1' } })
    await noteCatalogueChanged(tx)
    await noteGroupsChanged(tx)
    return { id: user.id, name: neutral.login }
  }, 'configuration')
}

/** The login names that the user has or had, except those that are now of another account. */
async function loginsOf(tx: ConfigurationTransaction, { id, login }: User): Promise<string[]> {
  const own = [login]
  for (const earlier of await earlierLoginsOf(tx, id))
    if (!own.includes(earlier) && [undefined, id].includes((await findUserByLogin(tx, earlier))?.id)) own.push(earlier)
  return own
}

function neutralForm(id: number): User {
  return {
    id,
    login: `former-user-${id}`,
    real_name: 'Former user',
    nick: null,
    disabled_text: 'This account was closed.',
    email_enabled: 0,
  }
}
