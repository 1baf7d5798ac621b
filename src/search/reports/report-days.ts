import { errors } from '../../platform/errors.ts'
import { toTime } from '../../platform/time/clock.ts'
import { dateIn } from '../parsing/search-dates.ts'

/** How far the points of a report over time are apart. */
export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** More points than a screen has room for. */
export const MOST_POINTS = 800

/** The period of a report, as it is requested: days, or distances from now such as `-12w`. */
export interface WantedPeriod {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly interval?: string | undefined
}

/** The period of a report: both days are included. */
export interface Period {
  readonly from: string
  readonly to: string
  readonly interval: Interval
}

/** Without a period, the last year in weeks. Nothing is known about days to come, so that none ends after today. */
export function readPeriod({ from, to, interval = 'week' }: WantedPeriod, now: number): Period {
  const today = toTime(now).slice(0, 10)
  const last = to === undefined ? today : earlier(dateIn('to', to, now), today)
  const first = from === undefined ? yearBefore(last) : dateIn('from', from, now)
  if (first > last) throw errors.bad_value({ name: 'from', value: from, right: `it must not be after ${last}` })
  return { from: first, to: last, interval: readInterval(interval) }
}

function readInterval(interval: string): Interval {
  const known = INTERVALS.find((one) => one === interval)
  if (known === undefined)
    throw errors.bad_value({ name: 'interval', value: interval, right: `it must be one of ${INTERVALS.join(', ')}` })
  return known
}

function earlier(one: string, other: string) {
  return one < other ? one : other
}

function yearBefore(day: string) {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCFullYear(date.getUTCFullYear() - 1)
  return toTime(date.getTime()).slice(0, 10)
}

/** The last day of each interval, where weeks end on Sunday. The last one may be cut by the end of the period. */
export function pointsIn({ from, to, interval }: Period): string[] {
  const points: string[] = []
  for (let day = from; day <= to; day = dayAfter(points.at(-1) ?? to)) {
    if (points.length === MOST_POINTS)
      throw errors.bad_value({
        name: 'interval',
        value: interval,
        right: `it must be longer, or the period shorter: there would be more than ${MOST_POINTS} points`,
      })
    points.push(earlier(lastDayOf(interval, day), to))
  }
  return points
}

function lastDayOf(interval: Interval, day: string) {
  const date = new Date(`${day}T00:00:00Z`)
  if (interval === 'week') date.setUTCDate(date.getUTCDate() + ((7 - date.getUTCDay()) % 7))
  if (interval === 'month') date.setUTCMonth(date.getUTCMonth() + 1, 0)
  return toTime(date.getTime()).slice(0, 10)
}

function dayAfter(day: string) {
  return toTime(Date.parse(`${day}T00:00:00Z`) + DAY).slice(0, 10)
}

const DAY = 24 * 3_600_000

/** The end of a day, or now for today. Undefined without a day. */
export function momentOf(name: string, day: string | undefined, now: number): string | undefined {
  if (day === undefined) return undefined
  return earlier(`${dateIn(name, day, now)}T23:59:59Z`, toTime(now))
}
