import { type RawBuilder, sql } from 'kysely'
import { type Caller, isIn } from '../../access/caller.ts'
import type { CataloguePart } from '../../access/installation.ts'
import type { Membership } from '../../access/visibility/group-graph.ts'
import { conditionsFor } from '../../access/visibility/visible-products.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { BugProduct } from '../values/bug-places.ts'

/** A product that has bugs, and what its groups let the caller do with them. */
export interface ProductOfBugs extends BugProduct {
  isEditable: boolean
}

/** Written once for each of the two ways in which group controls can be read. */
const ofBugs = { true: productsOfBugs(true), false: productsOfBugs(false) }

function productsOfBugs(or_groups: boolean) {
  return statement<{ ids: string; groups: string }>()((q, p, d) => {
    const { isEditable, gives } = conditionsFor(d, { or_groups }, p.groups)
    return q
      .selectFrom('products')
      .select(['id', 'name', 'classification_id', 'has_unconfirmed', 'default_milestone_id'])
      .select([
        yesOrNo(isEditable).as('is_editable'),
        yesOrNo(gives('editbugs')).as('editbugs'),
        yesOrNo(gives('canconfirm')).as('canconfirm'),
      ])
      .where('id', 'in', d.integersIn(p.ids))
  })
}

function yesOrNo(condition: RawBuilder<boolean>) {
  return sql<0 | 1>`case when ${condition} then 1 else 0 end`
}

/** The products of these ids. */
export async function listProductsOfBugs(
  db: Db,
  caller: Caller,
  settings: Settings,
  ids: readonly number[],
): Promise<Map<number, ProductOfBugs>> {
  const groups = JSON.stringify([...caller.groups.ids])
  const rows = await db.all(ofBugs[`${settings.or_groups}`], { ids: JSON.stringify([...new Set(ids)]), groups })
  return new Map(
    rows.map(({ is_editable, editbugs, canconfirm, ...product }) => [
      product.id,
      {
        ...product,
        default_milestone_id: product.default_milestone_id ?? 0,
        isEditable: is_editable === 1,
        hasEditbugs: editbugs === 1 || isIn(caller, 'editbugs'),
        hasCanconfirm: canconfirm === 1 || isIn(caller, 'canconfirm'),
      },
    ]),
  )
}

/** What the groups of products let people do, as far as somebody asked already. */
export class ProductRights {
  private readonly known = new WeakMap<Membership, Map<string, ProductOfBugs>>()

  /** The products of these ids, where all of them are known. */
  of(caller: Caller, settings: Settings, ids: readonly number[]): ReadonlyMap<number, ProductOfBugs> | undefined {
    const known = this.knownTo(caller)
    const products = new Map<number, ProductOfBugs>()
    for (const id of ids) {
      const product = known.get(keyOf(settings, id))
      if (product === undefined) return undefined
      products.set(id, product)
    }
    return products
  }

  /** Only what was read in a transaction that has been committed: another may have seen rights that were never given. */
  note(caller: Caller, settings: Settings, products: readonly ProductOfBugs[]) {
    const known = this.knownTo(caller)
    for (const product of products) known.set(keyOf(settings, product.id), product)
  }

  /** People who are in the same groups may do the same. */
  private knownTo({ groups }: Caller) {
    const known = this.known.get(groups) ?? new Map<string, ProductOfBugs>()
    this.known.set(groups, known)
    return known
  }
}

function keyOf({ or_groups }: Settings, id: number) {
  return `${or_groups} ${id}`
}

/** They stay true until the catalogue changes. */
export const keptRights: CataloguePart<ProductRights> = { read: async () => new ProductRights() }
