import { noteGroupsChanged } from '../../access/installation.ts'
import { recordAudit, recordCreation } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import type { ListChange } from '../../platform/wire/params.ts'
import { deriveMembersOfGroup } from '../group-grants.ts'
import { changeGroupGrants } from './change-group-grants.ts'
import { type Group, groupRules } from './group.ts'
import { findGroups, insertGroup, insertGroupGrant } from './group-store.ts'

export interface GroupGrantChanges {
  member_groups: ListChange | undefined
  bless_groups: ListChange | undefined
  visible_groups: ListChange | undefined
}

/** Creates a group. The group admin gets membership and the rights to bless and see it. */
export async function createGroup(
  db: Db,
  who: number | null,
  group: Omit<Group, 'id'>,
  grants?: GroupGrantChanges,
): Promise<number> {
  enforce(groupRules, { before: undefined, after: group })
  return db.transaction(async (tx) => {
    const id = await insertGroup(tx, group)
    const admin = (await findGroups(tx, ['admin'])).get('admin')
    if (admin)
      for (const right of ['member', 'bless', 'see'] as const)
        await insertGroupGrant(tx, { memberGroupId: admin.id, groupId: id, right })
    await deriveMembersOfGroup(tx, id, group.user_regexp)
    await recordCreation(tx, { who, class: 'Group', objectId: id }, group.name)
    if (grants) await recordAudit(tx, { who, class: 'Group', objectId: id }, await changeGroupGrants(tx, id, grants))
    await noteGroupsChanged(tx)
    return id
  }, 'configuration')
}
