import type { Db } from '../../platform/database/db.ts'
import { forgetOldest } from '../../platform/queues/forget-oldest.ts'
import type { Credentials } from '../../platform/wire/call.ts'
import type { Caller } from '../caller.ts'

const MOST_KNOWN = 1_000
/** That a key is in use is noted by whoever finds its owner, which must happen now and then. */
const KNOWN_MILLISECONDS = 5_000

/** Where somebody asks from. */
interface CallerLocation {
  peer: string
  forwardedFor: string | undefined
}

interface Known<Found> {
  apiKey: string | undefined
  place: CallerLocation
  found: Found
  freshness: number
  until: number
}

/**
 * Who asked a moment ago: a client that asks again with the same key from the same place needs not be found again, as long as nothing was
 * written. Whoever shows a token, a password or a key that ends is looked up every time.
 */
export class KnownCallers<Found extends { caller: Caller }> {
  private readonly callers = new Map<string, Known<Found>>()
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
  }

  recall(given: Credentials, origin: CallerLocation): Found | undefined {
    const freshness = this.db.freshness()
    if (freshness === undefined || !isSimple(given)) return undefined
    const known = this.callers.get(keyOf(given, origin))
    if (known?.freshness !== freshness || !isSamePlace(known.place, origin)) return undefined
    // Anybody can make up a key that reads like the place of a stranger.
    if (known.apiKey !== given.apiKey) return undefined
    return known.until > performance.now() ? known.found : undefined
  }

  /** Remembers somebody who was found at a time of which the freshness is told. */
  remember(given: Credentials, origin: CallerLocation, freshness: number | undefined, found: Found) {
    if (freshness === undefined || !isSimple(given) || found.caller.expiresAt !== null) return
    const { peer, forwardedFor } = origin
    const until = performance.now() + KNOWN_MILLISECONDS
    this.callers.set(keyOf(given, origin), {
      apiKey: given.apiKey,
      place: { peer, forwardedFor },
      found,
      freshness,
      until,
    })
    forgetOldest(this.callers, MOST_KNOWN)
  }
}

function isSimple({ token, login, password }: Credentials) {
  return token === undefined && login === undefined && password === undefined
}

/** A key that is used from two places at once is looked up each time; strangers are told apart by where they are. */
function keyOf({ apiKey }: Credentials, { peer, forwardedFor = '' }: CallerLocation) {
  return apiKey ?? `\n${peer}\n${forwardedFor}`
}

function isSamePlace(one: CallerLocation, other: CallerLocation) {
  return one.peer === other.peer && one.forwardedFor === other.forwardedFor
}
