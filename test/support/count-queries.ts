import { subscribe } from 'node:diagnostics_channel'
import type { Db, TransactionKind } from '../../src/platform/database/db.ts'
import type { Statement } from '../../src/platform/database/statements/statement.ts'
import { currentRequest } from './background-work.ts'
import type { World } from './world.ts'

/** Background work has no request; what an earlier request has left running belongs to that one. */
let begun = new Set<object>()
subscribe('http.server.request.start', () => {
  const one = {}
  begun.add(one)
  currentRequest.enterWith(one)
})

const READS = ['all', 'first', 'query', 'querySlowly', 'allOfFewRows'] as const
const WATCHED: readonly string[] = [...READS, 'transaction', 'freshness']

/** The number of statements of `work` without other activity: the smallest of several runs. */
export async function countQueries(world: World, work: () => Promise<unknown>): Promise<number> {
  const counts = []
  for (let times = 0; times < 4; times++) counts.push(await countOnce(world, work))
  const least = Math.min(...counts)
  if (least === 0) throw new Error('Nothing was asked of the database, so nothing was counted')
  return least
}

async function countOnce(world: World, work: () => Promise<unknown>): Promise<number> {
  const { db } = world
  let count = 0
  begun = new Set()
  const restore = watch(db, () => count++)
  try {
    await work()
    return count
  } finally {
    restore()
  }
}

/** Reports every statement, also in transactions, until it is stopped. */
function watch(db: Db, note: () => void): () => void {
  const watched = db as Db & Record<string, unknown>
  const before = Object.entries(watched).filter(([name]) => WATCHED.includes(name))
  for (const read of READS) {
    const original = watched[read] as (...given: unknown[]) => unknown
    watched[read] = ((...given: unknown[]) => {
      if (isAskedFor()) note()
      return original.apply(db, given)
    }) as never
  }
  // As with several servers: no rows are kept in memory, and no response is cached.
  watched.freshness = () => undefined
  const { transaction } = db
  watched.transaction = ((
    work: (tx: Db, opened: unknown) => Promise<unknown>,
    ...more: [TransactionKind?, Statement<object, unknown>?]
  ) =>
    transaction.call(
      db,
      (tx: Db, opened: unknown) => {
        if (tx !== db) watch(tx, note)
        return work(tx, opened)
      },
      ...more,
    )) as Db['transaction']
  return () => {
    for (const method of WATCHED) delete watched[method]
    Object.assign(watched, Object.fromEntries(before))
  }
}

/** Mail, webhooks and cleanup run in the background, independent of requests. */
function isAskedFor() {
  const now = currentRequest.getStore()
  return now !== undefined && begun.has(now)
}
