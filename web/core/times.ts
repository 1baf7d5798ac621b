// Times as people read them: how long ago, and the exact time on hover.
import { computed, signal } from '@preact/signals'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** “12 min”, “5 h”, “yesterday”, “3 d”, then “8 Nov”, in another year “8 Nov 2025”. */
export function relativeTime(time: string, now = Date.now()): string {
  const then = new Date(time)
  const seconds = Math.round((now - then.getTime()) / 1000)
  if (seconds < MINUTE) return 'now'
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`
  const days = daysBetween(then, new Date(now))
  if (days === 0) return `${Math.floor(seconds / HOUR)} h`
  if (days === 1) return 'yesterday'
  if (days < 7) return `${days} d`
  return shortDate(time, now)
}

/** “5 min ago”, “just now”. Days and dates stay as they are. */
export function timeAgo(time: string, now = Date.now()): string {
  const words = relativeTime(time, now)
  if (words === 'now') return 'just now'
  return /\b(min|h|d)$/.test(words) ? `${words} ago` : words
}

function daysBetween(one: Date, other: Date) {
  const start = (it: Date) => Date.parse(formats.value.day.format(it))
  return Math.round((start(other) - start(one)) / (DAY * 1000))
}

/** “8 Nov”, in another year “8 Nov 2025”. */
export function shortDate(time: string, now = Date.now()): string {
  const then = new Date(time)
  const { day, dayAndMonth, dayMonthAndYear } = formats.value
  const isThisYear = day.format(then).slice(0, 4) === day.format(now).slice(0, 4)
  return (isThisYear ? dayAndMonth : dayMonthAndYear).format(then)
}

/** The day before a time, which is the last whole day of a period that ends then. */
export function lastDayBefore(time: string): string {
  return new Date(Date.parse(time) - 1000).toISOString()
}

/** The day of a time as the reader's clock has it, such as 2026-01-31. */
export function dayOf(time: string): string {
  return formats.value.day.format(new Date(time))
}

/** When a day such as 2026-01-31 begins for the reader, some days later with `after`. */
export function beginningOf(day: string, after = 0): string {
  const start = Date.parse(`${day}T00:00:00Z`) + after * DAY * 1000
  let time = start
  // The second round counts where the clock changes on that day.
  for (const _ of [1, 2]) time += start - Date.parse(`${formats.value.wall.format(time).replace(', ', 'T')}Z`)
  return new Date(time).toISOString()
}

/** “8 Nov 2025, 14:05”, for paper and where there is little room. */
export function printedTime(time: string): string {
  return formats.value.printed.format(new Date(time))
}

/** “14:05”. */
export function clockTime(time: Date): string {
  return formats.value.clock.format(time)
}

/** With the reader's time zone. */
export function exactTime(time: string): string {
  return formats.value.exact.format(new Date(time))
}

const KEY = 'lacewing time zone'

/** Undefined is that of the device. */
export const timeZone = signal(zoneOf(localStorage.getItem(KEY)))

export function setTimeZone(zone: string | undefined) {
  if (zone === undefined) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, zone)
  timeZone.value = zone
}

/** The browser may no longer know a zone that was chosen long ago. */
function zoneOf(stored: string | null): string | undefined {
  return stored !== null && Intl.supportedValuesOf('timeZone').includes(stored) ? stored : undefined
}

// A formatter takes much longer to make than to use, and a page has a thousand times.
const formats = computed(() => {
  const zone = timeZone.value === undefined ? {} : { timeZone: timeZone.value }
  const of = (locale: string | undefined, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, ...zone })
  return {
    // As 2026-01-31, whose parts can be compared.
    day: of('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }),
    dayAndMonth: of('en-GB', { day: 'numeric', month: 'short' }),
    dayMonthAndYear: of('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }),
    // As 2026-01-31, 14:05:00.
    wall: of('sv-SE', { dateStyle: 'short', timeStyle: 'medium' }),
    printed: of('en-GB', { dateStyle: 'medium', timeStyle: 'short' }),
    clock: of('en-GB', { hour: '2-digit', minute: '2-digit' }),
    exact: of(undefined, { dateStyle: 'full', timeStyle: 'long' }),
  }
})
