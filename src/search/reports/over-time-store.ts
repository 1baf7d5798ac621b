import { sql } from 'kysely'
import type { IdRange } from '../../platform/dialects/dialect.ts'
import type { SearchContext } from '../search-context.ts'
import { isOpenName, type MatchingBugs } from './matching-bugs.ts'

/** What happened to the bugs on a day. */
export interface DayCounts {
  /** Bugs that were filed, and those of them with a status of closed bugs. */
  filed: number
  filedClosed: number
  closed: number
  reopened: number
}

/**
 * By day, for the bugs of a range. What happened before the first day is one day, the empty text: it follows from how bugs are now and what
 * happened since, so that no earlier history is read. A cross join lets SQLite begin with the bugs.
 */
export async function countByDay(
  { db, fields }: SearchContext,
  bugs: MatchingBugs,
  range: IdRange,
  firstDay: string,
): Promise<Map<string, DayCounts>> {
  const wasOpen = isOpenName(fields, sql`bug_changes.removed`)
  const isOpen = isOpenName(fields, sql`bug_changes.added`)
  const rows = await db.querySlowly((q, dialect) => ({
    compile: () =>
      sql<DayRow>`with matching as materialized (${bugs.rows(q, range, { firstDay })})
        select 'filed' as what, created_at as day, count(*) as bugs, sum(1 - is_open) as closed
          from matching group by day
        union all ${dialect.groupedByEach(
          sql`select matching.created_at as filed_on, substr(bug_changes.at, 1, 10) as moved_on,
            case when ${isOpen} then 1 else 0 end as is_open
          from matching cross join bug_changes
          where bug_changes.bug_id = matching.id and bug_changes.field = 'status'
            and ${bugs.isChangeIn(range)} and ${dialect.notByIndex(sql`bug_changes.at`)} >= ${firstDay} and (${wasOpen}) <> (${isOpen})`,
          ['moved_on', 'filed_on'],
          sql`count(*), sum(1 - is_open)`,
        )}`.compile(q),
  }))
  const days = new Map<string, DayCounts>()
  for (const { what, day, bugs: all, closed } of rows) {
    const counts = days.get(day) ?? { filed: 0, filedClosed: 0, closed: 0, reopened: 0 }
    days.set(day, { ...counts, ...added(counts, what, Number(all), Number(closed)) })
  }
  return days
}

interface DayRow {
  what: 'filed' | 'moved_on' | 'filed_on'
  day: string
  bugs: number | string
  closed: number | string
}

/** A bug is closed now if it was filed closed, or was closed once more than it was reopened. */
function added(counts: DayCounts, what: DayRow['what'], all: number, closed: number): Partial<DayCounts> {
  if (what === 'filed') return { filed: all, filedClosed: counts.filedClosed + closed }
  if (what === 'moved_on') return { closed, reopened: all - closed }
  return { filedClosed: counts.filedClosed - (closed - (all - closed)) }
}
