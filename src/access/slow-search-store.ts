import type { Db } from '../platform/database/db.ts'
import { insertRows } from '../platform/database/insert-rows.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { secondsAgo, toTime } from '../platform/time/clock.ts'

const MOST_STORED = 1_000
const MOST_LISTED = 20
const KEPT_SECONDS = 86_400

export interface StoredSlowSearch {
  at: string
  user_id: number | null
  path: string
  query: string
  milliseconds: number
}

const forgetOld = statement<{ before: string }>()((q, p) => q.deleteFrom('slow_searches').where('at', '<', p.before))
const forgetMost = statement<object>()((q) =>
  q
    .deleteFrom('slow_searches')
    .where('id', '<=', (row) =>
      row
        .selectFrom('slow_searches as newer')
        .select('newer.id')
        .orderBy('newer.id', 'desc')
        .limit(1)
        .offset(MOST_STORED),
    ),
)

const anonymised = statement<{ since: string }>()((q, p) =>
  q
    .selectFrom('audit_log')
    .select('id')
    .where('class', '=', 'User')
    .where('at', '>=', p.since)
    .where('field', '=', 'anonymised')
    .limit(1),
)
/** Longer than a user takes to leave, and more than the clocks of two machines differ. */
const LEAVING_MILLISECONDS = 60_000

/**
 * Stores them in place of the oldest. Only the last ones of a day are kept. None is stored if a user has left since the first of them: they may
 * name that user. The kind of the transaction keeps users from leaving meanwhile.
 */
export function storeSlowSearches(db: Db, rows: readonly StoredSlowSearch[]) {
  const first = Math.min(...rows.map(({ at }) => Date.parse(at)))
  return db.transaction(async (tx) => {
    if ((await tx.first(anonymised, { since: toTime(first - LEAVING_MILLISECONDS) })) !== undefined) return
    await insertRows(tx, 'slow_searches', rows)
    await tx.all(forgetOld, { before: secondsAgo(KEPT_SECONDS) })
    await tx.all(forgetMost, {})
  }, 'accounts')
}

const slowest = statement<{ since: string }>()((q, p) =>
  q
    .selectFrom('slow_searches')
    .leftJoin('users', 'users.id', 'slow_searches.user_id')
    .select((row) => [
      'slow_searches.path',
      'slow_searches.query',
      'users.login',
      row.fn.countAll<number>().as('times'),
      row.fn.max('slow_searches.milliseconds').as('slowest'),
      row.fn.max('slow_searches.at').as('last_at'),
    ])
    .where('slow_searches.at', '>=', p.since)
    .groupBy(['slow_searches.path', 'slow_searches.query', 'users.login'])
    .orderBy('slowest', 'desc')
    .orderBy('slow_searches.query')
    .limit(MOST_LISTED),
)

/** The slowest searches of the last day, each once for each user. */
export async function listSlowSearches(db: Db) {
  const rows = await db.all(slowest, { since: secondsAgo(KEPT_SECONDS) })
  return rows.map(({ path, query, login, times, slowest: milliseconds, last_at }) => ({
    ...{ path, query, user: login, times: Number(times), milliseconds: Number(milliseconds), last_at },
  }))
}
