import { sql } from 'kysely'
import { bugsUnfiltered } from '../access/visibility/visible-bugs.ts'
import { CONTROL } from '../platform/database/coded-values.ts'
import type { ConfigurationTransaction } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { deleteBugs } from './delete-bugs.ts'
import type { BugChange } from './record-bug-changes.ts'
import { recordEffects } from './record-effects.ts'

/**
 * What a change of the configuration does to existing bugs. Each bug gets its line of history and its event, with a few
 * statements for any number of bugs.
 */

export interface ChangeOrigin {
  who: number
  at: string
}

interface Named {
  id: number
  name: string
}

const restrict = statement<{ productIds: string; groupId: number }>()((q, p, d) =>
  q
    .insertInto('bug_groups')
    .columns(['bug_id', 'group_id'])
    .expression(
      bugsUnfiltered(q, 'A group that becomes mandatory restricts every bug of the product.')
        .select(['bugs.id', sql<number>`cast(${p.groupId} as integer)`.as('group_id')])
        .where('bugs.product_id', 'in', d.integersIn(p.productIds))
        .where((bug) =>
          bug.not(
            bug.exists(
              bug
                .selectFrom('bug_groups')
                .select('bug_groups.bug_id')
                .whereRef('bug_groups.bug_id', '=', 'bugs.id')
                .where('bug_groups.group_id', '=', p.groupId),
            ),
          ),
        ),
    )
    .returning('bug_id'),
)

/** Restricts every bug of the products to the group. Returns how many were not restricted to it before. */
export async function restrictBugs(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  productIds: readonly number[],
  group: Named,
): Promise<number> {
  if (productIds.length === 0) return 0
  const rows = await tx.all(restrict, { productIds: JSON.stringify(productIds), groupId: group.id })
  const ids = rows.map((row) => row.bug_id)
  await noteChange(tx, by, ids, { field: 'groups', removed: '', added: group.name })
  return ids.length
}

const mandatoryIn = statement<{ groupId: number }>()((q, p) =>
  q
    .selectFrom('group_controls')
    .select('product_id')
    .where('group_id', '=', p.groupId)
    .where('member_control', '=', CONTROL.Mandatory),
)

/** A group that becomes active again restricts the bugs of the products in which it is mandatory. */
export async function restrictBugsWhereMandatory(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  group: Named,
): Promise<number> {
  const products = await tx.all(mandatoryIn, { groupId: group.id })
  return restrictBugs(
    tx,
    by,
    products.map((row) => row.product_id),
    group,
  )
}

const release = statement<{ productId: number; groupId: number }>()((q, p) =>
  q
    .deleteFrom('bug_groups')
    .where('group_id', '=', p.groupId)
    .where(
      'bug_id',
      'in',
      bugsUnfiltered(q, 'A group that a product no longer uses restricts none of its bugs.')
        .select('bugs.id')
        .where('bugs.product_id', '=', p.productId),
    )
    .returning('bug_id'),
)

/** Removes the group from all bugs of the product. Returns how many were restricted to it. */
export async function releaseBugs(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  productId: number,
  group: Named,
): Promise<number> {
  const rows = await tx.all(release, { productId, groupId: group.id })
  const ids = rows.map((row) => row.bug_id)
  await noteChange(tx, by, ids, { field: 'groups', removed: group.name, added: '' })
  return ids.length
}

const retarget = statement<{ from: number; to: number; at: string; most: number }>()((q, p) =>
  q
    .updateTable('bugs')
    .set((bug) => ({ milestone_id: p.to, changed_at: p.at, revision: bug('revision', '+', 1) }))
    .where('id', 'in', (bugs) => bugs.selectFrom('bugs').select('id').where('milestone_id', '=', p.from).limit(p.most))
    .returning('id'),
)
const RETARGETED_AT_ONCE = 1000

/** Moves bugs from one target milestone to another. Other requests are served between the statements. */
export async function retargetBugs(tx: ConfigurationTransaction, by: ChangeOrigin, from: Named, to: Named) {
  while ((await retargetSomeBugs(tx, by, from, to, RETARGETED_AT_ONCE)) > 0);
}

/** The same for at most so many. Returns how many. */
export async function retargetSomeBugs(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  from: Named,
  to: Named,
  most: number,
): Promise<number> {
  const bugs = await tx.all(retarget, { from: from.id, to: to.id, at: by.at, most })
  const ids = bugs.map(({ id }) => id)
  await noteChange(tx, by, ids, { field: 'target_milestone', removed: from.name, added: to.name }, new Set(ids))
  return ids.length
}

async function noteChange(
  tx: ConfigurationTransaction,
  { who, at }: ChangeOrigin,
  bugIds: readonly number[],
  change: Omit<BugChange, 'bugId'>,
  touched?: ReadonlySet<number>,
) {
  const changes = bugIds.map((bugId) => ({ bugId, ...change }))
  await recordEffects(tx, who, changes, at, touched)
}

const ofProduct = statement<{ id: number; most: number }>()((q, p) =>
  bugsUnfiltered(q, 'A product that is deleted takes its bugs along.')
    .select('bugs.id')
    .where('bugs.product_id', '=', p.id)
    .limit(p.most),
)
const ofComponent = statement<{ id: number; most: number }>()((q, p) =>
  bugsUnfiltered(q, 'A component that is deleted takes its bugs along.')
    .select('bugs.id')
    .where('bugs.component_id', '=', p.id)
    .limit(p.most),
)

/** Deletes bugs of a product, all or at most so many. Returns how many. */
export async function deleteBugsOfProduct(tx: ConfigurationTransaction, who: number, id: number, most = ALL) {
  return deleteThose(tx, who, await tx.all(ofProduct, { id, most }))
}

export async function deleteBugsOfComponent(tx: ConfigurationTransaction, who: number, id: number, most = ALL) {
  return deleteThose(tx, who, await tx.all(ofComponent, { id, most }))
}

const ALL = 2 ** 31 - 1

async function deleteThose(tx: ConfigurationTransaction, who: number, bugs: readonly { id: number }[]) {
  await deleteBugs(
    tx,
    who,
    bugs.map(({ id }) => id),
  )
  return bugs.length
}
