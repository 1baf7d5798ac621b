import type { CallContext } from '../../access/call.ts'
import type { SignedIn } from '../../access/caller.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import type { Changes } from '../../changes/audit.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { hashPassword } from '../../platform/secrets/passwords.ts'
import type { ListChange } from '../../platform/wire/params.ts'
import { chosenGroups } from '../chosen-groups.ts'
import {
  type Grantor,
  getGrantable,
  mayGrant,
  readGrantor,
  requireMayGrantAll,
  requireNotStronger,
} from '../grantor.ts'
import { directGroupsOf, grantDirectly, groupsMatching, revokeGrant } from '../group-grants.ts'
import { keepingAnAdministrator } from '../last-administrator.ts'
import { requireNick } from './nick-rules.ts'
import { requireGivenPassword } from './password-rules.ts'
import { type AccountEdit, changesInAccount, saveAccount } from './save-account.ts'
import { requireLoginName, requireRealName, type User } from './user.ts'
import { listTargets } from './user-targets.ts'

export interface RequestedUserChanges {
  full_name: string | undefined
  nick: string | undefined
  email: string | undefined
  password: string | undefined
  email_enabled: boolean | undefined
  login_denied_text: string | undefined
  groups: ListChange | undefined
  bless_groups: ListChange | undefined
}

interface AccountEditor {
  grantor: Grantor
  settings: Settings
}

/**
 * Makes the same change to several accounts. If it is refused for one, none is changed. Editors outside of admin cannot give rights that
 * they do not have, nor take over accounts with such rights.
 */
export async function updateUsers(
  context: Pick<CallContext, 'db' | 'caller' | 'credentials' | 'settings'>,
  editor: SignedIn,
  refs: readonly string[],
  requested: RequestedUserChanges,
) {
  const { settings } = context
  // Hashing is slow and needs no database, so it is done before the transaction begins.
  const password = requested.password === undefined ? undefined : requireGivenPassword(requested.password, settings)
  const hash = password === undefined ? null : await hashPassword(password, [`user ${editor.id}`])
  return withLiveCredential(context, 'configuration', async (tx) => {
    const editing = { grantor: await readGrantor(tx, editor.id), settings }
    const users = await listTargets(tx, refs)
    for (const name of ['email', 'nick'] as const)
      if (users.length > 1 && requested[name] !== undefined) throw errors.one_at_a_time({ name, what: 'user' })
    return keepingAnAdministrator(tx, async () => {
      const updated = []
      for (const user of users)
        updated.push({ id: user.id, changes: await updateOne(tx, editing, user, requested, hash) })
      return updated
    })
  })
}

async function updateOne(
  tx: ConfigurationTransaction,
  editing: AccountEditor,
  user: User,
  requested: RequestedUserChanges,
  hash: string | null,
): Promise<Changes> {
  const passwordHash = requested.password === undefined ? undefined : hash
  const edit = { before: user, after: edited(user, requested, editing.settings), passwordHash }
  await requireMayEdit(tx, editing.grantor, edit)
  const changes: Changes = {
    ...changesInAccount(edit),
    ...(await changeGroups(tx, editing, user.id, { name: 'groups', right: 'member', requested: requested.groups })),
    ...(await changeGroups(tx, editing, user.id, {
      name: 'bless_groups',
      right: 'bless',
      requested: requested.bless_groups,
    })),
  }
  return saveAccount(tx, editing.grantor.id, edit, changes)
}

/** Editors cannot set the login name, the password or the state of a stronger account, nor a login name that makes it stronger. */
async function requireMayEdit(tx: Db, grantor: Grantor, { before, after, passwordHash }: AccountEdit) {
  const isRenamed = after.login !== before.login
  if (isRenamed || passwordHash !== undefined || after.disabled_text !== before.disabled_text)
    await requireNotStronger(tx, grantor, before)
  if (isRenamed) requireMayGrantAll(grantor, await groupsMatching(tx, after.login))
}

function edited(user: User, requested: RequestedUserChanges, settings: Settings): User {
  return {
    id: user.id,
    login: requested.email === undefined ? user.login : requireLoginName(requested.email, settings),
    real_name: requested.full_name === undefined ? user.real_name : requireRealName(requested.full_name),
    nick: requested.nick === undefined ? user.nick : requireNick(user.id, requested.nick),
    disabled_text: requested.login_denied_text === undefined ? user.disabled_text : requested.login_denied_text.trim(),
    email_enabled: requested.email_enabled === undefined ? user.email_enabled : requested.email_enabled ? 1 : 0,
  }
}

/** A group that the editor may not grant is refused like one that does not exist. */
async function changeGroups(
  tx: Db,
  { grantor }: AccountEditor,
  userId: number,
  { name, right, requested }: { name: string; right: 'member' | 'bless'; requested: ListChange | undefined },
): Promise<Changes> {
  if (requested === undefined) return {}
  const before = new Set(await directGroupsOf(tx, userId, right))
  const ids = (refs: readonly string[]) => refs.map((ref) => getGrantable(grantor, ref).id)
  const change = requested.set
    ? { set: ids(requested.set) }
    : { add: ids(requested.add), remove: ids(requested.remove) }
  const { added, removed } = chosenGroups(before, change, (id) => mayGrant(grantor, id))
  for (const id of added) await grantDirectly(tx, userId, id, right)
  for (const id of removed) await revokeGrant(tx, userId, id, right)
  if (added.length + removed.length === 0) return {}
  const names = (list: readonly number[]) =>
    list
      .map((id) => grantor.graph.groups.get(id)?.name ?? String(id))
      .sort()
      .join(', ')
  return { [name]: { removed: names(removed), added: names(added) } }
}
