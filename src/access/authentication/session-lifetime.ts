import type { Settings } from '../../platform/config/settings.ts'
import { secondsAgo } from '../../platform/time/clock.ts'

const DAY_SECONDS = 86_400

/** Sessions that were used last, or began, before these times are over. Empty text is before all times. */
export function sessionLimits({ session_idle_days: idle, session_days: most }: Settings) {
  return {
    usedSince: idle === 0 ? '' : secondsAgo(idle * DAY_SECONDS),
    createdSince: most === 0 ? '' : secondsAgo(most * DAY_SECONDS),
  }
}

export function isSessionOver(session: { last_used_at: string; created_at: string }, settings: Settings) {
  const { usedSince, createdSince } = sessionLimits(settings)
  return session.last_used_at < usedSince || session.created_at < createdSince
}
