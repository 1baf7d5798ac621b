import { sql } from 'kysely'
import type { LimitedDb } from '../../platform/database/db.ts'
import type { IdRange } from '../../platform/dialects/dialect.ts'
import { bugsWith, compile } from '../conditions/compile.ts'
import type { Condition } from '../conditions/condition.ts'
import { allOf } from '../conditions/conditions.ts'
import type { Search } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { FIRST_BUGS_TESTED, FIRST_BUGS_TESTED_FOR_WORDS, FIRST_BUGS_TESTED_UNCOUNTED } from '../thresholds.ts'
import type { IndexedOrder } from './indexed-order.ts'
import { listIds, MOST, type ResultPage } from './list-ids.ts'
import type { SortKey } from './order.ts'
import type { FirstBugs } from './search-plan.ts'

/** The page, if the first bugs of the whole table fill it. */
export async function listFirstBugs(
  context: SearchContext,
  search: Search,
  page: ResultPage,
  keys: readonly SortKey[],
  { condition, texts, order }: FirstBugs,
): Promise<number[] | undefined> {
  const { limit = MOST } = page
  const areTestedForWords = texts.common.size > 0 && order.column !== 'id'
  for (const most of areTestedForWords ? FIRST_BUGS_TESTED_FOR_WORDS : FIRST_BUGS_TESTED) {
    const { isAmong, range } = await firstBugs(context.db, order, most)
    const holds = range ? await compile(context, search.where, { ...texts, range }) : condition
    const ids = await listIds(context, bugsWith(context, allOf([isAmong, holds])), keys, page)
    if (ids.length > limit) return ids
  }
  return undefined
}

/** The same before anything is counted. More bugs are tested while the ones before make it likely that they fill the page. */
export async function listFirstUncounted(
  context: SearchContext,
  page: ResultPage,
  keys: readonly SortKey[],
  { condition, order }: FirstBugs,
): Promise<number[] | undefined> {
  const { limit = MOST, offset = 0 } = page
  let share = 1
  for (const most of FIRST_BUGS_TESTED_UNCOUNTED) {
    if (share * most < limit + offset) return undefined
    const ids = await listIds(context, bugsWith(context, allOf([isAmongFirst(order, most), condition])), keys, page)
    if (ids.length > limit) return ids
    share = ids.length === 0 ? 0 : (ids.length + offset) / most
  }
  return undefined
}

/** Never more: an import can have given all bugs the same time. */
function isAmongFirst({ column, descending, from }: IndexedOrder, most: number): Condition {
  const by = sql.ref(`near.${column}`)
  const isAfter = from === undefined ? sql`` : descending ? sql`where ${by} <= ${from}` : sql`where ${by} >= ${from}`
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const tied = column === 'id' ? sql`` : sql`, near.id`
  return sql<boolean>`bugs.id in (select near.id from bugs as near ${isAfter} order by ${by} ${direction}${tied} limit ${most})`
}

/** The first bugs of all in an order, with all bugs that have the same value as the last of them. */
interface FirstOfAll {
  readonly isAmong: Condition
  /** Their ids, where these follow one another. */
  readonly range?: IdRange
}

async function firstBugs(db: LimitedDb, order: IndexedOrder, most: number): Promise<FirstOfAll> {
  const last = await lastOf(db, order, most)
  const { column, descending } = order
  if (column === 'id') {
    const from = Number(order.from ?? (descending ? LARGEST : 0))
    const range = descending ? { from: Number(last ?? 0), to: from } : { from, to: Number(last ?? LARGEST) }
    return { isAmong: sql`(bugs.id >= ${range.from} and bugs.id <= ${range.to})`, range }
  }
  if (last === undefined) return { isAmong: sql`1 = 1` }
  const near = sql.ref(`near.${column}`)
  const isNear = descending ? sql`${near} >= ${last}` : sql`${near} <= ${last}`
  return { isAmong: sql`bugs.id in (select near.id from bugs as near where ${isNear})` }
}

const LARGEST = 2 ** 31 - 1

/** The value of a bug after so many others; undefined if there are fewer. */
export async function lastOf(db: LimitedDb, { column, descending, from }: IndexedOrder, offset: number) {
  const by = sql.ref<string | number>(`near.${column}`)
  const [row] = await db.querySlowly((q) => {
    let query = q.selectFrom('bugs as near').select(by.as('last'))
    if (from !== undefined) query = query.where(by, descending ? '<=' : '>=', from)
    return query
      .orderBy(by, descending ? 'desc' : 'asc')
      .limit(1)
      .offset(offset)
  })
  return row?.last
}
