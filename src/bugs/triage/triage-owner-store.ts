import type { RawBuilder } from 'kysely'
import type { LimitedDb } from '../../platform/database/db.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'

/** The components of the products for which the condition holds, by product and name. */
export function listComponentsWithProducts(db: LimitedDb, isSeen: (dialect: Dialect) => RawBuilder<boolean>) {
  return db.querySlowly((q, d) =>
    q
      .selectFrom('components')
      .innerJoin('products', 'products.id', 'components.product_id')
      .select(['components.id', 'components.name', 'products.name as product'])
      .where(isSeen(d))
      .orderBy('products.name_key')
      .orderBy('components.name_key'),
  )
}
