import {
  noteCatalogueChanged,
  noteGroupsChanged,
  noteParametersChanged,
  readSettings,
} from '../../access/installation.ts'
import { type Changes, recordAudit } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { restrictBugsWhereMandatory } from '../../changes/effects-on-bugs.ts'
import { definitionOf } from '../../platform/config/settings.ts'
import { withRenamedGroup } from '../../platform/config/sign-in-providers.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { type Grantor, readGrantor, requireMayGrant } from '../grantor.ts'
import { deriveMembersOfGroup } from '../group-grants.ts'
import { keepingAnAdministrator } from '../last-administrator.ts'
import { changeGroupGrants } from './change-group-grants.ts'
import type { GroupGrantChanges } from './create-group.ts'
import { type Group, groupRules } from './group.ts'
import { getGroups, updateGroup } from './group-store.ts'

export interface RequestedGroupChanges extends GroupGrantChanges {
  name: string | undefined
  description: string | undefined
  user_regexp: string | undefined
  is_active: boolean | undefined
  icon_url: string | undefined
}

/** Makes the same change to several groups. If it is refused for one, none is changed. */
export async function updateGroups(db: Db, who: number, refs: readonly string[], requested: RequestedGroupChanges) {
  return db.transaction(async (tx) => {
    const groups = await getGroups(tx, refs)
    if (groups.length > 1 && requested.name !== undefined) throw errors.one_at_a_time({ name: 'name', what: 'group' })
    const grantor = await readGrantor(tx, who)
    const updated = await keepingAnAdministrator(tx, async () => {
      const updated = []
      for (const group of groups)
        updated.push({ id: group.id, changes: await updateOne(tx, grantor, group, requested) })
      return updated
    })
    await noteGroupsChanged(tx)
    return updated
  }, 'configuration')
}

async function updateOne(
  tx: ConfigurationTransaction,
  grantor: Grantor,
  before: Group,
  requested: RequestedGroupChanges,
): Promise<Changes> {
  const after = edited(before, requested)
  const who = grantor.id
  enforce(groupRules, { before, after })
  if (changesRights(before, after, requested)) requireMayGrant(grantor, before)
  await updateGroup(tx, after)
  if (after.user_regexp !== before.user_regexp) await deriveMembersOfGroup(tx, before.id, after.user_regexp)
  if (after.is_active > before.is_active) await restrictBugsAgain(tx, who, after)
  if (after.name !== before.name) await renameInParameters(tx, who, before.name, after.name)
  const changes = {
    ...changesBetween(visibleForm(before), visibleForm(after)),
    ...(await changeGroupGrants(tx, before.id, requested)),
  }
  await recordAudit(tx, { who, class: 'Group', objectId: before.id }, changes)
  return changes
}

/**
 * Whether it changes who has the rights of the group, or whether new bugs can be restricted to it. Its name counts too: the mappings of
 * providers name groups, and another group could take the name.
 */
function changesRights(
  before: Group,
  after: Group,
  { member_groups, bless_groups, visible_groups }: GroupGrantChanges,
) {
  const hasGrants = [member_groups, bless_groups, visible_groups].some((change) => change !== undefined)
  const isRenamed = after.name !== before.name
  return hasGrants || isRenamed || after.user_regexp !== before.user_regexp || after.is_active !== before.is_active
}

/** While the group was inactive, bugs of products in which it is mandatory were filed without it. */
async function restrictBugsAgain(tx: ConfigurationTransaction, who: number, group: Group) {
  await noteCatalogueChanged(tx)
  await restrictBugsWhereMandatory(tx, { who, at: timeNow() }, group)
}

function edited(before: Group, requested: RequestedGroupChanges): Group {
  return {
    ...before,
    name: requested.name === undefined ? before.name : requested.name.trim(),
    description: requested.description === undefined ? before.description : requested.description.trim(),
    user_regexp: requested.user_regexp === undefined ? before.user_regexp : requested.user_regexp.trim(),
    is_active: requested.is_active === undefined ? before.is_active : requested.is_active ? 1 : 0,
    icon_url: requested.icon_url === undefined ? before.icon_url : requested.icon_url.trim() || null,
  }
}

function visibleForm({ name, description, user_regexp, is_active, icon_url }: Group) {
  return { name, description, user_regexp, is_active, icon_url }
}

const groupParameters = statement<{ value: string }>()((q, p) =>
  q.selectFrom('parameters').select('name').where('value', '=', p.value),
)
const setParameter = statement<{ name: string; value: string }>()((q, p) =>
  q.updateTable('parameters').set({ value: p.value }).where('name', '=', p.name),
)

/** Parameters whose value is the name of the group, and mappings of providers, get its new name. */
async function renameInParameters(tx: ConfigurationTransaction, who: number, from: string, to: string) {
  const holding = (await tx.all(groupParameters, { value: from })).filter(({ name }) => definitionOf(name)?.isGroup)
  for (const { name } of holding) await tx.all(setParameter, { name, value: to })
  const { sign_in_providers: providers } = await readSettings(tx)
  const mapped = withRenamedGroup(providers, from, to)
  if (mapped !== providers) await tx.all(setParameter, { name: 'sign_in_providers', value: mapped })
  const changes = Object.fromEntries(holding.map(({ name }) => [name, { removed: from, added: to }]))
  await recordAudit(tx, { who, class: 'Parameter', objectId: 0 }, changes)
  if (holding.length > 0 || mapped !== providers) await noteParametersChanged(tx)
}
