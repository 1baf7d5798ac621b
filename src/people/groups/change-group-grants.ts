import type { Changes } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import type { ListChange } from '../../platform/wire/params.ts'
import { chosenGroups } from '../chosen-groups.ts'
import {
  deleteGroupGrant,
  type GroupGrant,
  getGroups,
  groupsGranted,
  insertGroupGrant,
  listGroups,
} from './group-store.ts'

const RIGHTS = { member_groups: 'member', bless_groups: 'bless', visible_groups: 'see' } as const

/**
 * Changes which groups' members are members of, may bless, or may see the group. Members of admin have every right in
 * every group: `set` keeps their rights, and removing one is refused.
 */
export async function changeGroupGrants(
  tx: Db,
  groupId: number,
  requested: Partial<Record<keyof typeof RIGHTS, ListChange | undefined>>,
): Promise<Changes> {
  const changes: Changes = {}
  for (const [name, right] of Object.entries(RIGHTS) as [keyof typeof RIGHTS, GroupGrant['right']][]) {
    const change = requested[name]
    if (change !== undefined) Object.assign(changes, await changeGrants(tx, groupId, name, right, change))
  }
  return changes
}

async function changeGrants(
  tx: Db,
  groupId: number,
  name: string,
  right: GroupGrant['right'],
  requested: ListChange,
): Promise<Changes> {
  const before = new Set(await groupsGranted(tx, groupId, right))
  const ids = async (refs: readonly string[]) =>
    refs.length === 0 ? [] : (await getGroups(tx, refs)).map((group) => group.id)
  const others = async (refs: readonly string[]) => (await ids(refs)).filter((id) => id !== groupId)
  const [admin] = await ids(['admin'])
  const change = requested.set
    ? { set: await others(requested.set) }
    : { add: await others(requested.add), remove: await ids(requested.remove) }
  const { added, removed } = chosenGroups(before, change, (id) => id !== admin)
  if (removed.some((id) => id === admin)) throw errors.admin_rights_kept()
  for (const id of added) await insertGroupGrant(tx, { memberGroupId: id, groupId, right })
  for (const id of removed) await deleteGroupGrant(tx, { memberGroupId: id, groupId, right })
  if (added.length + removed.length === 0) return {}
  const names = new Map((await listGroups(tx)).map((group) => [group.id, group.name]))
  const list = (of: number[]) =>
    of
      .map((id) => names.get(id) ?? '')
      .sort()
      .join(', ')
  return { [name]: { removed: list(removed), added: list(added) } }
}
