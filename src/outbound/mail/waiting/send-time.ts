import { momentOf, zonedDay } from '../../../platform/time/zone-time.ts'

/** When mail about bugs is sent to a user. Without any of it, at once. */
export interface MailTimes {
  zone: string
  /** Minutes after midnight; null for none. */
  digestAt: number | null
  quietFrom: number | null
  quietTo: number | null
  areWeekendsQuiet: boolean
  /** Mail waits so long, and is sent only if the bug was not opened meanwhile; 0 for no such wait. */
  unseenMinutes: number
}

export const AT_ONCE: MailTimes = {
  zone: 'UTC',
  digestAt: null,
  quietFrom: null,
  quietTo: null,
  areWeekendsQuiet: false,
  unseenMinutes: 0,
}

const MINUTE = 60_000
/** A quiet night and a weekend are three pieces. */
const MOST_PIECES = 6

/** The first moment from this one on that is not quiet. */
export function endOfQuiet(times: MailTimes, moment: number): number {
  let at = moment
  for (let piece = 0; piece < MOST_PIECES; piece++) {
    const end = endOfPiece(times, at)
    if (end <= at) return at
    at = end
  }
  return at
}

function endOfPiece({ zone, quietFrom, quietTo, areWeekendsQuiet }: MailTimes, at: number): number {
  if (!areWeekendsQuiet && (quietFrom === null || quietTo === null)) return at
  const { day, weekday, minutes } = zonedDay(zone, at)
  if (areWeekendsQuiet && (weekday === 0 || weekday === 6)) return momentOf(zone, day + (weekday === 6 ? 2 : 1), 0)
  if (quietFrom === null || quietTo === null) return at
  if (quietFrom < quietTo) return minutes >= quietFrom && minutes < quietTo ? momentOf(zone, day, quietTo) : at
  if (minutes >= quietFrom) return momentOf(zone, day + 1, quietTo)
  return minutes < quietTo ? momentOf(zone, day, quietTo) : at
}

/** When the digest with a change of this moment is sent. */
export function digestTime(times: MailTimes, changedAt: number): number {
  const { zone, digestAt } = times
  if (digestAt === null) return endOfQuiet(times, changedAt)
  const { day } = zonedDay(zone, changedAt)
  const today = momentOf(zone, day, digestAt)
  return endOfQuiet(times, today > changedAt ? today : momentOf(zone, day + 1, digestAt))
}

/** When a message about a change of this moment may be sent, seen from now. */
export function sendTime(times: MailTimes, changedAt: number, now: number): number {
  return endOfQuiet(times, Math.max(now, changedAt + times.unseenMinutes * MINUTE))
}
