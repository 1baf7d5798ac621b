import { noteToPeople } from '../../access/account-notice.ts'
import { noteCatalogueChanged, noteGroupsChanged } from '../../access/installation.ts'
import { type Changes, recordAudit } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { fold } from '../../platform/text/fold.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { deriveGroupsOfUser } from '../group-grants.ts'
import { closeEmailChanges } from './email/email-change-store.ts'
import type { User } from './user.ts'
import { deleteTokensOf, updatePassword, updateUser } from './user-store.ts'

/** What becomes of an account. */
export interface AccountEdit {
  before: User
  after: User
  /** Null takes the password away; undefined leaves it as it is. */
  passwordHash: string | null | undefined
  /** The token of the session that goes on, where others end. */
  keptToken?: string | undefined
}

/** The fields of the account that change, by the names that the call takes. Neither the old nor the new password is in them. */
export function changesInAccount({ before, after, passwordHash }: AccountEdit): Changes {
  return {
    ...changesBetween(visibleForm(before), visibleForm(after)),
    ...(passwordHash !== undefined && { password: { removed: HIDDEN, added: HIDDEN } }),
  }
}

const HIDDEN = '********'

function visibleForm(user: User) {
  return {
    email: user.login,
    full_name: user.real_name,
    login_denied_text: user.disabled_text,
    email_enabled: user.email_enabled === 1,
  }
}

/** Saves an account with all that follows from its changes, and returns them as the call answers them. */
export async function saveAccount(
  tx: ConfigurationTransaction,
  who: number,
  edit: AccountEdit,
  changes: Changes,
): Promise<Changes> {
  if (Object.keys(changes).length === 0) return changes
  const { before, after, passwordHash, keptToken } = edit
  const isRenamed = after.login !== before.login
  await updateUser(tx, after)
  if (passwordHash !== undefined) await updatePassword(tx, after.id, passwordHash)
  // The catalogue shows those whom it assigns bugs to, and what bugs show of people is kept as long as the catalogue is what it is.
  if (isRenamed || after.real_name !== before.real_name) await noteCatalogueChanged(tx)
  // What the user is just changing with the rights that they had is judged again.
  if (changes.groups !== undefined || changes.login_denied_text !== undefined) await noteGroupsChanged(tx)
  if (isRenamed) {
    await deriveGroupsOfUser(tx, after.id, after.login)
    await noteNewLogin(tx, who, before, after)
  }
  if (isRenamed || passwordHash !== undefined || after.disabled_text !== before.disabled_text) {
    await deleteTokensOf(tx, after.id, keptToken)
    await closeEmailChanges(tx, after.id)
  }
  await recordAudit(tx, { who, class: 'User', objectId: after.id }, changes)
  return withOriginalNames(changes)
}

/** Whoever reads the old address hears of it too, in case they did not want it. */
async function noteNewLogin(tx: Db, who: number, { id, login: before }: User, { login: after }: User) {
  const notice = { what: 'login_changed', userId: id, who, before, after, at: timeNow() } as const
  const isSameAddress = fold(before) === fold(after)
  await noteToPeople(tx, { ...notice, to: 'after' }, ...(isSameAddress ? [] : [{ ...notice, to: 'before' } as const]))
}

/** compat: the original tells some of these under names of its own (observed 1.4); programs may look for either. */
function withOriginalNames(changes: Changes): Changes {
  const { password, email_enabled: mail, login_denied_text: reason } = changes
  const isEnabled = (text: string) => (text === '' ? '1' : '0')
  const isSwitched = reason !== undefined && isEnabled(reason.removed) !== isEnabled(reason.added)
  return {
    ...changes,
    ...(password && { cryptpassword: password }),
    ...(mail && { disable_mail: { removed: mail.added, added: mail.removed } }),
    ...(isSwitched && { is_enabled: { removed: isEnabled(reason.removed), added: isEnabled(reason.added) } }),
  }
}
