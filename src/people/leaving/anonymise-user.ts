import { noteCatalogueChanged, noteGroupsChanged } from '../../access/installation.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { keepingAnAdministrator } from '../last-administrator.ts'
import type { User } from '../users/user.ts'
import { updatePassword, updateUser } from '../users/user-store.ts'
import { getTarget } from '../users/user-targets.ts'
import { deleteWhatUserOwns, earlierLoginsOf, forgetNamesInAudit, replaceLogin } from './forget-user-store.ts'

/**
 * Removes who a user is: name, address, password, keys, sessions, groups, preferences and searches. What they did stays, under a neutral
 * name. The audit log records it without the old name. It cannot be undone.
 */
export async function anonymiseUser(db: Db, who: number, ref: string): Promise<{ id: number; name: string }> {
  return db.transaction(async (tx) => {
    const user = await getTarget(tx, ref)
    const neutral = neutralForm(user.id)
    await keepingAnAdministrator(tx, async () => {
      for (const login of [user.login, ...(await earlierLoginsOf(tx, user.id))])
        await replaceLogin(tx, login, neutral.login)
      await forgetNamesInAudit(tx, user.id)
      await deleteWhatUserOwns(tx, user)
      await updateUser(tx, neutral)
      await updatePassword(tx, user.id, null)
    })
    await recordAudit(tx, { who, class: 'User', objectId: user.id }, { anonymised: { removed: '0', added: '1' } })
    await noteCatalogueChanged(tx)
    await noteGroupsChanged(tx)
    return { id: user.id, name: neutral.login }
  }, 'configuration')
}

function neutralForm(id: number): User {
  return {
    id,
    login: `former-user-${id}`,
    real_name: 'Former user',
    disabled_text: 'This account was closed.',
    email_enabled: 0,
  }
}
