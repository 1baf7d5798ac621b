// Long results as async iteration: the bugs of a search page by page, and the events of the feed as they happen.
import type { FieldsIn } from '../shared/rest-address.ts'
import type { Answer, ParamsOf, Selected } from './call-types.ts'
import type { Client, RequestOptions } from './client.ts'
import { type Patience, readWhenReachable } from './reconnect.ts'
import { pause } from './retries.ts'

type Search = ParamsOf<'GET /bug'>
type FoundBug<Params> =
  Selected<Answer<'GET /bug'>, FieldsIn<Params>> extends { bugs?: (infer Bug)[] | undefined } ? Bug : never

const BUGS_AT_ONCE = 500

/** Every bug that a search finds, in its order. The next page is read when it is needed; `limit` is the size of a page. */
export async function* everyBug<const Params extends Search>(
  client: Client,
  search: Params,
  options?: RequestOptions,
): AsyncGenerator<FoundBug<Params>> {
  let cursor: string | undefined
  do {
    const page = await client.get('/bug', { limit: BUGS_AT_ONCE, ...search, cursor } as Search, options)
    yield* (page.bugs ?? []) as FoundBug<Params>[]
    cursor = page.next_cursor
  } while (cursor !== undefined)
}

export type TrackerEvent = Answer<'GET /event'>['events'][number]

export type EventOptions = RequestOptions & Patience

const LONGEST_WAIT_SECONDS = 60
const SHORTEST_WAIT_SECONDS = 1
/** A response that does not come by then is lost with its connection. */
const LOST_AFTER_SECONDS = LONGEST_WAIT_SECONDS + 30

/**
 * Events after a position (`0` is the beginning, and by default only new ones), without an end. The `id` of an event, as a text, is where to go on after it.
 * While the server is away, it connects again and again, and goes on where it was.
 */
export async function* everyEvent(
  client: Client,
  after?: string,
  { giveUpAfterSeconds, ...options }: EventOptions = {},
): AsyncGenerator<TrackerEvent> {
  const page = (params: ParamsOf<'GET /event'>) =>
    readWhenReachable(() => client.get('/event', params, { ...options, signal: endingSignal(options.signal) }), {
      ...(options.signal && { signal: options.signal }),
      ...(giveUpAfterSeconds !== undefined && { giveUpAfterSeconds }),
    })
  let cursor = after ?? (await page({ limit: 1 })).next_cursor
  for (;;) {
    const asked = performance.now()
    const { events, next_cursor: next } = await page({ after: cursor, wait: LONGEST_WAIT_SECONDS })
    yield* events
    cursor = next
    // A server, or a proxy, that does not wait would be asked as often as it answers.
    const isEarly = performance.now() - asked < SHORTEST_WAIT_SECONDS * 1000
    if (events.length === 0 && isEarly) await pause(SHORTEST_WAIT_SECONDS, options.signal)
  }
}

function endingSignal(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(LOST_AFTER_SECONDS * 1000)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}
