import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { fieldsWith } from '../../bug-fields/fields-with.ts'
import { FIELDS_OF_BUGS } from '../../bug-fields/recorded-fields.ts'
import type { Db } from '../../platform/database/db.ts'
import type { OutboundEvent } from '../events/event.ts'
import { factsOf } from '../events/event-facts.ts'
import { listEventsAfter } from '../events/outbox-store.ts'
import { type EventReader, type VisibleEvent, visibleEvents } from '../events/visible-events.ts'
import { restrictedAmong } from './feed-store.ts'
import { readerKind } from './reader-kind.ts'

/** A client with its credentials; the same key means the same user. */
export interface FeedReader {
  key: string
  /** Returns the reader with their current rights. Throws if the credentials are no longer valid. */
  read(): Promise<EventReader>
}

/** How many events are read before any is sent. */
const MOST_EVENTS_AT_ONCE = 200

/** A page of the feed for one reader. */
export interface FeedPage {
  events: VisibleEvent[]
  /** The position where the next page begins, past events that the reader may not see. */
  reached: number
  /** Whether there are more events already. */
  hasMore: boolean
  /** The ids of the users whose inboxes the events of this page reach, as far as the events say it. */
  concerned: ReadonlySet<number>
}

/** A page, and whether it reaches the inbox of its reader. */
export type FeedPageOfReader = Omit<FeedPage, 'concerned'> & { reachesInbox: boolean }

/**
 * Serves many listeners at one moment. Most of them have the same position and the same rights, so what is read for one
 * serves all. It lives only for a moment, because rights change.
 */
export class FeedRound {
  private readonly db: Db
  /** Also looks up readers for whom there is nothing new, so that a stream ends with its key or session. */
  private readonly looksUpAll: boolean
  private readonly events = new Map<number, Promise<OutboundEvent[]>>()
  private readonly readers = new Map<string, Promise<EventReader>>()
  private readonly pages = new Map<string, Promise<FeedPage>>()
  private readonly isPersonal = new Map<OutboundEvent[], Promise<boolean>>()

  constructor(db: Db, looksUpAll = false) {
    this.db = db
    this.looksUpAll = looksUpAll
  }

  /** Otherwise the reader is looked up only if there are events, because the lookup takes a query. */
  async pageFor(who: FeedReader, after: number): Promise<FeedPageOfReader> {
    const most = MOST_EVENTS_AT_ONCE
    const events = await cached(this.events, after, () => listEventsAfter(this.db, after, most))
    const isNothing = events.length === 0
    const nothing = { events: [], reached: after, hasMore: false, reachesInbox: false }
    if (isNothing && !this.looksUpAll) return nothing
    const reader = await cached(this.readers, who.key, () => who.read())
    if (isNothing) return nothing
    const isPersonal = await cached(this.isPersonal, events, () => dependsOnReader(this.db, events))
    const readerKey = isPersonal ? JSON.stringify(viewerOf(reader.caller)) : ''
    const { concerned, ...page } = await cached(
      this.pages,
      [after, readerKind(reader), readerKey].join(' '),
      async () => {
        const visible = await visibleEvents(reader, events)
        return {
          events: visible,
          reached: events.at(-1)?.position ?? after,
          hasMore: events.length === most,
          concerned: concernedBy(events, new Set(visible.map(({ id }) => id))),
        }
      },
    )
    return { ...page, reachesInbox: reader.caller.id !== null && concerned.has(reader.caller.id) }
  }
}

/** The users other than the actor who have a role in the bug of a visible event, are asked in it or mentioned. */
function concernedBy(events: readonly OutboundEvent[], visible: ReadonlySet<number>): ReadonlySet<number> {
  const concerned = new Set<number>()
  for (const event of events) {
    if (!visible.has(event.position) || event.kind === 'bug.delete') continue
    const { flags, mentioned } = factsOf(event)
    const { assignedTo, qaContact, creator, cc } = event.people ?? {
      assignedTo: 0,
      qaContact: null,
      creator: 0,
      cc: [],
    }
    const reached = [assignedTo, qaContact, creator, ...cc, ...flags.map((flag) => flag.requestee_id), ...mentioned]
    for (const id of reached) if (id !== null && id !== event.userId) concerned.add(id)
  }
  return concerned
}

function cached<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, read: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? read()
  known.set(key, value)
  return value
}

/** Fields whose changes look the same to all readers of one kind who see the bug. Others may name hidden bugs. */
const PLAIN = fieldsWith(
  ({ name, of, kind, changedBy }) =>
    of === undefined && kind !== 'flags' && changedBy !== undefined && !FIELDS_OF_BUGS.has(name),
)

/** Whether two readers of one kind may see these events differently. In doubt: yes. */
async function dependsOnReader(db: Db, events: readonly OutboundEvent[]): Promise<boolean> {
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
  // Who could see a deleted bug cannot be queried any more; see deleted-bug.ts.
  // A comment that is edited may be about a hidden duplicate.
  if (event.kind === 'bug.delete' || event.kind === 'comment.update') return false
  const { fields, commentId, attachmentId } = factsOf(event)
  if (attachmentId !== null || !fields.every((field) => PLAIN.has(field))) return false
  // A comment without field changes may say that a hidden bug is a duplicate of this one.
  return event.kind !== 'bug.update' || commentId === null || fields.length > 0
}
