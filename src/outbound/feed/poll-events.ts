import type { Db } from '../../platform/database/db.ts'
import type { VisibleEvent } from '../events/visible-events.ts'
import type { EventHub, Listener, ListenerLimit } from './event-hub.ts'
import { type FeedReader, FeedRound } from './feed-round.ts'

interface PollRequest {
  after: number
  most: number
  waitSeconds: number
}

export interface PollResult {
  events: VisibleEvent[]
  /** The position where to continue. */
  reached: number
}

/** How long to read on in a part of the feed that the caller may not see. */
const LONGEST_LOOK_MILLISECONDS = 1000

/** Returns the events after a position. If there are none, waits for some. */
export async function pollEvents(
  db: Db,
  hub: EventHub,
  who: FeedReader,
  limit: ListenerLimit,
  requested: PollRequest,
): Promise<PollResult> {
  const now = await look(new FeedRound(db), who, requested)
  if (now.events.length > 0 || now.hasMore || requested.waitSeconds === 0 || hub.isEnded) return now
  return waitFor(hub, who, limit, { ...requested, after: now.reached })
}

async function look(round: FeedRound, who: FeedReader, { after, most }: Omit<PollRequest, 'waitSeconds'>) {
  const end = performance.now() + LONGEST_LOOK_MILLISECONDS
  let reached = after
  let hasMore = true
  const events: VisibleEvent[] = []
  while (hasMore && events.length < most && performance.now() < end) {
    const page = await round.pageFor(who, reached)
    events.push(...page.events)
    reached = page.reached
    hasMore = page.hasMore
  }
  const cut = events.slice(0, most)
  const isCut = cut.length < events.length
  return { events: cut, reached: isCut ? (cut.at(-1)?.id ?? after) : reached, hasMore: hasMore || isCut }
}

function waitFor(
  hub: EventHub,
  who: FeedReader,
  limit: ListenerLimit,
  { after, most, waitSeconds }: PollRequest,
): Promise<PollResult> {
  return new Promise((resolve, reject) => {
    let reached = after
    let isAdvancing = false
    let leave: (() => void) | undefined
    let late: NodeJS.Timeout | undefined
    const settled = (settle: () => void) => {
      leave?.()
      clearTimeout(late)
      settle()
    }
    const listener: Listener = {
      async advance(round) {
        if (isAdvancing) return
        isAdvancing = true
        try {
          const found = await look(round, who, { after: reached, most })
          reached = found.reached
          if (found.events.length > 0) settled(() => resolve(found))
        } catch (fault) {
          settled(() => reject(fault))
        }
        isAdvancing = false
      },
      end: () => settled(() => resolve({ events: [], reached })),
    }
    leave = hub.add(listener, limit)
    late = setTimeout(listener.end, waitSeconds * 1000)
  })
}
