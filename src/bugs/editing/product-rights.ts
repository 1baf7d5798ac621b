import { type RawBuilder, sql } from 'kysely'
import { type Caller, isIn } from '../../access/caller.ts'
import type { CataloguePart } from '../../access/installation.ts'
import type { Membership } from '../../access/visibility/group-graph.ts'
import { conditionsFor } from '../../access/visibility/visible-products.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { BugProduct } from '../values/bug-location.ts'

/** A product of bugs, and what its group controls let the caller do with them. */
export interface ProductOfBugs extends BugProduct {
  isEditable: boolean
}

/** One statement for each value of the parameter or_groups. */
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

/** The products with these ids, with the rights of the caller. */
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

/** A cache of the rights that group controls of products give to callers. */
export class ProductRights {
  private readonly known = new WeakMap<Membership, Map<string, ProductOfBugs>>()

  /** The products with these ids, or undefined if one is not in the cache. */
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

  /** Takes only products that a committed transaction has read: one that was rolled back may have seen uncommitted rights. */
  note(caller: Caller, settings: Settings, products: readonly ProductOfBugs[]) {
    const known = this.knownTo(caller)
    for (const product of products) known.set(keyOf(settings, product.id), product)
  }

  /** Users in the same groups have the same rights, so the cache is keyed by membership. */
  private knownTo({ groups }: Caller) {
    const known = this.known.get(groups) ?? new Map<string, ProductOfBugs>()
    this.known.set(groups, known)
    return known
  }
}

function keyOf({ or_groups }: Settings, id: number) {
  return `${or_groups} ${id}`
}

/** Kept until the catalogue changes. */
export const keptRights: CataloguePart<ProductRights> = { read: async () => new ProductRights() }
