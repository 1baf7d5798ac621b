import { toTime } from '../../platform/time/clock.ts'

/** When something is mailed: days and times, in UTC. */
export interface Schedule {
  /** `All`, `MF` for Monday to Friday, `Sun` to `Sat`, a day of the month from 1 to 31, or `last` for its last one. */
  day: string
  /** An hour from 0 to 23, or an interval: `15min`, `30min`, `60min`. */
  time: string
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const INTERVALS = ['15min', '30min', '60min']

export const RIGHT_DAY = `it must be All, MF, ${WEEKDAYS.join(', ')}, last, or a day of the month from 1 to 31`
export const RIGHT_TIME = `it must be an hour from 0 to 23, or ${INTERVALS.join(', ')}`

export function isDay(text: string) {
  return ['All', 'MF', 'last', ...WEEKDAYS].includes(text) || isWithin(text, 1, 31)
}

export function isTime(text: string) {
  return INTERVALS.includes(text) || isWithin(text, 0, 23)
}

function isWithin(text: string, least: number, most: number) {
  return /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most
}

const DAY = 86_400_000
const MINUTE = 60_000
/** The 31st comes at least every second month. */
const LONGEST_WAIT_DAYS = 70

/** The first time of the schedule after `after`. */
export function nextTime(schedule: Schedule, after: number): string {
  const today = Math.floor(after / DAY) * DAY
  for (let ahead = 0; ahead <= LONGEST_WAIT_DAYS; ahead++) {
    const midnight = today + ahead * DAY
    const found = isOn(schedule.day, new Date(midnight)) ? timesOn(schedule.time, midnight) : []
    const next = found.find((moment) => moment > after)
    if (next !== undefined) return toTime(next)
  }
  throw new Error(`The schedule ${schedule.day} ${schedule.time} has no next time`)
}

function isOn(day: string, date: Date): boolean {
  const weekday = date.getUTCDay()
  if (day === 'All') return true
  if (day === 'MF') return weekday >= 1 && weekday <= 5
  if (WEEKDAYS.includes(day)) return WEEKDAYS[weekday] === day
  if (day === 'last') return new Date(date.getTime() + DAY).getUTCDate() === 1
  return date.getUTCDate() === Number(day)
}

function timesOn(time: string, midnight: number): number[] {
  if (!INTERVALS.includes(time)) return [midnight + Number(time) * 60 * MINUTE]
  const step = Number.parseInt(time, 10) * MINUTE
  return Array.from({ length: DAY / step }, (_, count) => midnight + count * step)
}
