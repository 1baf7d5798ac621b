import { Readable } from 'node:stream'
import type { Db } from '../../platform/database/db.ts'
import type { VisibleEvent } from '../events/visible-events.ts'
import type { EventHub, Listener, ListenerLimit } from './event-hub.ts'
import { type FeedReader, FeedRound } from './feed-round.ts'

/** How long a client waits before it reconnects. */
const RETRY_MILLISECONDS = 2000

/**
 * The feed as endless server-sent events from a position on. A slow client gets events later, and needs no memory for
 * them.
 */
export class EventStream extends Readable implements Listener {
  private readonly db: Db
  private readonly who: FeedReader
  private readonly leave: () => void
  private after: number
  /** The last position that the client knows of. */
  private known: number
  private isFull = false
  private isAdvancing = false
  private isBehind = false

  constructor(db: Db, hub: EventHub, who: FeedReader, limit: ListenerLimit, after: number) {
    super()
    this.db = db
    this.who = who
    this.after = after
    this.known = after
    this.push(`retry: ${RETRY_MILLISECONDS}\nid: ${after}\n\n`)
    this.leave = hub.add(this, limit)
  }

  async advance(round: FeedRound) {
    this.isBehind = true
    if (this.isAdvancing) return
    this.isAdvancing = true
    while (this.isBehind && !this.isFull && !this.destroyed && !this.readableEnded) {
      const { events, reached, hasMore, reachesInbox } = await round.pageFor(this.who, this.after)
      this.isBehind = hasMore
      this.after = reached
      if (events.length > 0) this.sendEvents(events)
      if (reachesInbox) this.isFull = !this.push(INBOX_FRAME)
    }
    this.isAdvancing = false
  }

  /**
   * Sends the position reached, so that a client that reconnects does not read again past events that it may not see.
   */
  beat() {
    if (this.isFull || this.readableEnded) return
    this.push(this.known === this.after ? ':\n\n' : `id: ${this.after}\n\n`)
    this.known = this.after
  }

  end() {
    this.leave?.()
    if (!this.readableEnded && !this.destroyed) this.push(null)
  }

  override _read() {
    if (!this.isFull) return
    this.isFull = false
    if (this.isBehind) this.advance(new FeedRound(this.db)).catch(() => this.end())
  }

  override _destroy(fault: Error | null, done: (fault: Error | null) => void) {
    this.leave()
    done(fault)
  }

  private sendEvents(events: readonly VisibleEvent[]) {
    this.known = events.at(-1)?.id ?? this.known
    this.isFull = !this.push(events.map(frameOf).join(''))
  }
}

/** Without an id, because it is no event of the feed: it is for the reader of this stream alone. */
const INBOX_FRAME = 'event: inbox.update\ndata: {"type":"inbox.update"}\n\n'

function frameOf(event: VisibleEvent) {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
