import { requireOwnRoom } from '../../access/own-limits.ts'
import { findProduct } from '../../access/visibility/visible-products.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { findComponentId } from '../components/component-store.ts'
import { getKeyword } from '../keywords/keyword-store.ts'
import { isOfKind, type Watch, type WatchKind } from './watch.ts'
import {
  countWatches,
  deleteComponentWatches,
  deleteWatch,
  insertWatch,
  listWatches,
  type WatchContext,
  type Watched,
  watchesProduct,
} from './watch-store.ts'

/** Watches components of a product, or all of it if none is named. Returns what the caller did not watch before. */
export function watchProduct(context: WatchContext, ref: string, components: readonly string[]): Promise<Watch[]> {
  return changeWatches(context, async (tx, userId) => {
    const product = await findProduct(tx, context.caller, context.settings, ref)
    if (product === undefined) throw errors.product_not_accessible({ ref })
    if (components.length === 0) {
      await deleteComponentWatches(tx, userId, product.id)
      return add(tx, userId, [{ ...NOTHING, productId: product.id }])
    }
    const watched: Watched[] = []
    for (const name of new Set(components)) {
      const componentId = await findComponentId(tx, product.id, name)
      if (componentId === undefined) throw errors.no_such_object({ what: 'component', ref: name })
      watched.push({ ...NOTHING, componentId })
    }
    return (await watchesProduct(tx, userId, product.id)) ? [] : add(tx, userId, watched)
  })
}

export function watchKeyword(context: WatchContext, ref: string): Promise<Watch[]> {
  return changeWatches(context, async (tx, userId) =>
    add(tx, userId, [{ ...NOTHING, keywordId: (await getKeyword(tx, ref)).id }]),
  )
}

const NOTHING: Watched = { productId: null, componentId: null, keywordId: null }

async function add(tx: Db, userId: number, watched: readonly Watched[]): Promise<number[]> {
  const before = await countWatches(tx, userId)
  const ids: number[] = []
  for (const it of watched) {
    const id = await insertWatch(tx, userId, it)
    if (id !== undefined) ids.push(id)
  }
  requireOwnRoom('watches', before, ids.length)
  return ids
}

/** Changes what belongs to users one after the other, and never while the catalogue changes. */
function changeWatches(
  context: WatchContext,
  change: (tx: Db, userId: number) => Promise<readonly number[]>,
): Promise<Watch[]> {
  return context.db.transaction(async (tx) => {
    const added = await change(tx, context.caller.id)
    return added.length === 0 ? [] : (await listWatches({ ...context, db: tx })).filter(({ id }) => added.includes(id))
  }, 'accounts')
}

/** Returns whether the caller had this watch and could see it. A hidden one ends too, and looks like one that is missing. */
export function endWatch(context: WatchContext, kind: WatchKind, id: number): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const seen = await listWatches({ ...context, db: tx })
    const watch = seen.find((it) => it.id === id)
    if (watch !== undefined && !isOfKind(kind, watch)) return false
    await deleteWatch(tx, context.caller.id, id)
    return watch !== undefined
  }, 'accounts')
}
