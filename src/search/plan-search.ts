import { countLikely, isIndexDriven } from './conditions/candidates.ts'
import { compile } from './conditions/compile.ts'
import { textsKnownFor, textsOfMostRelevant, textsUncounted, wordsWanted } from './conditions/content.ts'
import { scanStateOf } from './conditions/text-conditions.ts'
import { lastOf } from './listing/first-bugs.ts'
import { allIds } from './listing/id-ranges.ts'
import { type IndexedOrder, indexedOrderOf } from './listing/indexed-order.ts'
import { MOST, type ResultPage } from './listing/list-ids.ts'
import type { SortKey } from './listing/order.ts'
import type {
  AllMatches,
  CountMatches,
  FirstBugs,
  ListingPlan,
  MostRelevant,
  ThresholdDecision,
} from './listing/search-plan.ts'
import type { Query, Search } from './parsing/query.ts'
import type { SearchContext } from './search-context.ts'
import { requireSmall } from './search-limits.ts'
import type { KnownTexts } from './text/known-texts.ts'
import {
  CANDIDATES_FOR_A_BUG,
  CANDIDATES_TESTED_FIRST,
  FIRST_BUGS_TESTED_UNCOUNTED,
  LONGEST_PAGE,
  LONGEST_PAGE_UNCOUNTED,
  MANY_CANDIDATES_FOR_RANGES,
  MANY_CANDIDATES_TO_SORT,
  MANY_CANDIDATES_TO_TEST,
} from './thresholds.ts'

/**
 * Where a page is sorted by relevance: the bugs with every word in their summary may fill it, and among them the id decides. Otherwise a
 * word that half of all bugs have would have half of all bugs ranked.
 */
export async function planMostRelevant(
  context: SearchContext,
  { where, order }: Search,
  page: ResultPage,
  keys: readonly SortKey[],
): Promise<MostRelevant | undefined> {
  const words = wordsWanted(where)
  const isAmongBest = page.after === undefined || page.after[0] === words.all.length
  const size = pageSize(page)
  if (order[0]?.column !== 'relevance' || keys.length !== 2 || size.actual > LONGEST_PAGE || !isAmongBest)
    return undefined
  const texts = textsOfMostRelevant(where)
  const condition = await compile(context, where, texts)
  if (scanStateOf(condition) !== undefined) return undefined
  return { strategy: 'most_relevant', condition, texts, decisions: [size], words }
}

/**
 * Where a page is sorted by an index, and texts are searched for: on an engine that reads in order, the first bugs are tested, if so many are
 * likely to match that they fill the page. Not where indexes find candidates without the texts, or where there are few bugs.
 */
export async function planFirstBugs(
  context: SearchContext,
  search: Search,
  page: ResultPage,
): Promise<FirstBugs | undefined> {
  const order = indexedOrderOf(search, page.after?.[0])
  const size = compared('LONGEST_PAGE_UNCOUNTED', LONGEST_PAGE_UNCOUNTED, pageSize(page).actual)
  const texts = context.db.dialect.readsInOrder ? textsUncounted(search.where) : undefined
  // With more sort keys, the first bugs are not known without comparing these.
  const isSimple = search.order.length <= 1 && size.actual <= LONGEST_PAGE_UNCOUNTED
  if (texts === undefined || order === undefined || !isSimple) return undefined
  const condition = await compile(context, search.where, texts)
  if (condition.candidates !== undefined || scanStateOf(condition) !== undefined) return undefined
  const tested = FIRST_BUGS_TESTED_UNCOUNTED.at(-1) ?? 0
  const { to: all } = await allIds(context.db)
  const known = await compile(context, search.where, await textsKnownFor(context, search.where))
  const likely = compared(
    'FIRST_BUGS_TESTED_UNCOUNTED',
    size.actual,
    Math.round((countLikely(known, all) * tested) / all),
  )
  if (likely.actual < likely.limit) return undefined
  const last = await lastOf(context.db, order, FIRST_BUGS_TESTED_UNCOUNTED[1] ?? 0)
  return last === undefined ? undefined : { strategy: 'first_bugs', condition, texts, decisions: [size, likely], order }
}

export async function planListing(context: SearchContext, search: Search, page: ResultPage): Promise<ListingPlan> {
  const { condition, texts } = await compileAll(context, search.where)
  const scan = scanStateOf(condition)
  if (scan) return { strategy: 'scan_texts', condition, texts, decisions: [], scan }
  return planPage(context, search, page, { strategy: 'all_matches', condition, texts, decisions: [] })
}

export async function planCount(context: SearchContext, query: Query): Promise<CountMatches> {
  return { strategy: 'count_matches', ...(await compileAll(context, query)), decisions: [] }
}

/** Where all matches are wanted, all bugs with a word are, even with a common one. */
async function compileAll(context: SearchContext, query: Query) {
  requireSmall(query)
  const texts = await textsKnownFor(context, query)
  return { condition: await compile(context, query, { ...texts, common: new Set() }), texts }
}

/**
 * Where an index has the order, the first bugs of all may fill the page. SQLite would find and sort all that match, however many they are;
 * it is left to do so where indexes find few candidates.
 */
async function planPage(
  context: SearchContext,
  search: Search,
  page: ResultPage,
  otherwise: AllMatches,
): Promise<ListingPlan> {
  const { texts } = otherwise
  const order = indexedOrderOf(search, page.after?.[0])
  if (order === undefined) return otherwise
  const size = pageSize(page)
  if (size.actual > LONGEST_PAGE) return { ...otherwise, decisions: [size] }
  const condition = texts.common.size === 0 ? otherwise.condition : await compile(context, search.where, texts)
  const planned = { condition, texts }
  if (context.db.dialect.readsInOrder) return { strategy: 'all_matches', ...planned, decisions: [size] }
  const estimate = condition.candidates?.estimate
  if (estimate === undefined) return { strategy: 'first_bugs', ...planned, decisions: [size], order, otherwise }
  const toRange = compared('MANY_CANDIDATES_FOR_RANGES', MANY_CANDIDATES_FOR_RANGES, estimate)
  if (order.column === 'id' && isAboutTexts(texts) && estimate >= MANY_CANDIDATES_FOR_RANGES)
    return { strategy: 'id_ranges', ...planned, decisions: [size, toRange] }
  const decisions = [size, compared('MANY_CANDIDATES_TO_SORT', MANY_CANDIDATES_TO_SORT, estimate)]
  if (estimate < MANY_CANDIDATES_TO_SORT)
    return planFirstCandidates(search, page, order, { strategy: 'all_matches', ...planned, decisions })
  return { strategy: 'first_bugs', ...planned, decisions, order, otherwise }
}

/** Sorting some thousands of candidates takes little, but testing each of them takes long: those after the page need no test. */
function planFirstCandidates(
  search: Search,
  page: ResultPage,
  order: IndexedOrder,
  otherwise: AllMatches,
): ListingPlan {
  const { candidates } = otherwise.condition
  const most = CANDIDATES_TESTED_FIRST
  // Where nothing was counted there may be few, and all bugs would be walked along.
  const isWorthwhile =
    candidates !== undefined &&
    isAboutTexts(otherwise.texts) &&
    isIndexDriven(candidates) &&
    candidates.estimate >= MANY_CANDIDATES_TO_TEST
  // With more sort keys, or after a position, the first candidates are not known without comparing these.
  const isSimple = search.order.length === 1 && page.after === undefined
  const share = compared('CANDIDATES_TESTED_FIRST', most, pageSize(page).actual * CANDIDATES_FOR_A_BUG)
  if (!isWorthwhile || !isSimple || share.actual > most) return otherwise
  const decisions = [...otherwise.decisions, share]
  return { ...otherwise, strategy: 'first_candidates', candidates, order, most, decisions, otherwise }
}

function pageSize({ limit = MOST, offset = 0 }: ResultPage): ThresholdDecision {
  return compared('LONGEST_PAGE', LONGEST_PAGE, limit + offset)
}

function compared(threshold: string, limit: number, actual: number): ThresholdDecision {
  return { threshold, limit, actual }
}

function isAboutTexts({ parts, places }: KnownTexts) {
  return parts.size + places.size > 0
}
