import { queueAccountNotices } from '../../access/account-notice.ts'
import { noteCatalogueChanged, noteGroupsChanged } from '../../access/installation.ts'
import { type Changes, recordAudit } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { giveNicks } from '../../platform/database/give-nicks.ts'
import { fold } from '../../platform/text/fold.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { closeLinksOfUser } from '../accounts/account-link-store.ts'
import { deriveGroupsOfUser } from '../group-grants.ts'
import { closeCodesOfUser } from '../oauth/grants/code-store.ts'
import { closeEmailChanges } from './email/email-change-store.ts'
import { takeNick } from './nick-store.ts'
import { nickOf, type User } from './user.ts'
import { deleteTokensOf, passwordHashOf, updatePassword, updateUser } from './user-store.ts'

/** A change of an account. */
export interface AccountEdit {
  before: User
  after: User
  /** Null removes the password; undefined keeps it. */
  passwordHash: string | null | undefined
  /** The token of the session that stays open while the others end. */
  keptToken?: string | undefined
}

/** The changed fields of the account, under their parameter names. The passwords are masked. */
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
    nick: nickOf(user),
    login_denied_text: user.disabled_text,
    email_enabled: user.email_enabled === 1,
  }
}

/** Saves an account and the consequences of its changes. Returns the changes as the call returns them. */
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
  if (changes.nick !== undefined) await takeNick(tx, after.id, nickOf(after))
  else if (after.nick === null && after.real_name !== before.real_name) await giveNicks(tx, [after])
  if (passwordHash !== undefined) {
    await notePasswordChanged(tx, who, after.id, passwordHash)
    await updatePassword(tx, after.id, passwordHash)
  }
  // The catalogue contains default assignees, and cached user names are valid as long as the catalogue does not change.
  if (isRenamed || changes.nick !== undefined || after.real_name !== before.real_name) await noteCatalogueChanged(tx)
  // Changes that the user is making at this moment are checked again with the new rights.
  if (changes.groups !== undefined || changes.login_denied_text !== undefined) await noteGroupsChanged(tx)
  if (isRenamed) {
    await deriveGroupsOfUser(tx, after.id, after.login)
    await noteNewLogin(tx, who, before, after)
  }
  if (isRenamed || passwordHash !== undefined || after.disabled_text !== before.disabled_text) {
    await deleteTokensOf(tx, after.id, keptToken)
    await closeEmailChanges(tx, after.id)
    await closeLinksOfUser(tx, after.id)
    await closeCodesOfUser(tx, after.id)
  }
  await recordAudit(tx, { who, class: 'User', objectId: after.id }, changes)
  return withBugzillaNames(changes)
}

/** An account that had no password gets no mail about its first one. */
async function notePasswordChanged(tx: Db, who: number, userId: number, hash: string | null) {
  if ((await passwordHashOf(tx, userId)) === null) return
  await queueAccountNotices(tx, { what: 'password_changed', userId, who, isRemoved: hash === null, at: timeNow() })
}

/** The old address is notified too, in case its owner did not want the change. */
async function noteNewLogin(tx: Db, who: number, { id, login: before }: User, { login: after }: User) {
  const notice = { what: 'login_changed', userId: id, who, before, after, at: timeNow() } as const
  const isSameAddress = fold(before) === fold(after)
  await queueAccountNotices(
    tx,
    { ...notice, to: 'after' },
    ...(isSameAddress ? [] : [{ ...notice, to: 'before' } as const]),
  )
}

/** compat: Bugzilla also returns some of these under other names, and programs may look for either. */
function withBugzillaNames(changes: Changes): Changes {
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
