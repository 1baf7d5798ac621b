import type { Settings } from '../platform/config/settings.ts'
import { errors } from '../platform/errors.ts'
import { LATEST_TIME, secondsAgo } from '../platform/time/clock.ts'
import type { Caller } from './caller.ts'

/**
 * To be called before the most sensitive changes. Throws 308 if the caller uses a session whose password was checked too long ago: it may be
 * a browser that its user has left. API keys and passwords are not asked again.
 */
export function requireRecentProof({ caller, settings }: { caller: Caller; settings: Settings }) {
  const { confirm_password_minutes: minutes } = settings
  const provenAt = caller.provenAt ?? LATEST_TIME
  if (minutes !== 0 && provenAt < secondsAgo(minutes * 60)) throw errors.proof_needed({ minutes })
}
