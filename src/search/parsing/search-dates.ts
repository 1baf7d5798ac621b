import { errors } from '../../platform/errors.ts'
import { toTime } from '../../platform/time/clock.ts'
import { readDate, readTime } from '../../platform/time/read-time.ts'

const RELATIVE = /^([+-])?(\d{1,9})([hdwmy])(s?)$/i

/**
 * A time in a search: a date, `now`, or a distance from now such as `-2w`, `+1d` or `3ms`. A final `s` means the start of that hour, day,
 * week (a Sunday), month or year, and so does a distance of 0. Anything else is error 56.
 */
export function timeIn(name: string, input: string, now: number): string {
  const text = input.trim()
  const relative = RELATIVE.exec(text)
  const found = /^now$/i.test(text) ? toTime(now) : relative ? away(relative, now) : readTime(text)
  if (found === undefined) throw errors.bad_date({ name, value: input })
  return found
}

/** The same as a date without a time of day. */
export function dateIn(name: string, input: string, now: number): string {
  return timeIn(name, input, now).slice(0, 10)
}

/** The last second of a day, if the text is a date without a time of day; otherwise the text itself. */
export function endOf(input: string): string {
  const date = readDate(input)
  return date?.isWholeDay ? `${date.time.slice(0, 10)} 23:59:59` : input
}

function away([, sign, digits, unit, start]: RegExpExecArray, now: number): string | undefined {
  const amount = (sign === '+' ? 1 : -1) * Number(digits)
  const moment = moved(new Date(now), amount, String(unit).toLowerCase(), start !== '' || amount === 0)
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999 ? toTime(moment.getTime()) : undefined
}

function moved(date: Date, amount: number, unit: string, toStart: boolean): Date {
  if (unit === 'h' && toStart) date.setUTCMinutes(0, 0, 0)
  else if (toStart) date.setUTCHours(0, 0, 0, 0)
  if (unit === 'h') date.setTime(date.getTime() + amount * HOUR)
  if (unit === 'd') date.setTime(date.getTime() + amount * 24 * HOUR)
  if (unit === 'w') date.setTime(date.getTime() + (amount * 7 - (toStart ? date.getUTCDay() : 0)) * 24 * HOUR)
  if (unit === 'm') toMonth(date, date.getUTCFullYear(), date.getUTCMonth() + amount, toStart)
  if (unit === 'y') toMonth(date, date.getUTCFullYear() + amount, toStart ? 0 : date.getUTCMonth(), toStart)
  return date
}

const HOUR = 3_600_000

/** The same day of another month, or the last day of a shorter month. */
function toMonth(date: Date, year: number, month: number, toStart: boolean) {
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  date.setUTCFullYear(year, month, toStart ? 1 : Math.min(date.getUTCDate(), days))
}
