import { sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import type { TriageQueue } from '../../catalogue/triage-queues/queue.ts'
import { parametersIn } from '../../people/saved-searches/saved-search.ts'
import { ApiError } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { findBugs } from '../../search/find-bugs.ts'
import { countBugs } from '../../search/listing/bug-count-store.ts'
import { readSearch } from '../../search/parsing/parse-url.ts'
import type { Search } from '../../search/parsing/query.ts'
import { type SearchContext, searchContextOf } from '../../search/search-context.ts'
import { isUndecided, listSettled, listSnoozes } from './triage-store.ts'

/** The search of a queue, as the reader runs it. */
export interface QueueSearch {
  context: SearchContext
  search: Search
}

/** The oldest first. Bugs that are snoozed, or about which something was decided since they changed, are left out. Throws the error that the search has for the reader. */
export async function queueSearch(context: CallContext, queue: TriageQueue): Promise<QueueSearch> {
  const searchContext = await searchContextOf(context)
  const { where } = await readSearch(searchContext, parametersIn(queue.query))
  const snoozed = await listSnoozes(context.db, queue.id, timeNow())
  const others = new Set([...snoozed.map(({ bug_id }) => bug_id), ...(await listSettled(context.db, queue.id))])
  const isNoOther = { field: 'bug_id', operator: 'nowords', value: [...others].map(String) } as const
  const waiting = others.size === 0 ? where : { all: [where, isNoOther] }
  return { context: searchContext, search: { where: waiting, order: [] } }
}

export function countQueue({ context, search }: QueueSearch): Promise<number> {
  return countBugs(context, search.where)
}

/** Null if the search is refused for the reader, for example because it needs a right, or if there is no time left. */
export async function countQueueOrNull(context: CallContext, queue: TriageQueue): Promise<number | null> {
  if (performance.now() >= context.request.readLimits.deadline) return null
  try {
    return await countQueue(await queueSearch(context, queue))
  } catch (fault) {
    if (fault instanceof ApiError) return null
    throw fault
  }
}

export async function idsInQueue({ context, search }: QueueSearch, most: number): Promise<readonly number[]> {
  const { ids } = await findBugs(context, search, { limit: most, offset: undefined, after: undefined })
  return ids
}

/** How many waiting bugs were filed since then, of which nothing was decided since. */
export function countNew({ context, search }: QueueSearch, queue: number, since: string): Promise<number> {
  return countBugs(context, search.where, sql<boolean>`(bugs.created_at >= ${since} and ${isUndecided(queue, since)})`)
}
