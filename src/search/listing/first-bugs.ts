import { sql } from 'kysely'
import type { LimitedDb } from '../../platform/database/db.ts'
import type { IdRange } from '../../platform/dialects/dialect.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import type { Condition } from '../conditions/conditions.ts'
import type { Search } from '../parsing/query.ts'

/** An order of bugs that an index has. */
export interface IndexedOrder {
  readonly column: 'id' | 'changed_at' | 'created_at'
  readonly descending: boolean
  /** Only those from here on. */
  readonly from: string | number | undefined
}

const COLUMNS: Readonly<Record<string, IndexedOrder['column']>> = dictionary({
  bug_id: 'id',
  changeddate: 'changed_at',
  delta_ts: 'changed_at',
  opendate: 'created_at',
  creation_ts: 'created_at',
})

/** What the search is sorted by first, if an index has it. */
export function indexedOrderOf(
  { order: [first] }: Search,
  from: string | number | undefined,
): IndexedOrder | undefined {
  const column = first === undefined ? 'id' : Object.hasOwn(COLUMNS, first.column) ? COLUMNS[first.column] : undefined
  return column && { column, descending: first?.descending ?? false, from }
}

/** The first bugs of all in some order: all that are alike in the column with the last of them are among them. */
export interface FirstBugs {
  readonly isAmong: Condition
  /** Where they follow one another. */
  readonly range?: IdRange
}

export async function firstBugs(db: LimitedDb, order: IndexedOrder, most: number): Promise<FirstBugs> {
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

async function lastOf(db: LimitedDb, { column, descending, from }: IndexedOrder, place: number) {
  const by = sql.ref<string | number>(`near.${column}`)
  const [row] = await db.querySlowly((q) => {
    let query = q.selectFrom('bugs as near').select(by.as('last'))
    if (from !== undefined) query = query.where(by, descending ? '<=' : '>=', from)
    return query
      .orderBy(by, descending ? 'desc' : 'asc')
      .limit(1)
      .offset(place)
  })
  return row?.last
}

/** The smallest and the largest id there is. */
export async function extentOf(db: LimitedDb): Promise<{ first: number; last: number }> {
  const [row] = await db.query((q) => ({
    compile: () =>
      sql<{ first: number | null; last: number | null }>`select (select min(id) from bugs) as first,
        (select max(id) from bugs) as last`.compile(q),
  }))
  return { first: row?.first ?? 1, last: row?.last ?? 0 }
}
