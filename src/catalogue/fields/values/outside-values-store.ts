import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { fold } from '../../../platform/text/fold.ts'
import { idIn } from '../../../platform/wire/reference.ts'
import type { OwnValueTable, ProductSpecific } from '../field.ts'

// Values of fields that have their own tables: classifications, products, components, versions and milestones.

export interface ProductValue {
  name: string
  product_id: number
  sort_key: number
  is_active: 0 | 1
}

type Products = { productIds: string }

const lists = {
  version: statement<Products>()((q, p, d) =>
    q
      .selectFrom('versions')
      .select(['name', 'product_id', 'sort_key', 'is_active'])
      .where('product_id', 'in', d.integersIn(p.productIds))
      .orderBy('sort_key')
      .orderBy('natural_key')
      .orderBy('product_id'),
  ),
  target_milestone: statement<Products>()((q, p, d) =>
    q
      .selectFrom('milestones')
      .select(['name', 'product_id', 'sort_key', 'is_active'])
      .where('product_id', 'in', d.integersIn(p.productIds))
      .orderBy('sort_key')
      .orderBy('name_key')
      .orderBy('product_id'),
  ),
  component: statement<Products>()((q, p, d) =>
    q
      .selectFrom('components')
      .select((row) => ['name', 'product_id', row.lit(0).as('sort_key'), 'is_active'])
      .where('product_id', 'in', d.integersIn(p.productIds))
      .orderBy('name_key')
      .orderBy('product_id'),
  ),
}

/** The versions, milestones or components of these products, ordered by sort key and name. */
export function listProductValues(
  db: Db,
  field: ProductSpecific,
  productIds: readonly number[],
): Promise<ProductValue[]> {
  return db.all(lists[field], { productIds: JSON.stringify(productIds) })
}

const componentsWithIds = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('components')
    .select(['id', 'name', 'product_id'])
    .where('id', 'in', d.integersIn(p.ids))
    .orderBy('name_key'),
)

export function listComponents(db: Db, ids: readonly number[]) {
  return db.all(componentsWithIds, { ids: JSON.stringify(ids) })
}

/** The values whose name or id is one of these. Several components may have the same name. */
export async function findOutsideValues(db: Db, table: OwnValueTable, refs: readonly string[]) {
  const keys = refs.map((ref) => fold(ref.trim()))
  const ids = refs.flatMap((ref) => idIn(ref) ?? [])
  return db.query((q, d) =>
    q
      .selectFrom(table)
      .select(['id', 'name'])
      .where((row) =>
        row.or([
          row('name_key', 'in', d.textsIn(JSON.stringify(keys))),
          row('id', 'in', d.integersIn(JSON.stringify(ids))),
        ]),
      )
      .orderBy('id'),
  )
}

export function outsideValuesWithIds(db: Db, table: OwnValueTable, ids: readonly number[]) {
  return db.query((q, d) =>
    q
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', d.integersIn(JSON.stringify(ids)))
      .orderBy('name_key'),
  )
}
