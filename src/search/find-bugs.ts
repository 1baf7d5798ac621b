import { bugsVisibleTo, viewerOf } from '../access/visibility/visible-bugs.ts'
import { listByTexts } from './by-texts/list-by-texts.ts'
import { indexDriven } from './conditions/candidates.ts'
import { bugsWith } from './conditions/compile.ts'
import { listFirstBugs, listFirstUncounted } from './listing/first-bugs.ts'
import { listFirstCandidates } from './listing/first-candidates.ts'
import { listIdRanges } from './listing/id-ranges.ts'
import { listIds, type ResultPage, type SortPosition, withJoins } from './listing/list-ids.ts'
import { listScanned } from './listing/list-scanned.ts'
import { listMostRelevant } from './listing/most-relevant.ts'
import { type SortKey, sortKeys } from './listing/order.ts'
import type { ListingPlan } from './listing/search-plan.ts'
import type { Search } from './parsing/query.ts'
import { planFirstBugs, planListing, planMostRelevant } from './plan-search.ts'
import type { SearchContext } from './search-context.ts'
import { requireSmall } from './search-limits.ts'

export interface SearchResult {
  readonly ids: readonly number[]
  /** The position of the last one, when there are more after it. */
  readonly next?: SortPosition
}

/** The bugs that match a search, in its order: only their ids, so that a million of them take a few megabytes. */
export async function findBugs(searchContext: SearchContext, search: Search, page: ResultPage): Promise<SearchResult> {
  requireSmall(search.where)
  const byTexts = await listByTexts(searchContext, search, page)
  if (byTexts !== undefined) return byTexts
  const context: SearchContext = { ...searchContext, references: new Map() }
  const keys = sortKeys(context, search)
  const best = await planMostRelevant(context, search, page, keys)
  if (best) context.onPlan?.(best)
  const firstPage = best && (await listMostRelevant(context, best, page, keys))
  if (firstPage) return firstPage
  const first = await planFirstBugs(context, search, page)
  if (first) context.onPlan?.(first)
  const firstIds = first && (await listFirstUncounted(context, page, keys, first))
  const ids = firstIds ?? (await listAsPlanned(context, search, page, keys, await planListing(context, search, page)))
  if (page.limit === undefined) return { ids: ids.slice(page.offset) }
  const shown = ids.slice(0, page.limit)
  const last = ids.length > page.limit ? shown.at(-1) : undefined
  return last === undefined ? { ids: shown } : { ids: shown, next: await positionOf(context, search, last) }
}

async function listAsPlanned(
  context: SearchContext,
  search: Search,
  page: ResultPage,
  keys: readonly SortKey[],
  plan: ListingPlan,
): Promise<number[]> {
  context.onPlan?.(plan)
  switch (plan.strategy) {
    case 'scan_texts':
      return listScanned(context, search, page, keys, plan.scan)
    case 'id_ranges':
      return listIdRanges(context, search, page, keys, plan)
    case 'first_bugs':
      return (
        (await listFirstBugs(context, search, page, keys, plan)) ??
        listAsPlanned(context, search, page, keys, plan.otherwise)
      )
    case 'first_candidates':
      return (
        (await listFirstCandidates(context, page, keys, plan)) ??
        listAsPlanned(context, search, page, keys, plan.otherwise)
      )
    case 'all_matches':
      return listIds(context, bugsWith(context, indexDriven(plan.condition)), keys, page)
  }
}

async function positionOf(context: SearchContext, search: Search, id: number): Promise<SortPosition> {
  const keys = sortKeys(context, search, { from: id, to: id })
  if (keys.length === 1) return [id]
  const { db, settings, caller } = context
  const columns = keys.map(({ by }, index) => by.as(`key${index}`))
  const [row] = await db.query((q, d) =>
    withJoins(bugsVisibleTo(q, d, settings, viewerOf(caller)), keys)
      .select(columns)
      .where('bugs.id', '=', id),
  )
  return keys.map((_, index) => (row as Record<string, string | number> | undefined)?.[`key${index}`] ?? '')
}
