import { noteGroupsChanged, readSettings } from '../../access/installation.ts'
import { recordRemoval } from '../../changes/audit.ts'
import { definitionOf, settingNames } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { readGrantor, requireMayGrant } from '../grantor.ts'
import { keepingAnAdministrator } from '../last-administrator.ts'
import type { Group } from './group.ts'
import { deleteGroup, getGroups, hasDirectMembers } from './group-store.ts'

export async function removeGroup(db: Db, who: number, ref: string): Promise<Group> {
  return db.transaction(async (tx) => {
    const group = (await getGroups(tx, [ref]))[0] as Group
    const settings = await readSettings(tx)
    const parameter = settingNames.find((name) => definitionOf(name)?.isGroup && settings[name] === group.name)
    if (group.is_system === 1) throw errors.system_group_kept({ group: group.name })
    if (parameter !== undefined) throw errors.group_in_parameter({ group: group.name, setting: parameter })
    requireMayGrant(await readGrantor(tx, who), group)
    if (await hasDirectMembers(tx, group.id)) throw errors.group_has_members({ group: group.name })
    await keepingAnAdministrator(tx, () => deleteGroup(tx, group))
    await recordRemoval(tx, { who, class: 'Group', objectId: group.id }, group.name)
    await noteGroupsChanged(tx)
    return group
  }, 'configuration')
}
