/** Converts local times of a zone, as Bugzilla stores them, to UTC. */
export interface TimeZone {
  readonly name: string
  /** `2021-03-04 05:06:07` in UTC as `2021-03-04T05:06:07Z`; undefined if it is not a time. */
  toUtc(local: unknown): string | undefined
}

/** Bugs can have dates of any time in custom fields. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2100
const HOUR = 3_600_000
const MINUTE = 60_000
const DAY = 24 * HOUR

/** To look at each week of two centuries takes a noticeable time. */
const known = new Map<string, TimeZone | undefined>()

/** Undefined if there is no such zone. */
export function timeZoneNamed(name: string): TimeZone | undefined {
  if (!known.has(name)) known.set(name, findZone(name))
  return known.get(name)
}

function findZone(name: string): TimeZone | undefined {
  if (name === 'UTC') return { name, toUtc: rememberingLast(asUtc) }
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
  const periods = periodsOf((moment) => offsetAt(format, moment))
  return { name, toUtc: rememberingLast((local) => shifted(local, periods)) }
}

/** Rows that follow one another often have the same time. */
function rememberingLast(toUtc: TimeZone['toUtc']): TimeZone['toUtc'] {
  let last: { local: unknown; utc: string | undefined } = { local: undefined, utc: undefined }
  return (local) => {
    if (local !== last.local) last = { local, utc: toUtc(local) }
    return last.utc
  }
}

const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.\d+)?)?$/

/** The milliseconds of the time as if it were UTC; undefined for `0000-00-00` and other texts that are not a time. */
function readLocal(local: unknown): number | undefined {
  const match = typeof local === 'string' ? FORM.exec(local) : null
  if (match === null) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = match
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(moment) || new Date(moment).getUTCDate() !== Number(day) || Number(year) < 1000) return undefined
  return moment
}

const USUAL = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

function asUtc(local: unknown): string | undefined {
  if (typeof local === 'string' && USUAL.test(local)) return `${local.slice(0, 10)}T${local.slice(11)}Z`
  const moment = readLocal(local)
  return moment === undefined ? undefined : written(moment)
}

function written(moment: number) {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`
}

/** A time from which on the zone has this offset to UTC, in milliseconds. */
interface Period {
  from: number
  offset: number
}

/**
 * When clocks are turned back, an hour comes twice: the second one is meant, as Bugzilla does. When they are turned
 * forward, an hour is missing: a time in it is counted from before.
 */
function shifted(local: unknown, periods: readonly Period[]): string | undefined {
  const moment = readLocal(local)
  if (moment === undefined) return undefined
  let low = 0
  let high = periods.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const { from, offset } = periods[middle] as Period
    if (moment - offset >= from) low = middle
    else high = middle - 1
  }
  return written(moment - (periods[low] as Period).offset)
}

/** The changes of the offset, found by looking at each day and then at the minutes of the day of a change. */
function periodsOf(offsetOf: (moment: number) => number): Period[] {
  const start = Date.UTC(FIRST_YEAR, 0, 1)
  const end = Date.UTC(LAST_YEAR, 0, 1)
  const periods: Period[] = [{ from: Number.NEGATIVE_INFINITY, offset: offsetOf(start) }]
  for (let day = start; day < end; day += 7 * DAY) {
    const before = (periods.at(-1) as Period).offset
    if (offsetOf(day + 7 * DAY) === before) continue
    let low = day
    let high = day + 7 * DAY
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE
      if (offsetOf(middle) === before) low = middle
      else high = middle
    }
    periods.push({ from: high, offset: offsetOf(high) })
  }
  return periods
}

function offsetAt(format: Intl.DateTimeFormat, moment: number): number {
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Math.floor(moment / 1000) * 1000
}
