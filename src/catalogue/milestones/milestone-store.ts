import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { onForeignKeyViolation } from '../on-foreign-key-violation.ts'
import type { Milestone, MilestoneEdit } from './milestone.ts'

/** A milestone and the product it belongs to. */
export interface MilestoneRow extends Milestone {
  product_id: number
}

const ofProducts = statement<{ productIds: string }>()((q, p, d) =>
  q
    .selectFrom('milestones')
    .select(['id', 'product_id', 'name', 'sort_key', 'is_active'])
    .where('product_id', 'in', d.integersIn(p.productIds))
    .orderBy('sort_key')
    .orderBy('name_key'),
)
const byKey = statement<{ productId: number; key: string }>()((q, p) =>
  q
    .selectFrom('milestones')
    .select(['id', 'product_id', 'name', 'sort_key', 'is_active'])
    .where('product_id', '=', p.productId)
    .where('name_key', '=', p.key),
)

/** The milestones of these products, ordered by sort key and name. */
export function listMilestones(db: Db, productIds: readonly number[]): Promise<MilestoneRow[]> {
  return db.all(ofProducts, { productIds: JSON.stringify(productIds) })
}

export function findMilestone(db: Db, productId: number, name: string): Promise<MilestoneRow | undefined> {
  return db.first(byKey, { productId, key: fold(name.trim()) })
}

export async function getMilestone(db: Db, productId: number, name: string): Promise<MilestoneRow> {
  const found = await findMilestone(db, productId, name)
  if (!found) throw errors.no_such_object({ what: 'milestone', ref: name })
  return found
}

const insert = statement<MilestoneEdit & { key: string; productId: number }>()((q, p) =>
  q
    .insertInto('milestones')
    .values({
      product_id: p.productId,
      name: p.name,
      name_key: p.key,
      sort_key: p.sort_key,
      is_active: p.is_active,
    })
    .returning('id'),
)
const update = statement<Milestone & { key: string }>()((q, p) =>
  q
    .updateTable('milestones')
    .set({
      name: p.name,
      name_key: p.key,
      sort_key: p.sort_key,
      is_active: p.is_active,
    })
    .where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('milestones').where('id', '=', p.id))

export async function insertMilestone(tx: Db, productId: number, milestone: MilestoneEdit): Promise<number> {
  const row = await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'milestone', name: milestone.name }),
    () => tx.first(insert, { ...milestone, key: fold(milestone.name), productId }),
  )
  return row?.id as number
}

export async function updateMilestone(tx: Db, milestone: Milestone) {
  await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'milestone', name: milestone.name }),
    () => tx.all(update, { ...milestone, key: fold(milestone.name) }),
  )
}

export async function deleteMilestone(tx: Db, { id, name }: Milestone) {
  await onForeignKeyViolation(tx, `The milestone ${name}`, () => tx.all(remove, { id }))
}
