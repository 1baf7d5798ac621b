import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { type GroupControl, isUsed, NO_CONTROL } from './group-control.ts'

const COLUMNS = [
  'group_controls.entry',
  'group_controls.member_control as membercontrol',
  'group_controls.other_control as othercontrol',
  'group_controls.canedit',
  'group_controls.editcomponents',
  'group_controls.editbugs',
  'group_controls.canconfirm',
] as const

const ofProduct = statement<{ productId: number }>()((q, p) =>
  q
    .selectFrom('group_controls')
    .innerJoin('groups', 'groups.id', 'group_controls.group_id')
    .select(['groups.id', 'groups.name'])
    .select(COLUMNS)
    .where('group_controls.product_id', '=', p.productId)
    .orderBy('groups.name_key'),
)
const ofGroup = statement<{ productId: number; groupId: number }>()((q, p) =>
  q
    .selectFrom('group_controls')
    .select(COLUMNS)
    .where('product_id', '=', p.productId)
    .where('group_id', '=', p.groupId),
)

/** The group controls of the product with the id and name of their groups, ordered by name. */
export function listGroupControls(db: Db, productId: number) {
  return db.all(ofProduct, { productId })
}

export async function getGroupControl(db: Db, productId: number, groupId: number): Promise<GroupControl> {
  return (await db.first(ofGroup, { productId, groupId })) ?? NO_CONTROL
}

const remove = statement<{ productId: number; groupId: number }>()((q, p) =>
  q.deleteFrom('group_controls').where('product_id', '=', p.productId).where('group_id', '=', p.groupId),
)
const insert = statement<GroupControl & { productId: number; groupId: number }>()((q, p) =>
  q.insertInto('group_controls').values({
    product_id: p.productId,
    group_id: p.groupId,
    entry: p.entry,
    member_control: p.membercontrol,
    other_control: p.othercontrol,
    canedit: p.canedit,
    editcomponents: p.editcomponents,
    editbugs: p.editbugs,
    canconfirm: p.canconfirm,
  }),
)

/** A group that the product does not use has no row. */
export async function saveGroupControl(tx: Db, productId: number, groupId: number, control: GroupControl) {
  await tx.all(remove, { productId, groupId })
  if (isUsed(control)) await tx.all(insert, { ...control, productId, groupId })
}
