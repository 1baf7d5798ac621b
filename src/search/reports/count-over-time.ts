import type { IdRange } from '../../platform/dialects/dialect.ts'
import { errors } from '../../platform/errors.ts'
import type { Query } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { type MatchingBugs, matchingBugs } from './matching-bugs.ts'
import { countByDay, type DayCounts } from './over-time-store.ts'
import { type Period, pointsIn } from './report-days.ts'

/** How many bugs were open and closed at the end of a day, and what happened since the point before. */
export interface PointCounts {
  readonly date: string
  readonly open: number
  readonly closed: number
  readonly created: number
  readonly resolved: number
  readonly reopened: number
}

/** The bugs that match today, by their status then. */
export async function countOverTime(context: SearchContext, query: Query, period: Period) {
  const dates = pointsIn(period)
  const bugs = await matchingBugs(context, query)
  const days = new Map<string, DayCounts>()
  for (const part of partsOf(bugs)) addTo(days, await countTogether(context, bugs, part, period))
  return { ...period, ...pointsFrom(days, dates, period) }
}

/** A caller can have two slow reads at once, on two processors. */
const RANGES_TOGETHER = 2

function partsOf({ ranges }: MatchingBugs): (readonly IdRange[])[] {
  const parts = Math.ceil(ranges.length / RANGES_TOGETHER)
  return Array.from({ length: parts }, (_, part) => ranges.slice(part * RANGES_TOGETHER, (part + 1) * RANGES_TOGETHER))
}

async function countTogether(context: SearchContext, bugs: MatchingBugs, part: readonly IdRange[], { from }: Period) {
  const days = new Map<string, DayCounts>()
  const counted = await Promise.all(part.map((range) => countByDay(context, bugs, range, from)))
  for (const counts of counted) addTo(days, counts)
  return days
}

/** The same for one part of the bugs, so that a client can show how far it is. The counts of all parts are to be added up. */
export async function countPartOverTime(context: SearchContext, query: Query, period: Period, cursor?: string) {
  const dates = pointsIn(period)
  const { part, lastId } = cursor === undefined ? { part: 0 } : positionIn(cursor)
  const bugs = await matchingBugs(context, query, lastId === undefined ? {} : { lastId })
  const parts = partsOf(bugs)
  const days = await countTogether(context, bugs, parts[part] ?? [], period)
  return {
    ...period,
    ...pointsFrom(days, dates, period),
    progress: Math.min(1, (part + 1) / parts.length),
    ...(part + 1 < parts.length && { next_cursor: `${part + 1}-${bugs.lastId}` }),
  }
}

function positionIn(cursor: string): { part: number; lastId?: number } {
  const [, part, lastId] = /^(\d{1,6})-(\d{1,10})$/.exec(cursor) ?? []
  if (part === undefined || Number(lastId) > LARGEST_ID)
    throw errors.bad_value({ name: 'cursor', value: cursor, right: 'it must be the next_cursor of an earlier answer' })
  return { part: Number(part), lastId: Number(lastId) }
}

const LARGEST_ID = 2 ** 31 - 1

function addTo(days: Map<string, DayCounts>, more: ReadonlyMap<string, DayCounts>) {
  for (const [day, { filed, filedClosed, closed, reopened }] of more) {
    const counts = days.get(day) ?? { filed: 0, filedClosed: 0, closed: 0, reopened: 0 }
    days.set(day, {
      filed: counts.filed + filed,
      filedClosed: counts.filedClosed + filedClosed,
      closed: counts.closed + closed,
      reopened: counts.reopened + reopened,
    })
  }
}

function pointsFrom(days: ReadonlyMap<string, DayCounts>, dates: readonly string[], { from }: Period) {
  const sorted = [...days].sort(([one], [other]) => (one < other ? -1 : 1))
  const points: PointCounts[] = []
  let [next, all, closedNow] = [0, 0, 0]
  for (const date of dates) {
    let [created, resolved, reopened] = [0, 0, 0]
    for (let entry = sorted[next]; entry !== undefined && entry[0] <= date; entry = sorted[++next]) {
      const [day, counts] = entry
      all += counts.filed
      closedNow += counts.filedClosed + counts.closed - counts.reopened
      if (day < from) continue
      created += counts.filed
      resolved += counts.closed
      reopened += counts.reopened
    }
    // An imported history may contradict the statuses of today, from which the counts go back.
    const closed = Math.min(Math.max(0, closedNow), all)
    points.push({ date, open: all - closed, closed, created, resolved, reopened })
  }
  return { points, bug_count: sorted.reduce((sum, [, { filed }]) => sum + filed, 0) }
}
