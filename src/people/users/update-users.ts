import { noteToPeople } from '../../access/account-notice.ts'
import type { SignedIn } from '../../access/caller.ts'
import { type GroupGraph, readGroupGraph } from '../../access/group-graph.ts'
import { noteCatalogueChanged } from '../../access/installation.ts'
import { type Changes, recordAudit } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { timeNow } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/fold.ts'
import { hashPassword } from '../../platform/passwords.ts'
import type { Settings } from '../../platform/settings.ts'
import type { ListChange } from '../../platform/wire/params.ts'
import { groupsBlessableBy } from '../bless.ts'
import { chosenGroups } from '../chosen-groups.ts'
import { deriveGroupsOfUser, directGroupsOf, grantDirectly, withdraw } from '../group-grants.ts'
import { keepingAnAdministrator } from '../last-administrator.ts'
import { requireLoginName, requirePassword, requireRealName, type User } from './user.ts'
import { deleteTokensOf, updatePassword, updateUser } from './user-store.ts'
import { listTargets } from './user-targets.ts'

export interface WantedChanges {
  full_name: string | undefined
  email: string | undefined
  password: string | undefined
  email_enabled: boolean | undefined
  login_denied_text: string | undefined
  groups: ListChange | undefined
  bless_groups: ListChange | undefined
}

/** The editor, and the groups whose membership the editor may decide. */
interface Editing {
  who: number
  groups: GroupGraph
  blessable: ReadonlySet<number>
  settings: Settings
}

/** Changes several accounts alike: all of them, or, when one refuses, none. */
export async function updateUsers(
  db: Db,
  editor: SignedIn,
  settings: Settings,
  refs: readonly string[],
  wanted: WantedChanges,
) {
  // Hashing takes a while and needs nothing from the database, so it is done before the transaction begins.
  const password = wanted.password === undefined ? undefined : requirePassword(wanted.password, settings)
  const hash = password === undefined ? null : await hashPassword(password)
  return db.transaction(async (tx) => {
    const groups = await readGroupGraph(tx)
    const editing = {
      who: editor.id,
      groups,
      settings,
      blessable: await groupsBlessableBy(tx, groups, settings, editor),
    }
    const users = await listTargets(tx, refs)
    if (users.length > 1 && wanted.email !== undefined) throw errors.one_at_a_time({ name: 'email', what: 'user' })
    return keepingAnAdministrator(tx, async () => {
      const updated = []
      for (const user of users) updated.push({ id: user.id, changes: await updateOne(tx, editing, user, wanted, hash) })
      return updated
    })
  }, 'configuration')
}

async function updateOne(
  tx: Db,
  editing: Editing,
  user: User,
  wanted: WantedChanges,
  hash: string | null,
): Promise<Changes> {
  const after = edited(user, wanted, editing.settings)
  const changes: Changes = {
    ...changesBetween(visibleForm(user), visibleForm(after)),
    ...(wanted.password !== undefined && { password: UNTOLD }),
    ...(await changeGroups(tx, editing, user.id, 'groups', 'member', wanted.groups)),
    ...(await changeGroups(tx, editing, user.id, 'bless_groups', 'bless', wanted.bless_groups)),
  }
  if (Object.keys(changes).length === 0) return changes
  await updateUser(tx, after)
  if (wanted.password !== undefined) await updatePassword(tx, user.id, hash)
  // The catalogue shows those whom it assigns bugs to, and what bugs show of people is kept as long as the catalogue is what it is.
  if (after.login !== user.login || after.real_name !== user.real_name) await noteCatalogueChanged(tx)
  if (after.login !== user.login) {
    await deriveGroupsOfUser(tx, user.id, after.login)
    await noteNewLogin(tx, editing.who, user, after)
  }
  if (after.login !== user.login || wanted.password !== undefined || after.disabled_text !== user.disabled_text)
    await deleteTokensOf(tx, user.id)
  await recordAudit(tx, { who: editing.who, class: 'User', objectId: user.id }, changes)
  return withOriginalNames(changes)
}

/** Whoever reads the old address hears of it too, in case they did not want it. */
async function noteNewLogin(tx: Db, who: number, { id, login: before }: User, { login: after }: User) {
  const notice = { what: 'login_changed', userId: id, who, before, after, at: timeNow() } as const
  const isSameAddress = fold(before) === fold(after)
  await noteToPeople(tx, { ...notice, to: 'after' }, ...(isSameAddress ? [] : [{ ...notice, to: 'before' } as const]))
}

/** Neither the old nor the new password is ever told. */
const UNTOLD = { removed: '********', added: '********' }

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

function edited(user: User, wanted: WantedChanges, settings: Settings): User {
  return {
    id: user.id,
    login: wanted.email === undefined ? user.login : requireLoginName(wanted.email, settings),
    real_name: wanted.full_name === undefined ? user.real_name : requireRealName(wanted.full_name),
    disabled_text: wanted.login_denied_text === undefined ? user.disabled_text : wanted.login_denied_text.trim(),
    email_enabled: wanted.email_enabled === undefined ? user.email_enabled : wanted.email_enabled ? 1 : 0,
  }
}

/** By the names that the call takes. */
function visibleForm(user: User) {
  return {
    email: user.login,
    full_name: user.real_name,
    login_denied_text: user.disabled_text,
    email_enabled: user.email_enabled === 1,
  }
}

/** A group that the editor may not decide about is refused like one that does not exist. */
async function changeGroups(
  tx: Db,
  editing: Editing,
  userId: number,
  name: string,
  right: 'member' | 'bless',
  wanted: ListChange | undefined,
): Promise<Changes> {
  if (wanted === undefined) return {}
  const before = new Set(await directGroupsOf(tx, userId, right))
  const ids = (refs: readonly string[]) => refs.map((ref) => requireBlessable(editing, ref))
  const change = wanted.set ? { set: ids(wanted.set) } : { add: ids(wanted.add), remove: ids(wanted.remove) }
  const { added, removed } = chosenGroups(before, change, (id) => editing.blessable.has(id))
  for (const id of added) await grantDirectly(tx, userId, id, right)
  for (const id of removed) await withdraw(tx, userId, id, right)
  if (added.length + removed.length === 0) return {}
  const names = (list: readonly number[]) =>
    list
      .map((id) => editing.groups.groups.get(id)?.name ?? String(id))
      .sort()
      .join(', ')
  return { [name]: { removed: names(removed), added: names(added) } }
}

function requireBlessable(editing: Editing, ref: string): number {
  const key = fold(ref.trim())
  const group = [...editing.groups.groups.values()].find(({ id, name }) => String(id) === key || fold(name) === key)
  if (!group || !editing.blessable.has(group.id)) throw errors.group_not_blessable({ ref })
  return group.id
}
