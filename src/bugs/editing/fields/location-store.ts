import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'

const componentCc = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('component_cc')
    .innerJoin('users', 'users.id', 'component_cc.user_id')
    .select(['component_cc.component_id', 'users.id', 'users.login'])
    .where('component_cc.component_id', 'in', d.integersIn(p.ids)),
)

/** The default CC lists of these components. */
export function listComponentCc(tx: Db, componentIds: readonly number[]) {
  return tx.all(componentCc, { ids: JSON.stringify(componentIds) })
}

const defaults = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('components')
    .innerJoin('users as assignees', 'assignees.id', 'components.default_assignee_id')
    .leftJoin('users as qa_contacts', 'qa_contacts.id', 'components.default_qa_contact_id')
    .select([
      'components.id',
      'components.default_assignee_id as assignee_id',
      'assignees.login as assignee',
      'components.default_qa_contact_id as qa_contact_id',
      'qa_contacts.login as qa_contact',
    ])
    .where('components.id', 'in', d.integersIn(p.ids)),
)

/** The default assignees and QA contacts of these components. */
export function listComponentPeople(tx: Db, componentIds: readonly number[]) {
  return tx.all(defaults, { ids: JSON.stringify(componentIds) })
}

const counts = statement<{ productIds: string }>()((q, p, d) =>
  q
    .selectFrom('milestones')
    .select((milestone) => ['product_id', milestone.fn.countAll<number | string>().as('count')])
    .where('product_id', 'in', d.integersIn(p.productIds))
    .groupBy('product_id'),
)

/** The products among these that have more than one milestone. */
export async function productsWithMilestones(tx: Db, productIds: readonly number[]): Promise<Set<number>> {
  const rows = await tx.all(counts, { productIds: JSON.stringify(productIds) })
  return new Set(rows.filter(({ count }) => Number(count) > 1).map((row) => row.product_id))
}
