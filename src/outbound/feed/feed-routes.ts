import { isLoopback, networkOf } from '../../access/authentication/real-address.ts'
import { type CallContext, call } from '../../access/call.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { FileAnswer } from '../../platform/wire/http/answer.ts'
import { integer, text } from '../../platform/wire/params.ts'
import { assignPositions, forgottenPosition, newestPosition } from '../events/outbox-store.ts'
import { eventHub, type ListenerLimit } from './event-hub.ts'
import { Events } from './event-schema.ts'
import { EventStream } from './event-stream.ts'
import { feedReader } from './feed-reader.ts'
import { pollEvents } from './poll-events.ts'

const MOST_EVENTS = 1000
const LONGEST_WAIT_SECONDS = 60

const getEvents = call({
  method: 'GET',
  path: '/event',
  resource: 'event',
  summary: 'Read the event feed.',
  about:
    'All changes that the caller may see now, each once and in the order in which they happened. With Accept: text/event-stream the response is an endless stream of server-sent events; Last-Event-ID resumes a stream.',
  params: {
    after: text(
      'Where to continue: the next_cursor of the previous response. 0 is the beginning; by default only new events are returned.',
    ),
    wait: integer(`Seconds to wait for an event if there is none; at most ${LONGEST_WAIT_SECONDS}, 0 by default.`),
    limit: integer(`Maximum number of events; at most ${MOST_EVENTS}, 100 by default.`),
  },
  answers: Events,
  otherForms: { 'event-stream': 'text/event-stream' },
  scope: 'read',
  run: (context) =>
    context.form === undefined ? poll(context, context.params) : stream(context, context.params.after),
})

export const feedRoutes = [getEvents] as const

interface PollParams {
  after: string | undefined
  wait: number | undefined
  limit: number | undefined
}

async function poll(context: CallContext, { after, wait = 0, limit = 100 }: PollParams) {
  if (wait < 0) throw errors.number_too_small({ name: 'wait', value: wait, least: '0' })
  if (limit < 1) throw errors.number_too_small({ name: 'limit', value: limit, least: '1' })
  const { db, serverParts } = context
  const { events, reached } = await pollEvents(
    db,
    serverParts.get(eventHub),
    feedReader(context),
    listenerLimitOf(context),
    {
      after: await positionAt(db, 'after', after),
      most: Math.min(limit, MOST_EVENTS),
      waitSeconds: Math.min(wait, LONGEST_WAIT_SECONDS),
    },
  )
  return { events, next_cursor: String(reached) }
}

async function stream(context: CallContext, after: string | undefined) {
  const { db, lastEventId, serverParts } = context
  // A browser that reconnects uses the first URL, and sends its last position in the header.
  const isBack = lastEventId !== undefined && lastEventId !== ''
  const from = await positionAt(db, isBack ? 'Last-Event-ID' : 'after', isBack ? lastEventId : after)
  return new FileAnswer({
    size: undefined,
    heldBytes: LISTENER_BYTES,
    etag: '',
    headers: {
      'Content-Type': 'text/event-stream; charset=UTF-8',
      'Cache-Control': 'no-store',
      // Asks buffering proxies to pass events on at once.
      'X-Accel-Buffering': 'no',
    },
    open: async () =>
      new EventStream(db, serverParts.get(eventHub), feedReader(context), listenerLimitOf(context), from),
  })
}

/** A listener that reads nothing holds a page of events; its buffers are short. */
const LISTENER_BYTES = 64 * 1024

/** Anonymous callers are counted by address; those on this machine are not limited, as everywhere. */
function listenerLimitOf({ caller, address, settings }: CallContext): ListenerLimit {
  const most = settings.feed_listeners
  if (caller.id !== null) return { who: `user ${caller.id}`, most }
  return { who: `address ${networkOf(address)}`, most: isLoopback(address) ? 0 : most }
}

/**
 * A position that the feed has not reached comes from another database, or from before a backup was restored. That is
 * an error, so that the client does not wait for it.
 */
async function positionAt(db: Db, name: string, cursor: string | undefined): Promise<number> {
  const newest = await reachedPosition(db)
  if (cursor === undefined) return newest
  const position = /^\d{1,10}$/.test(cursor) ? Number(cursor) : Number.NaN
  if (position > 0 && position < (await forgottenPosition(db))) throw errors.events_forgotten({ name, value: cursor })
  if (position <= newest) return position
  throw errors.bad_value({
    name,
    value: cursor,
    right: 'it must be a next_cursor from this feed, or 0 for its beginning',
  })
}

/** Assigns positions first, so that callers find their own latest changes in the feed at once. */
async function reachedPosition(db: Db) {
  await assignPositions(db)
  return newestPosition(db)
}
