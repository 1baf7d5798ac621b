// Times as people read them: how long ago, and the exact time on hover.

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
  const start = (it: Date) => new Date(it.getFullYear(), it.getMonth(), it.getDate()).getTime()
  return Math.round((start(other) - start(one)) / (DAY * 1000))
}

/** “8 Nov”, in another year “8 Nov 2025”. */
export function shortDate(time: string, now = Date.now()): string {
  const then = new Date(time)
  const isThisYear = then.getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? DAY_AND_MONTH : DAY_MONTH_AND_YEAR).format(then)
}

/** “8 Nov 2025, 14:05”, for paper. */
export function printedTime(time: string): string {
  return PRINTED.format(new Date(time))
}

/** With the reader's time zone. */
export function exactTime(time: string): string {
  return EXACT.format(new Date(time))
}

// A formatter takes much longer to make than to use, and a page has a thousand times.
const DAY_AND_MONTH = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const DAY_MONTH_AND_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const PRINTED = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
