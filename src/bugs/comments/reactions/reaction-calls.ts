import { errors } from '../../../platform/errors.ts'
import { forgetOldest } from '../../../platform/queues/forget-oldest.ts'
import type { ServerPart } from '../../../platform/server-parts.ts'

/** Each change is an event for webhooks and the feed, and leaves no line in any history: so they are counted here. */
export const MOST_REACTION_CALLS_AN_HOUR = 300
const HOUR_MILLISECONDS = 3_600_000
const MOST_CALLERS = 10_000

/** How often each caller changed reactions, on this server. */
class ReactionCalls {
  private readonly byCaller = new Map<number, { until: number; made: number }>()

  /** Throws 429 if there were too many. Counted before anything is changed, so that a refusal of the change takes nothing back. */
  count(callerId: number, now = Date.now()) {
    const before = this.byCaller.get(callerId)
    const counted = before !== undefined && before.until > now ? before : { until: now + HOUR_MILLISECONDS, made: 0 }
    if (counted.made >= MOST_REACTION_CALLS_AN_HOUR) {
      const seconds = Math.ceil((counted.until - now) / 1000)
      throw errors.too_many_requests({ seconds }).withHeader('Retry-After', String(seconds))
    }
    this.byCaller.set(callerId, { until: counted.until, made: counted.made + 1 })
    forgetOldest(this.byCaller, MOST_CALLERS)
  }
}

export const reactionCalls: ServerPart<ReactionCalls> = { open: () => new ReactionCalls() }
