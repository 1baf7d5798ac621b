import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { toTime } from '../../platform/time/clock.ts'
import { always, type Condition } from '../conditions/condition.ts'
import type { Query } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { isOpenName, matchingBugs } from './matching-bugs.ts'

/** The longest time, in days, of each group but the last. */
const GROUPS = [1, 7, 30, 91, 182, 365] as const

/** How old the bugs were that were open at a time, or are now. The bugs are those that match today. */
export async function countAges(context: SearchContext, query: Query, at: string | undefined) {
  const moment = at ?? toTime(context.now)
  const wasFiled: Condition = at === undefined ? always : sql`bugs.created_at <= ${at}`
  const isOpen = at === undefined ? sql`matching.is_open = 1` : wasOpenAt(context, at)
  const hours = await countHours(
    context,
    query,
    (dialect) =>
      sql`select ${dialect.hoursBetween(sql`matching.created_at`, sql`${moment}`)} as hours from matching where ${isOpen}`,
    wasFiled,
  )
  return { as_of: moment, ...presentHours(hours) }
}

/** The status at a time is what its first change afterwards removed. */
function wasOpenAt({ fields }: SearchContext, at: string) {
  return sql`coalesce((
    select case when ${isOpenName(fields, sql`bug_changes.removed`)} then 1 else 0 end from bug_changes
    where bug_changes.bug_id = matching.id and bug_changes.field = 'status' and bug_changes.at > ${at}
    order by bug_changes.id limit 1
  ), matching.is_open) = 1`
}

/** How long it took to close the bugs that are closed and were closed last in a period. Those without a recorded closing are left out. */
export async function countTimesToClose(context: SearchContext, query: Query, { from, to }: ClosingPeriod) {
  const { fields } = context
  const closing = sql`bug_changes.field = 'status' and ${isOpenName(fields, sql`bug_changes.removed`)}
    and not ${isOpenName(fields, sql`bug_changes.added`)}`
  const last = sql`select matching.created_at, max(bug_changes.at) as closed_at
    from matching cross join bug_changes
    where bug_changes.bug_id = matching.id and ${closing} and matching.is_open = 0 group by matching.id, matching.created_at`
  const hours = await countHours(
    context,
    query,
    (dialect) =>
      sql`select ${dialect.hoursBetween(sql`closings.created_at`, sql`closings.closed_at`)} as hours
      from (${last}) as closings
      where closings.closed_at >= ${`${from}T00:00:00Z`} and closings.closed_at <= ${`${to}T23:59:59Z`}`,
  )
  return { from, to, ...presentHours(hours) }
}

/** Both days are included. */
interface ClosingPeriod {
  readonly from: string
  readonly to: string
}

/** How many bugs have each number of hours. Long times are counted in whole days, so that their number is bounded. */
async function countHours(
  context: SearchContext,
  query: Query,
  hoursOf: (dialect: Dialect) => RawBuilder<unknown>,
  among: Condition = always,
): Promise<Map<number, number>> {
  const bugs = await matchingBugs(context, query, { among })
  const counted = new Map<number, number>()
  for (const range of bugs.ranges) {
    const rows = await context.db.querySlowly((q, dialect) => ({
      compile: () =>
        sql<{ hours: number; bugs: number | string }>`with matching as materialized (${bugs.rows(q, range, 'time')})
          select case when hours < ${LONG_HOURS} then hours else hours / 24 * 24 end as hours, count(*) as bugs
          from (${hoursOf(dialect)}) as times group by 1`.compile(q),
    }))
    for (const row of rows) counted.set(row.hours, (counted.get(row.hours) ?? 0) + Number(row.bugs))
  }
  return counted
}

const LONG_HOURS = 100 * 24

function presentHours(counted: ReadonlyMap<number, number>) {
  const sorted = [...counted].sort(([one], [other]) => one - other)
  const all = sorted.reduce((sum, [, bugs]) => sum + bugs, 0)
  const quantile = (share: number) => {
    let left = share * all
    for (const [hours, bugs] of sorted) {
      left -= bugs
      if (left <= 0) return hours
    }
    return null
  }
  const count = (from: number, to: number) =>
    sorted.reduce((sum, [hours, bugs]) => (hours >= from * 24 && hours < to * 24 ? sum + bugs : sum), 0)
  const groups = [...GROUPS, null].map((upTo, index) => ({
    up_to_days: upTo,
    bug_count: count(index === 0 ? Number.NEGATIVE_INFINITY : (GROUPS[index - 1] ?? 0), upTo ?? Infinity),
  }))
  const hours = { p25: quantile(0.25), p50: quantile(0.5), p75: quantile(0.75), p90: quantile(0.9) }
  return { groups, hours, bug_count: all }
}
