import { noteGroupsChanged } from '../../access/installation.ts'
import { recordAudit, recordCreation } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import type { ListChange } from '../../platform/wire/params.ts'
import { readGrantor } from '../grantor.ts'
import { deriveMembersOfGroup, grantDirectly } from '../group-grants.ts'
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
    if (who !== null) await letCreatorBless(tx, who, id)
    if (grants) await recordAudit(tx, { who, class: 'Group', objectId: id }, await changeGroupGrants(tx, id, grants))
    await noteGroupsChanged(tx)
    return id
  }, 'configuration')
}

/** Otherwise only members of admin could decide later who is in the group. */
async function letCreatorBless(tx: Db, who: number, groupId: number) {
  const { isAdministrator } = await readGrantor(tx, who)
  if (!isAdministrator) await grantDirectly(tx, who, groupId, 'bless')
}
