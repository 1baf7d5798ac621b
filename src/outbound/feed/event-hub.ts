import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import type { ServerPart } from '../../platform/server-parts.ts'
import { FeedRound } from './feed-round.ts'

/** A client that waits for new events. */
export interface Listener {
  /** Sends all new events. Never called twice at once for one listener. */
  advance(round: FeedRound): Promise<void>
  /** Shows that the connection is alive. */
  beat?(): void
  end(): void
}

/** The key under which listeners are counted, and how many are allowed at once; 0 is no limit. */
export interface ListenerLimit {
  who: string
  most: number
}

/** When to retry: polling clients leave soon, streaming clients may stay. */
const RETRY_SECONDS = 10
const BATCH_MILLISECONDS = 25
const AT_ONCE = 8
const BEAT_MILLISECONDS = 20_000

/**
 * All listeners to the feed on this server. A waiting listener only costs some memory: new events are read once for all
 * of them when they are woken.
 */
export class EventHub {
  private readonly db: Db
  private readonly listeners = new Set<Listener>()
  /** Listeners added since the last round: something may have happened since they last read. */
  private fresh = new Set<Listener>()
  /** The number of listeners per key. */
  private readonly taken = new Map<string, number>()
  private stop: (() => void) | undefined
  private timer: NodeJS.Timeout | undefined
  private pulse: NodeJS.Timeout | undefined
  private isNotifying = false
  private isWoken = false
  private isForAll = false
  isEnded = false

  constructor(db: Db) {
    this.db = db
  }

  /**
   * Returns a function that removes the listener. The listener itself must read what happened before. Throws if the
   * limit is reached.
   */
  add(listener: Listener, limit: ListenerLimit): () => void {
    if (this.isEnded) {
      listener.end()
      return () => {}
    }
    this.take(limit)
    this.stop ??= this.db.listen('events', () => this.wakeAll())
    this.pulse ??= setInterval(() => this.beat(), BEAT_MILLISECONDS).unref()
    this.listeners.add(listener)
    this.fresh.add(listener)
    this.wake()
    return () => {
      this.fresh.delete(listener)
      if (this.listeners.delete(listener)) this.release(limit)
    }
  }

  /** Disconnects all listeners, so that the server can end. */
  end() {
    this.isEnded = true
    this.stop?.()
    clearTimeout(this.timer)
    clearInterval(this.pulse)
    for (const listener of this.listeners) listener.end()
    this.listeners.clear()
  }

  private take({ who, most }: ListenerLimit) {
    const taken = this.taken.get(who) ?? 0
    if (most > 0 && taken >= most) {
      const refusal = errors.too_many_listeners({ most, seconds: RETRY_SECONDS })
      throw refusal.withHeader('Retry-After', String(RETRY_SECONDS))
    }
    this.taken.set(who, taken + 1)
  }

  private release({ who }: ListenerLimit) {
    const left = (this.taken.get(who) ?? 0) - 1
    if (left > 0) this.taken.set(who, left)
    else this.taken.delete(who)
  }

  private wakeAll() {
    this.isForAll = true
    this.wake()
  }

  private wake() {
    this.isWoken = true
    if (this.isNotifying || this.timer !== undefined || this.isEnded) return
    this.timer = setTimeout(() => void this.notifyListeners(), BATCH_MILLISECONDS)
  }

  private async notifyListeners() {
    this.timer = undefined
    this.isNotifying = true
    this.isWoken = false
    const round = new FeedRound(this.db, this.isForAll)
    const waiting = [...(this.isForAll ? this.listeners : this.fresh)].values()
    this.isForAll = false
    this.fresh = new Set()
    const next = async () => {
      for (const listener of waiting) await listener.advance(round).catch(() => listener.end())
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
    this.isNotifying = false
    if (this.isWoken) this.wake()
  }

  /** Also checks for missed events: a connection to the database can be dead without an error. */
  private beat() {
    this.wakeAll()
    for (const listener of this.listeners) listener.beat?.()
  }
}

/** The hub of a server. */
export const eventHub: ServerPart<EventHub> = { open: (db) => new EventHub(db) }
