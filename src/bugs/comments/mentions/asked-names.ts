import { errors } from '../../../platform/errors.ts'
import { forgetOldest } from '../../../platform/queues/forget-oldest.ts'
import type { ServerPart } from '../../../platform/server-parts.ts'

/** About so many different people a caller may ask in an hour whether they may read something: as many as they can mention. */
export const MOST_NAMES_AN_HOUR = 200
const HOUR_MILLISECONDS = 3_600_000
const MOST_CALLERS = 10_000

interface Asked {
  until: number
  names: Set<string>
}

/** Whom each caller has asked about. Asking again about the same people, as the pages do while one writes, costs nothing. */
class AskedNames {
  private readonly byCaller = new Map<number, Asked>()

  /** Throws 429 if these names are too many, and then counts none of them. */
  count(callerId: number, names: readonly string[], now = Date.now()) {
    const before = this.byCaller.get(callerId)
    const asked =
      before !== undefined && before.until > now ? before : { until: now + HOUR_MILLISECONDS, names: new Set<string>() }
    const all = asked.names.union(new Set(names))
    if (all.size > MOST_NAMES_AN_HOUR) {
      const seconds = Math.ceil((asked.until - now) / 1000)
      throw errors.too_many_requests({ seconds }).withHeader('Retry-After', String(seconds))
    }
    this.byCaller.set(callerId, { until: asked.until, names: all })
    forgetOldest(this.byCaller, MOST_CALLERS)
  }
}

export const askedNames: ServerPart<AskedNames> = { open: () => new AskedNames() }
