import { LATEST_TIME, toTime } from './clock.ts'

/** A parsed date, in the form in which times are stored. */
interface ReadDate {
  readonly time: string
  /** Whether it has no time of day, so that the whole day may be meant. */
  readonly isWholeDay: boolean
}

/**
 * Parses a date as people and libraries write it: ISO 8601 in long and short form, RFC 2822, and dates with the name of
 * the month, all with or without a time of day and a zone. The default zone is UTC. Undefined if it is not a valid
 * date.
 */
export function readDate(text: string): ReadDate | undefined {
  if (text.length > LONGEST) return undefined
  const words = text.trim()
  for (const form of FORMS) {
    const parts = form.exec(words)?.groups
    if (parts !== undefined) return dateOf(parts)
  }
  return undefined
}

/** The same if only the time matters. */
export function readTime(text: string): string | undefined {
  return readDate(text)?.time
}

const LONGEST = 100

const MONTH = '(?<month>[a-z]{3,9})\\.?'
const WEEKDAY = '(?:(?<weekday>[a-z]{3,9})\\.?,?\\s+)?'
const DAY = '(?<day>\\d\\d?)'
const YEAR = '(?<year>\\d{4})'
const CLOCK = '(?<hour>\\d\\d?):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,]\\d+)?)?(?:\\s*(?<half>[ap]m))?'
const SHORT_CLOCK = '(?<hour>\\d\\d)(?:(?<minute>\\d\\d)(?:(?<second>\\d\\d)(?:[.,]\\d+)?)?)?'
const ZONE =
  '(?:\\s*(?<zone>(?:gmt|utc)?[+-]\\d\\d(?::?\\d\\d)?|(?:gmt|utc)[+-]\\d|[a-z]{1,5})(?:\\s*\\([\\p{L}\\p{M}\\d\\s.,/+-]*\\))?)?'

const FORMS = [
  // 2026-01-31, 2026/1/31, 2026-01-31T12:00:00Z, 2026-01-31 12:00
  `(?<year>\\d{4})(?<mark>[-/.])(?<monthNumber>\\d\\d?)\\k<mark>${DAY}(?:(?:T|\\s+)${CLOCK}${ZONE})?`,
  // 2026-01-31T1200, 2026-01-31T12
  `(?<year>\\d{4})-(?<monthNumber>\\d\\d)-(?<day>\\d\\d)T${SHORT_CLOCK}${ZONE}`,
  // 20260131, 20260131T12:00:00
  `(?<year>\\d{4})(?<monthNumber>\\d\\d)(?<day>\\d\\d)(?:(?:T|\\s+)${CLOCK}${ZONE})?`,
  // 20260131T120000Z
  `(?<year>\\d{4})(?<monthNumber>\\d\\d)(?<day>\\d\\d)T${SHORT_CLOCK}${ZONE}`,
  // Sat, 31 Jan 2026 12:00:00 +0100, 31-Jan-2026
  `${WEEKDAY}${DAY}[-\\s]+${MONTH},?[-\\s]+${YEAR}(?:(?:,?\\s+)${CLOCK}${ZONE})?`,
  // Saturday, 31-Jan-26 12:00:00 GMT
  `(?<weekday>[a-z]{3,9}),\\s+(?<day>\\d\\d)-${MONTH}-(?<shortYear>\\d\\d)\\s+${CLOCK}${ZONE}`,
  // 1/31/2026, with the month first, as Bugzilla reads it; not 1/2/2026, which is ambiguous
  `(?<monthNumber>\\d\\d?)/(?<day>1[3-9]|[23]\\d)/${YEAR}(?:(?:,?\\s+)${CLOCK}${ZONE})?`,
  // Jan 31, 2026, Sat Jan 31 2026 12:00:00 GMT+0100 (CET)
  `${WEEKDAY}${MONTH}\\s+${DAY},?\\s+${YEAR}(?:(?:,?\\s+)${CLOCK}${ZONE})?`,
  // Sat Jan 31 12:00:00 2026, Sat Jan 31 12:00:00 CET 2026
  `${WEEKDAY}${MONTH}\\s+${DAY}\\s+${CLOCK}${ZONE}\\s+${YEAR}`,
].map((form) => new RegExp(`^${form}$`, 'iu'))

type Parts = Readonly<Record<string, string | undefined>>

function dateOf(parts: Parts): ReadDate | undefined {
  const number = (name: string) => Number(parts[name] ?? 0)
  const month = parts.month === undefined ? number('monthNumber') - 1 : placeIn(MONTHS, parts.month)
  if (parts.weekday !== undefined && placeIn(WEEKDAYS, parts.weekday) < 0) return undefined
  const hour = hourOf(number('hour'), parts.half)
  const offset = offsetOf(parts.zone ?? 'Z')
  if (hour === undefined || offset === undefined) return undefined
  const date = new Date(0)
  // Date.UTC would take years up to 99 as those of the last century.
  date.setUTCFullYear(yearOf(parts), month, number('day'))
  if (date.getUTCMonth() !== month || date.getUTCDate() !== number('day')) return undefined
  if (number('minute') > 59 || number('second') > 60) return undefined
  const moment = date.setUTCHours(hour, number('minute'), number('second')) - offset * MINUTE
  if (moment < EARLIEST || moment > LATEST) return undefined
  return { time: toTime(moment), isWholeDay: parts.hour === undefined }
}

/** A year of two digits is one of 1970 to 2069. */
function yearOf({ year, shortYear }: Parts) {
  if (shortYear === undefined) return Number(year)
  return Number(shortYear) + (Number(shortYear) < 70 ? 2000 : 1900)
}

const MINUTE = 60_000

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** Names may be abbreviated, to three letters or more. */
function placeIn(names: readonly string[], word: string): number {
  return names.findIndex((name) => name.startsWith(word.toLowerCase()))
}

/** Years of four digits, so that times sort as text. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse(LATEST_TIME)

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

/** Minutes that a zone is ahead of UTC. */
function offsetOf(zone: string): number | undefined {
  const named = ZONES.get(zone.toUpperCase())
  if (named !== undefined) return named * 60
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d?)(?::?(\d\d))?$/.exec(zone) ?? []
  if (hours === undefined || Number(hours) > MOST_HOURS || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** No zone on earth is, or ever was, further from UTC. */
const MOST_HOURS = 15

/** Zone abbreviations that are unambiguous, with their hours. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ...zones(0, 'Z', 'UTC', 'UT', 'GMT', 'WET'),
  ...zones(1, 'CET', 'MET', 'BST', 'WEST'),
  ...zones(2, 'CEST', 'MEST', 'EET'),
  ...zones(3, 'EEST', 'MSK'),
  ...zones(8, 'AWST', 'HKT', 'SGT'),
  ...zones(9, 'JST', 'KST'),
  ...zones(9.5, 'ACST'),
  ...zones(10, 'AEST'),
  ...zones(10.5, 'ACDT'),
  ...zones(11, 'AEDT'),
  ...zones(12, 'NZST'),
  ...zones(13, 'NZDT'),
  ...zones(-2.5, 'NDT'),
  ...zones(-3, 'ADT', 'BRT'),
  ...zones(-3.5, 'NST'),
  ...zones(-4, 'AST', 'EDT'),
  ...zones(-5, 'EST', 'CDT'),
  ...zones(-6, 'CST', 'MDT'),
  ...zones(-7, 'MST', 'PDT'),
  ...zones(-8, 'PST', 'AKDT'),
  ...zones(-9, 'AKST'),
  ...zones(-10, 'HST'),
])

function zones(hours: number, ...names: string[]): [string, number][] {
  return names.map((name) => [name, hours])
}
