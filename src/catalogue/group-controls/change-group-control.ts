import { type Changes, recordAudit } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { releaseBugs, restrictBugs } from '../../changes/effects-on-bugs.ts'
import { type Grantor, readGrantor, requireMayGrant } from '../../people/grantor.ts'
import type { Group } from '../../people/groups/group.ts'
import { getGroups } from '../../people/groups/group-store.ts'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import type { Product } from '../products/product.ts'
import { type EditorContext, keyIn } from '../products/product-permissions.ts'
import { getProducts } from '../products/product-store.ts'
import { CONTROL, changedControl, type GroupControl, type WantedControl, wordedForm } from './group-control.ts'
import { groupControlRules } from './group-control-rules.ts'
import { getGroupControl, saveGroupControl } from './group-control-store.ts'

export interface GroupControlChange {
  group: Group
  changes: Changes
  bugsChanged: number
}

/** Changes how a product uses a group, and changes the bugs of the product accordingly. */
export async function changeGroupControl(
  context: EditorContext,
  who: number,
  productRef: string,
  groupRef: string,
  wanted: WantedControl,
): Promise<GroupControlChange> {
  return changeCatalogue(context.db, async (tx) => {
    const [product] = (await getProducts(tx, context, [keyIn(productRef)])) as [Product]
    const [group] = (await getGroups(tx, [groupRef])) as [Group]
    const before = await getGroupControl(tx, product.id, group.id)
    const after = changedControl(before, wanted)
    requireMayControl(await readGrantor(tx, who), group, before, after)
    enforce(groupControlRules, { group, after })
    await saveGroupControl(tx, product.id, group.id, after)
    const bugsChanged = await changeBugs(tx, who, { product, group, before, after })
    const changes = changesBetween(wordedForm(before), wordedForm(after))
    await recordAudit(tx, { who, class: 'GroupControl', objectId: product.id }, underName(group.name, changes))
    return { group, changes, bugsChanged }
  })
}

/**
 * Editors outside of admin control only groups that they are in or may bless, so that they cannot release bugs that they do not see. They
 * give only rights that they have in every product.
 */
export function requireMayControl(
  grantor: Grantor,
  group: Pick<Group, 'id' | 'name'>,
  before: GroupControl,
  after: GroupControl,
) {
  requireMayGrant(grantor, group)
  for (const right of ['editcomponents', 'editbugs', 'canconfirm'] as const) {
    const needed = [...grantor.graph.groups.values()].find(({ name }) => name === right)
    if (after[right] > before[right] && needed !== undefined) requireMayGrant(grantor, needed)
  }
}

/** A group that becomes mandatory is added to every bug of the product. A group that becomes NA for members is removed from all. */
async function changeBugs(
  tx: ConfigurationTransaction,
  who: number,
  { product, group, before, after }: { product: Product; group: Group; before: GroupControl; after: GroupControl },
): Promise<number> {
  if (before.membercontrol === after.membercontrol) return 0
  const by = { who, at: timeNow() }
  if (after.membercontrol === CONTROL.Mandatory) return restrictBugs(tx, by, [product.id], group)
  if (after.membercontrol === CONTROL.NA) return releaseBugs(tx, by, product.id, group)
  return 0
}

/** The audit log has the controls of all groups under their product, so each field gets the name of its group. */
export function underName(group: string, changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).map(([field, change]) => [`${group}.${field}`, change]))
}
