import pg from 'pg'
import type { Db, TransactionKind } from '../../src/platform/database/db.ts'
import type { Database } from '../../src/platform/database/tables.ts'
import type { Reply, World } from './world.ts'

type Request<Body = unknown> = () => Promise<Reply<Body>>

/**
 * Sends a request that writes, pauses it after authentication, before its transaction, and resumes it when `change` is done.
 */
export async function changedMeanwhile<Body>(
  world: World,
  write: Request<Body>,
  change: () => Promise<unknown>,
  kind: TransactionKind | 'none' = 'bugs',
): Promise<Reply<Body>> {
  const db = world.db as Db & Record<string, unknown>
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const { transaction } = db
  db.transaction = (async (...given: Parameters<Db['transaction']>) => {
    if ((given[1] ?? 'none') === kind) {
      db.transaction = transaction
      reached.resolve()
      await goOn.promise
    }
    return transaction.apply(db, given)
  }) as Db['transaction']
  const reply = write()
  try {
    await Promise.race([reached.promise, reply])
    // A write that is refused before it opens a transaction must not make the change wait in its place.
    db.transaction = transaction
    await change()
  } finally {
    db.transaction = transaction
    goOn.resolve()
  }
  return reply
}

/**
 * Sends `first` and pauses it at its write to the table, before the commit. Then sends `second`, and resumes both when `second` is
 * answered or waits for `first`. On SQLite, which has only one open transaction at a time, both are sent at once.
 */
export async function beforeCommit<First, Second>(
  world: World,
  table: keyof Database,
  first: Request<First>,
  second: Request<Second>,
): Promise<[Reply<First>, Reply<Second>]> {
  if (world.engine === 'sqlite') return Promise.all([first(), second()])
  // Within a transaction, PostgreSQL shows the same activity every time.
  const [holder, watcher] = [new pg.Client(world.databaseUrl), new pg.Client(world.databaseUrl)]
  try {
    await Promise.all([holder.connect(), watcher.connect()])
    await holder.query(`begin; lock table ${table} in share mode`)
    const one = first()
    const isFirstHeld = await settledOr(one, () => areWaiting(watcher, 1))
    const other = second()
    await settledOr(other, () => areWaiting(watcher, isFirstHeld ? 2 : 1))
    await holder.query('commit')
    return await Promise.all([one, other])
  } finally {
    await Promise.all([holder.end(), watcher.end()])
  }
}

/** Returns whether the request is still unanswered. */
async function settledOr(request: Promise<unknown>, isReached: () => Promise<boolean>): Promise<boolean> {
  let isSettled = false
  const settled = request.finally(() => (isSettled = true))
  settled.catch(() => {})
  while (!isSettled && !(await isReached())) await new Promise((resolve) => setTimeout(resolve, 2))
  return !isSettled
}

/** Whether this many connections wait for a lock of another one. */
async function areWaiting(client: pg.Client, count: number) {
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count >= count
}
