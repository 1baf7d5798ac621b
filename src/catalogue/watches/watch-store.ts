import { sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import type { SignedIn } from '../../access/caller.ts'
import { productConditions } from '../../access/visibility/visible-products.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Watch } from './watch.ts'

export type WatchContext = Pick<CallContext, 'db' | 'settings'> & { caller: SignedIn }

/** What the caller watches, by name, without products that they may not use any more. */
export async function listWatches({ db, settings, caller }: WatchContext): Promise<Watch[]> {
  const rows = await db.query((q, d) =>
    q
      .selectFrom('watches')
      .leftJoin('components', 'components.id', 'watches.component_id')
      .leftJoin('products', (join) =>
        join.on('products.id', '=', sql<number>`coalesce(watches.product_id, components.product_id)`),
      )
      .leftJoin('keywords', 'keywords.id', 'watches.keyword_id')
      .select(['watches.id', 'watches.component_id', 'watches.keyword_id', 'products.id as product_id'])
      .select(['products.name as product', 'components.name as component', 'keywords.name as keyword'])
      .where('watches.user_id', '=', caller.id)
      .where(sql<boolean>`(watches.keyword_id is not null or ${productConditions(d, caller, settings).isAccessible})`)
      .orderBy('products.name_key')
      .orderBy('components.name_key')
      .orderBy('keywords.name_key')
      .orderBy('watches.id'),
  )
  const named = (id: number | null, name: string | null) => (id === null || name === null ? undefined : { id, name })
  return rows.map((row) => ({
    id: row.id,
    product: named(row.product_id, row.product),
    component: named(row.component_id, row.component),
    keyword: named(row.keyword_id, row.keyword),
  }))
}

/** What is to be watched: one of the three. */
export interface Watched {
  productId: number | null
  componentId: number | null
  keywordId: number | null
}

const insert = statement<Watched & { userId: number }>()((q, p) =>
  q
    .insertInto('watches')
    .values({
      user_id: p.userId,
      product_id: p.productId,
      component_id: p.componentId,
      keyword_id: p.keywordId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

/** Undefined if the user watches it already. */
export async function insertWatch(tx: Db, userId: number, watched: Watched): Promise<number | undefined> {
  return (await tx.first(insert, { ...watched, userId }))?.id
}

const count = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('watches')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId),
)

export async function countWatches(db: Db, userId: number): Promise<number> {
  return Number((await db.first(count, { userId }))?.count ?? 0)
}

const ofProduct = statement<{ userId: number; productId: number }>()((q, p) =>
  q.selectFrom('watches').select('id').where('user_id', '=', p.userId).where('product_id', '=', p.productId),
)

export async function watchesProduct(db: Db, userId: number, productId: number): Promise<boolean> {
  return (await db.first(ofProduct, { userId, productId })) !== undefined
}

const deleteOfComponents = statement<{ userId: number; productId: number }>()((q, p) =>
  q
    .deleteFrom('watches')
    .where('user_id', '=', p.userId)
    .where('component_id', 'in', (own) =>
      own.selectFrom('components').select('components.id').where('components.product_id', '=', p.productId),
    ),
)

export async function deleteComponentWatches(tx: Db, userId: number, productId: number) {
  await tx.all(deleteOfComponents, { userId, productId })
}

const remove = statement<{ userId: number; id: number }>()((q, p) =>
  q.deleteFrom('watches').where('user_id', '=', p.userId).where('id', '=', p.id),
)

export async function deleteWatch(tx: Db, userId: number, id: number) {
  await tx.all(remove, { userId, id })
}
