// Long results as async iteration: the bugs of a search page by page, and the events of the feed as they happen.
import type { FieldsIn } from '../shared/rest-address.ts'
import type { Answer, ParamsOf, Selected } from './call-types.ts'
import type { Client, RequestOptions } from './client.ts'

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

const LONGEST_WAIT_SECONDS = 60

/** Events after a position (`0` is the beginning, and by default only new ones), without an end. `position` is where to go on after the event. */
export async function* everyEvent(
  client: Client,
  after?: string,
  options?: RequestOptions,
): AsyncGenerator<TrackerEvent> {
  let cursor = after ?? (await client.get('/event', { limit: 1 }, options)).next_cursor
  for (;;) {
    const page = await client.get('/event', { after: cursor, wait: LONGEST_WAIT_SECONDS }, options)
    yield* page.events
    cursor = page.next_cursor
  }
}
