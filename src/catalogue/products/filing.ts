import { sql } from 'kysely'
import { isSignedIn } from '../../access/caller.ts'
import { isTimeTracker } from '../../access/visibility/reader-rights.ts'
import { productConditions } from '../../access/visibility/visible-products.ts'
import { CONTROL, controlFor } from '../group-controls/group-control.ts'
import type { EditorContext } from './product-permissions.ts'

/** What the caller can choose for a new bug of a product. */
export interface FilingOptions {
  groups: { name: string; description: string; use: GroupUse }[]
  can_edit: boolean
  can_confirm: boolean
  can_track_time: boolean
}

/** How a group applies to the bugs that the caller files: they may add it, it is added unless they choose, or always. */
export const GROUP_USES = ['optional', 'default', 'mandatory'] as const
type GroupUse = (typeof GROUP_USES)[number]

/** By product. Products in which the caller cannot file bugs are left out. */
export async function listFilingOptions(
  context: EditorContext,
  productIds: readonly number[],
): Promise<Map<number, FilingOptions>> {
  const { caller, settings } = context
  if (!isSignedIn(caller)) return new Map()
  const products = await listRights(context, productIds)
  const groups = await groupsFor(
    context,
    products.map(({ id }) => id),
  )
  return new Map(
    products.map(({ id, can_edit, can_confirm }) => [
      id,
      {
        groups: groups.get(id) ?? [],
        can_edit: can_edit === 1,
        can_confirm: can_confirm === 1,
        can_track_time: isTimeTracker(caller, settings),
      },
    ]),
  )
}

function listRights({ db, caller, settings }: EditorContext, productIds: readonly number[]) {
  return db.query((q, d) => {
    const { isEnterable, grants } = productConditions(d, caller, settings)
    return q
      .selectFrom('products')
      .select('products.id')
      .select(sql<number>`case when ${grants('editbugs')} then 1 else 0 end`.as('can_edit'))
      .select(sql<number>`case when ${grants('canconfirm')} then 1 else 0 end`.as('can_confirm'))
      .where('products.id', 'in', d.integersIn(JSON.stringify(productIds)))
      .where(isEnterable)
  })
}

async function groupsFor({ db, caller }: EditorContext, productIds: readonly number[]) {
  const controls = await db.query((q, d) =>
    q
      .selectFrom('group_controls')
      .innerJoin('groups', 'groups.id', 'group_controls.group_id')
      .select(['product_id', 'groups.id', 'groups.name', 'groups.description', 'member_control', 'other_control'])
      .where('product_id', 'in', d.integersIn(JSON.stringify(productIds)))
      .where('groups.is_bug_group', '=', 1)
      .where('groups.is_active', '=', 1)
      .where('member_control', '<>', CONTROL.NA)
      .orderBy('groups.name_key'),
  )
  const usable = controls.filter((group) => controlFor(group, caller.groups) !== CONTROL.NA)
  const byProduct = Map.groupBy(usable, ({ product_id }) => product_id)
  return new Map(
    [...byProduct].map(([id, own]) => [
      id,
      own.map((group) => {
        const use = GROUP_USES[controlFor(group, caller.groups) - CONTROL.Shown] as GroupUse
        return { name: group.name, description: group.description, use }
      }),
    ]),
  )
}
