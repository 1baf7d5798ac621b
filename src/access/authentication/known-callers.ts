import type { Db } from '../../platform/database/db.ts'
import { forgetOldest } from '../../platform/queues/forget-oldest.ts'
import type { Credentials } from '../../platform/wire/call.ts'
import type { Caller } from '../caller.ts'

const MOST_KNOWN = 1_000
/** Looking a caller up records that the key is in use, so it must happen every few seconds. */
const KNOWN_MILLISECONDS = 5_000

/** The network location of a request. */
interface CallerLocation {
  peer: string
  forwardedFor: string | undefined
}

interface KnownCaller<Authenticated> {
  apiKey: string | undefined
  location: CallerLocation
  request: Authenticated
  freshness: number
  until: number
}

/**
 * Callers of the last few seconds. A client that uses the same key from the same address is not looked up again as long
 * as nothing was written. Tokens, passwords and keys that expire are looked up every time.
 */
export class KnownCallers<Authenticated extends { caller: Caller }> {
  private readonly callers = new Map<string, KnownCaller<Authenticated>>()
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
  }

  recall(credentials: Credentials, origin: CallerLocation): Authenticated | undefined {
    if (!isSimple(credentials)) return undefined
    const known = this.callers.get(keyOf(credentials, origin))
    if (known === undefined || known.freshness !== this.db.freshness()) return undefined
    if (!isSameLocation(known.location, origin)) return undefined
    // A client can invent an API key that looks like the map key of an anonymous caller.
    if (known.apiKey !== credentials.apiKey) return undefined
    return known.until > performance.now() ? known.request : undefined
  }

  /** Remembers a caller that was looked up when the database had this `freshness`. */
  remember(credentials: Credentials, origin: CallerLocation, freshness: number | undefined, request: Authenticated) {
    if (freshness === undefined || !isSimple(credentials) || request.caller.expiresAt !== null) return
    const { peer, forwardedFor } = origin
    const until = performance.now() + KNOWN_MILLISECONDS
    this.callers.set(keyOf(credentials, origin), {
      apiKey: credentials.apiKey,
      location: { peer, forwardedFor },
      request,
      freshness,
      until,
    })
    forgetOldest(this.callers, MOST_KNOWN)
  }
}

function isSimple({ token, login, password }: Credentials) {
  return token === undefined && login === undefined && password === undefined
}

/** Only one location is remembered per API key. Anonymous callers are distinguished by their location. */
function keyOf({ apiKey }: Credentials, { peer, forwardedFor = '' }: CallerLocation) {
  return apiKey ?? `\n${peer}\n${forwardedFor}`
}

function isSameLocation(one: CallerLocation, other: CallerLocation) {
  return one.peer === other.peer && one.forwardedFor === other.forwardedFor
}
