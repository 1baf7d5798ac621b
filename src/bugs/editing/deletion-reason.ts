import { errors } from '../../platform/errors.ts'
import { isBlank } from '../comments/comment.ts'

export const LONGEST_REASON = 1000

/** Every deletion needs a reason, so that users who miss the object later can find out why. */
export function requireReason(input: string | undefined): string {
  if (input === undefined || isBlank(input)) throw errors.parameter_required({ name: 'reason' })
  const reason = input.trim()
  if (reason.length > LONGEST_REASON) throw errors.text_too_long({ name: 'reason', most: LONGEST_REASON })
  return reason
}
