import { secondsAgo, timeNow } from '../../platform/time/clock.ts'

const DAY_SECONDS = 86_400

/** Requests are no longer reminded of after so many days. */
export const MOST_DAYS_OVERDUE = 90

/** The time in which an overdue request was changed last. */
export function overduePeriod(days: number) {
  return {
    before: secondsAgo(days * DAY_SECONDS),
    after: secondsAgo(MOST_DAYS_OVERDUE * DAY_SECONDS),
    today: timeNow().slice(0, 10),
  }
}

export function isOverdue(changedAt: string, days: number) {
  if (days === 0) return false
  const { before, after } = overduePeriod(days)
  return changedAt < before && changedAt >= after
}

/** The day so many days from now, such as 2026-01-31, in UTC. */
export function dayAhead(days: number): string {
  return secondsAgo(-days * DAY_SECONDS).slice(0, 10)
}
