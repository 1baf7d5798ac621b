import { errors } from '../platform/errors.ts'

const WINDOW_MILLISECONDS = 60_000
const MOST_REMEMBERED = 50_000

/** Requests of the running minute, by whoever made them. Each process counts its own. */
export class RateLimit {
  private counts = new Map<string, number>()
  private windowEnds = 0

  /** Throws 429 when `who` has made more than `most` requests in this minute; 0 is no limit. */
  count(who: string, most: number) {
    if (most === 0) return
    const now = Date.now()
    if (now >= this.windowEnds || this.counts.size > MOST_REMEMBERED) {
      this.counts = new Map()
      this.windowEnds = now + WINDOW_MILLISECONDS
    }
    const made = (this.counts.get(who) ?? 0) + 1
    this.counts.set(who, made)
    if (made > most) {
      const seconds = Math.max(1, Math.ceil((this.windowEnds - now) / 1000))
      throw errors.too_many_requests({ seconds }).withHeader('Retry-After', String(seconds))
    }
  }
}
