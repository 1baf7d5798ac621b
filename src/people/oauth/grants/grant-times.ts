import type { Settings } from '../../../platform/config/settings.ts'
import { LATEST_TIME, toTime } from '../../../platform/time/clock.ts'

/** How long an access token works. */
const ACCESS_SECONDS = 3600
/** A program that does not renew its access for so long has to ask the user again. */
const IDLE_DAYS = 30
const DAY_MILLISECONDS = 86_400_000

interface GrantTimes {
  accessEnds: string
  refreshEnds: string
}

/** When the next tokens of a grant end, which began at this time. */
export function nextEnds({ oauth_grant_days: most }: Settings, begunAt: string): GrantTimes {
  const now = Date.now()
  const last = most === 0 ? LATEST_TIME : toTime(Date.parse(begunAt) + most * DAY_MILLISECONDS)
  const earlier = (one: string, other: string) => (one < other ? one : other)
  return {
    accessEnds: earlier(toTime(now + ACCESS_SECONDS * 1000), last),
    refreshEnds: earlier(toTime(now + IDLE_DAYS * DAY_MILLISECONDS), last),
  }
}
