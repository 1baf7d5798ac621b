import type { Settings } from '../../platform/config/settings.ts'
import { errors } from '../../platform/errors.ts'
import { forgetOldest } from '../../platform/queues/forget-oldest.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { isLoopback, networkOf } from './real-address.ts'

const WINDOW_MILLISECONDS = 60_000
const MOST_REMEMBERED = 50_000
const NO_HEADERS: Readonly<Record<string, string>> = dictionary({})

/** A request as it is counted. */
interface CountedRequest {
  id: number | null
  address: string
  /** Searches of anonymous callers are counted apart from their other requests. */
  isSearch?: boolean | undefined
}

/** Counts the requests per caller in the current minute. Each process counts its own. */
export class RateLimit {
  /** By the id of a user, or by policy and network. */
  private counts = new Map<string | number, number>()
  private windowEnds = 0
  private readonly policies = new Map<string, { most: number; header: string }>()

  /** Counts a request. Throws 429 if the caller made more requests in this minute than the parameters allow. */
  count(who: CountedRequest, settings: Settings) {
    const { key, most } = accountOf(who, settings)
    if (most === 0) return
    const made = this.madeBy(key) + 1
    this.counts.set(key, made)
    forgetOldest(this.counts, MOST_REMEMBERED)
    if (made > most) throw this.tooMany(this.headersFor(who, settings))
  }

  /**
   * The same check without counting, for expensive work that anonymous callers must not be able to start without limit.
   */
  requireRoom(address: string, settings: Settings) {
    const who = { id: null, address }
    const { key, most } = accountOf(who, settings)
    if (most !== 0 && this.madeBy(key) >= most) throw this.tooMany(this.headersFor(who, settings))
  }

  /** The limit of the caller and what is left of it, in the fields of draft-ietf-httpapi-ratelimit-headers; none without a limit. */
  headersFor(who: CountedRequest, settings: Settings): Readonly<Record<string, string>> {
    const { key, most, policy } = accountOf(who, settings)
    if (most === 0) return NO_HEADERS
    const left = Math.max(0, most - this.madeBy(key))
    return {
      'RateLimit-Policy': this.policyHeader(policy, most),
      RateLimit: `"${policy}";r=${left};t=${this.secondsLeft()}`,
    }
  }

  /** Written again only when the limit changes. */
  private policyHeader(policy: string, most: number): string {
    const known = this.policies.get(policy)
    if (known?.most === most) return known.header
    const header = `"${policy}";q=${most};w=${WINDOW_MILLISECONDS / 1000}`
    this.policies.set(policy, { most, header })
    return header
  }

  private madeBy(key: string | number) {
    const now = Date.now()
    if (now >= this.windowEnds) {
      this.counts = new Map()
      this.windowEnds = now + WINDOW_MILLISECONDS
    }
    return this.counts.get(key) ?? 0
  }

  private secondsLeft() {
    return Math.max(1, Math.ceil((this.windowEnds - Date.now()) / 1000))
  }

  private tooMany(headers: Readonly<Record<string, string>>) {
    const seconds = this.secondsLeft()
    const fault = errors.too_many_requests({ seconds }).withHeader('Retry-After', String(seconds))
    for (const [name, value] of Object.entries(headers)) fault.withHeader(name, value)
    return fault
  }
}

/** The key under which the caller's requests are counted, and the limit; 0 means no limit. */
function accountOf({ id, address, isSearch = false }: CountedRequest, settings: Settings) {
  if (id !== null) return { key: id, most: settings.rate_limit_signed_in, policy: 'account' }
  const most = isSearch ? settings.rate_limit_anonymous_searches : settings.rate_limit_anonymous
  const policy = isSearch ? 'searches' : 'address'
  return { key: `${policy} ${networkOf(address)}`, most: isLoopback(address) ? 0 : most, policy }
}
