import { compile } from './conditions/compile.ts'
import { textsKnownFor, textsOfMostRelevant, wordsWanted } from './conditions/content.ts'
import { scanStateOf } from './conditions/text-conditions.ts'
import { indexedOrderOf } from './listing/indexed-order.ts'
import { MOST, type Page } from './listing/list-ids.ts'
import type { SortKey } from './listing/order.ts'
import type { AllMatches, ListingPlan, MostRelevant } from './listing/search-plan.ts'
import type { Search } from './parsing/query.ts'
import type { SearchContext } from './search-context.ts'
import type { KnownTexts } from './text/known-texts.ts'
import { LONGEST_PAGE, MANY_CANDIDATES_FOR_RANGES, MANY_CANDIDATES_TO_SORT } from './thresholds.ts'

/**
 * Where a page is sorted by relevance: the bugs with every word in their summary may fill it, and among them the id decides. Otherwise a
 * word that half of all bugs have would have half of all bugs ranked.
 */
export async function planMostRelevant(
  context: SearchContext,
  { where, order }: Search,
  { limit = MOST, offset = 0, after }: Page,
  keys: readonly SortKey[],
): Promise<MostRelevant | undefined> {
  const words = wordsWanted(where)
  const isAmongBest = after === undefined || after[0] === words.all.length
  if (order[0]?.column !== 'relevance' || keys.length !== 2 || limit + offset > LONGEST_PAGE || !isAmongBest)
    return undefined
  const condition = await compile(context, where, textsOfMostRelevant(where))
  return scanStateOf(condition) === undefined ? { strategy: 'most_relevant', condition, words } : undefined
}

export async function planListing(context: SearchContext, search: Search, page: Page): Promise<ListingPlan> {
  const texts = await textsKnownFor(context, search.where)
  // All bugs with a word are wanted, even with a common one.
  const condition = await compile(context, search.where, { ...texts, common: new Set() })
  const scan = scanStateOf(condition)
  if (scan) return { strategy: 'scan_texts', condition, scan }
  return planPage(context, search, page, texts, { strategy: 'all_matches', condition })
}

/**
 * Where an index has the order, the first bugs of all may fill the page. SQLite would find and sort all that match, however many they are;
 * it is left to do so where indexes find few candidates.
 */
async function planPage(
  context: SearchContext,
  search: Search,
  { limit = MOST, offset = 0, after }: Page,
  texts: KnownTexts,
  otherwise: AllMatches,
): Promise<ListingPlan> {
  const order = indexedOrderOf(search, after?.[0])
  if (order === undefined || limit + offset > LONGEST_PAGE) return otherwise
  const condition = texts.common.size === 0 ? otherwise.condition : await compile(context, search.where, texts)
  const { readsInOrder } = context.db.dialect
  const estimate = condition.candidates?.estimate ?? MOST
  const isListed =
    order.column === 'id' && estimate >= MANY_CANDIDATES_FOR_RANGES && estimate < MOST && isAboutTexts(texts)
  if (isListed && !readsInOrder) return { strategy: 'id_ranges', condition, texts }
  if (readsInOrder || estimate < MANY_CANDIDATES_TO_SORT) return { strategy: 'all_matches', condition }
  return { strategy: 'first_bugs', condition, texts, order, otherwise }
}

function isAboutTexts({ parts, places }: KnownTexts) {
  return parts.size + places.size > 0
}
