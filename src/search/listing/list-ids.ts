import { sql } from 'kysely'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { errors } from '../../platform/errors.ts'
import type { bugsWith } from '../conditions/compile.ts'
import type { Condition } from '../conditions/condition.ts'
import { allOf, anyOf } from '../conditions/conditions.ts'
import type { SearchContext } from '../search-context.ts'
import type { SortKey } from './order.ts'

/** Which of the matching bugs are requested. Without a limit, all of them. */
export interface ResultPage {
  readonly limit: number | undefined
  readonly offset: number | undefined
  /** Only bugs after this position. */
  readonly after: SortPosition | undefined
}

/** The position of a bug in the order: the values of all sort keys, with the id at the end. */
export type SortPosition = readonly (string | number)[]

export type Bugs = ReturnType<typeof bugsWith>

/** For a page with a limit, one id more than the limit, if there are more. */
export async function listIds(
  context: SearchContext,
  bugs: Bugs,
  keys: readonly SortKey[],
  page: ResultPage,
): Promise<number[]> {
  const rows = (builder: Builder) => {
    let query = withJoins(bugs(builder), keys).select(sql<number>`bugs.id`.as('value'))
    if (page.after) query = query.where(comesAfter(keys, page.after))
    for (const { by, descending } of keys) query = query.orderBy(by, descending ? 'desc' : 'asc')
    if (page.limit !== undefined) query = query.limit(Math.min(page.limit, MOST) + 1)
    return page.limit === undefined || page.offset === undefined ? query : query.offset(page.offset)
  }
  // As one JSON text: rows with one number each would take ten times as much time and memory.
  const [found] = await context.db.querySlowly((q, d) => q.selectNoFrom(d.jsonListOf(sql`${rows(q)}`).as('ids')))
  return JSON.parse(found?.ids ?? '[]') as number[]
}

/** The query with the rows that its sort keys read. */
export function withJoins<Query extends ReturnType<Bugs>>(query: Query, keys: readonly SortKey[]): Query {
  const joins = new Map(keys.flatMap(({ join }) => (join === undefined ? [] : [[join.alias, join]])))
  let joined: ReturnType<Bugs> = query
  for (const { rows, alias, id } of joins.values())
    joined = joined.leftJoin(rows.as(alias), (row) => row.on(sql<boolean>`${sql.ref(`${alias}.id`)} = ${id}`))
  return joined as Query
}

/** More than the number of bugs in any database, and small enough for the engines. */
export const MOST = 2 ** 31

/** Whether a bug comes after a position: the first sort key in which they differ decides. */
function comesAfter(keys: readonly SortKey[], position: SortPosition): Condition {
  requirePositionIn(keys, position)
  const differsFirstAt = keys.map(({ by, descending }, at) =>
    allOf([
      ...keys.slice(0, at).map((before, earlier) => sql<boolean>`${before.by} = ${position[earlier]}`),
      descending ? sql<boolean>`${by} < ${position[at]}` : sql<boolean>`${by} > ${position[at]}`,
    ]),
  )
  return anyOf(differsFirstAt)
}

export function requirePositionIn(keys: readonly SortKey[], position: SortPosition) {
  if (position.length !== keys.length || !keys.every(({ kind }, at) => fits(kind, position[at])))
    throw errors.bad_value({
      name: 'cursor',
      value: position,
      right: 'it must be the next_cursor of an earlier answer',
    })
}

function fits(kind: SortKey['kind'], value: string | number | undefined) {
  return kind === 'text' ? typeof value === 'string' : typeof value === 'number' && Math.abs(value) < MOST
}
