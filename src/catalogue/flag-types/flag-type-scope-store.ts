import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { type ProductRef, productConditions } from '../../access/visibility/visible-products.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'

/** Finds the product by name only, even if it is a number. Throws the same error for a hidden and a missing product. */
export async function getProductNamed(db: Db, caller: Caller, settings: Settings, name: string): Promise<ProductRef> {
  const [found] = await db.query((q, d) =>
    q
      .selectFrom('products')
      .select(['id', 'name'])
      .where('name_key', '=', fold(name.trim()))
      .where(productConditions(d, caller, settings).isAccessible),
  )
  if (!found) throw errors.product_not_accessible({ ref: name })
  return found
}

const componentNamed = statement<{ productId: number; key: string }>()((q, p) =>
  q.selectFrom('components').select(['id', 'name']).where('product_id', '=', p.productId).where('name_key', '=', p.key),
)

export async function getComponentNamed(db: Db, product: ProductRef, name: string): Promise<ProductRef> {
  const found = await db.first(componentNamed, { productId: product.id, key: fold(name.trim()) })
  if (!found) throw errors.no_such_component_called({ product: product.name, name })
  return found
}

export interface ScopeProduct extends ProductRef {
  name_key: string
  /** 1 if the caller has editcomponents for it. */
  is_own: 0 | 1
}

/** Every product that the caller sees. */
export function listProductsWithRights(db: Db, caller: Caller, settings: Settings): Promise<ScopeProduct[]> {
  return db.query((q, d) => {
    const { isAccessible, grants } = productConditions(d, caller, settings)
    return q
      .selectFrom('products')
      .select(['id', 'name', 'name_key'])
      .select(sql<0 | 1>`case when ${grants('editcomponents')} then 1 else 0 end`.as('is_own'))
      .where(isAccessible)
      .orderBy('name_key')
  })
}

const componentsNamed = statement<{ productIds: string; keys: string }>()((q, p, d) =>
  q
    .selectFrom('components')
    .select(['id', 'product_id', 'name_key'])
    .where('product_id', 'in', d.integersIn(p.productIds))
    .where('name_key', 'in', d.textsIn(p.keys)),
)

/** Returns a function from a product id and the name of a component to the id of the component. */
export async function findComponents(db: Db, productIds: readonly number[], names: readonly string[]) {
  const keyOf = (productId: number, key: string) => `${productId} ${key}`
  const rows = await db.all(componentsNamed, {
    productIds: JSON.stringify([...new Set(productIds)]),
    keys: JSON.stringify([...new Set(names.map((name) => fold(name.trim())))]),
  })
  const ids = new Map(rows.map((row) => [keyOf(row.product_id, row.name_key), row.id]))
  return (productId: number, name: string) => ids.get(keyOf(productId, fold(name.trim())))
}

const componentsById = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('components')
    .select(['id', 'product_id', 'name'])
    .where('id', 'in', d.integersIn(p.ids))
    .orderBy('name_key'),
)

/** Names of components by id, ordered by name. */
export async function componentNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(componentsById, { ids: JSON.stringify(ids) })
  return new Map(rows.map((row) => [row.id, row.name]))
}
