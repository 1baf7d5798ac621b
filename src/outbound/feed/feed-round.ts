import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import type { OutboundEvent } from '../events/event.ts'
import { factsOf } from '../events/event-facts.ts'
import { listEventsAfter } from '../events/outbox-store.ts'
import { type EventReader, type VisibleEvent, visibleEvents } from '../events/visible-events.ts'
import { restrictedAmong } from './feed-store.ts'
import { readerKind } from './reader-kind.ts'

/** Somebody with a key or a token; the same key stands for the same person. */
export interface FeedReader {
  key: string
  /** With the rights of this moment. Throws when the key is no longer good. */
  read(): Promise<EventReader>
}

/** How many events are looked at before anything is told of them. */
const MOST_AT_ONCE = 200

/** A piece of the feed as it is told to somebody. */
export interface FeedPage {
  events: VisibleEvent[]
  /** Where the next piece begins: also past what was not told. */
  reached: number
  /** Whether more has happened by now. */
  hasMore: boolean
}

/**
 * What many listeners are told at one moment. Most of them stand at the same place in the feed and may know the same, so that what is read
 * for one of them serves them all. It is used for a moment and thrown away: rights change.
 */
export class FeedRound {
  private readonly db: Db
  private readonly events = new Map<number, Promise<OutboundEvent[]>>()
  private readonly readers = new Map<string, Promise<EventReader>>()
  private readonly pages = new Map<string, Promise<FeedPage>>()
  private readonly isPersonal = new Map<OutboundEvent[], Promise<boolean>>()

  constructor(db: Db) {
    this.db = db
  }

  /** Whoever reads is asked for only when there is something to read: to know who it is takes a query. */
  async pageFor(who: FeedReader, after: number): Promise<FeedPage> {
    const most = MOST_AT_ONCE
    const events = await kept(this.events, after, () => listEventsAfter(this.db, after, most))
    if (events.length === 0) return { events: [], reached: after, hasMore: false }
    const reader = await kept(this.readers, who.key, () => who.read())
    const isPersonal = await kept(this.isPersonal, events, () => isAboutWhoReads(this.db, events))
    const whose = isPersonal ? JSON.stringify(viewerOf(reader.caller)) : ''
    return kept(this.pages, [after, readerKind(reader), whose].join(' '), async () => ({
      events: await visibleEvents(reader, events),
      reached: events.at(-1)?.position ?? after,
      hasMore: events.length === most,
    }))
  }
}

function kept<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, read: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? read()
  known.set(key, value)
  return value
}

/** Fields whose lines are told to everybody who sees the bug and is of the same kind; others may name hidden bugs. */
const PLAIN = new Set([
  ...[
    'summary',
    'status',
    'resolution',
    'priority',
    'severity',
    'op_sys',
    'platform',
    'version',
    'component',
    'product',
  ],
  ...[
    'target_milestone',
    'whiteboard',
    'url',
    'keywords',
    'alias',
    'assigned_to',
    'qa_contact',
    'cc',
    'deadline',
    'groups',
  ],
  ...['is_confirmed', 'is_cc_accessible', 'is_creator_accessible', 'estimated_time', 'remaining_time', 'work_time'],
])

/** Whether two readers of one kind may know different things of these events. In doubt they may. */
async function isAboutWhoReads(db: Db, events: readonly OutboundEvent[]): Promise<boolean> {
  if (!events.every(isPlain)) return true
  return (
    (
      await restrictedAmong(
        db,
        events.map(({ bugId }) => bugId),
      )
    ).length > 0
  )
}

function isPlain(event: OutboundEvent) {
  // Who could see a deleted bug cannot be looked up any more; see deleted-bug.ts.
  if (event.kind === 'bug.delete') return false
  const { fields, commentId, attachmentId } = factsOf(event)
  if (attachmentId !== null || !fields.every((field) => PLAIN.has(field))) return false
  // A comment that comes alone with an update may say that a hidden bug is a duplicate of this one.
  return event.kind !== 'bug.update' || commentId === null || fields.length > 0
}
