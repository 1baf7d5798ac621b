import { sql } from 'kysely'
import { bugsVisibleTo, viewerOf } from '../access/visibility/visible-bugs.ts'
import type { Builder } from '../platform/database/statements/builder.ts'
import { bugsWith, compile } from './conditions/compile.ts'
import { allOf, type Condition, countGathered, countLikely, indexDriven } from './conditions/conditions.ts'
import { textsKnownFor, textsOfMostRelevant, wordsWanted } from './conditions/content.ts'
import { scannedOf } from './conditions/text-conditions.ts'
import { extentOf, firstBugs, indexedOrderOf } from './listing/first-bugs.ts'
import { listIds, MOST, type Page, requirePlaceIn, type SortPosition } from './listing/list-ids.ts'
import { listScanned } from './listing/list-scanned.ts'
import { type SortKey, sortKeys } from './listing/order.ts'
import type { Search } from './parsing/query.ts'
import type { SearchContext } from './search-context.ts'
import { requireSmall } from './search-limits.ts'
import type { KnownTexts } from './text/known-texts.ts'
import { mostRelevant } from './text/matches-words.ts'

export interface SearchResult {
  readonly ids: readonly number[]
  /** The place of the last one, when there are more after it. */
  readonly next?: SortPosition
}

/** The bugs that answer a search, in its order: only their numbers, so that a million of them are a few megabytes. */
export async function findBugs(given: SearchContext, search: Search, page: Page): Promise<SearchResult> {
  requireSmall(search.where)
  const context = { ...given, referred: new WeakMap() }
  const keys = sortKeys(context, search)
  const best = await findMostRelevant(context, search, page, keys)
  if (best) return best
  const texts = await textsKnownFor(context, search.where)
  // All that have a word are wanted, be they ever so many.
  const condition = await compile(context, search.where, { ...texts, common: new Set() })
  const scanned = scannedOf(condition)
  const ids = scanned
    ? await listScanned(context, search, page, keys, scanned)
    : ((await listFirst(context, search, page, keys, texts, condition)) ??
      (await listIds(context, bugsWith(context, indexDriven(condition)), keys, page)))
  if (page.limit === undefined) return { ids: ids.slice(page.offset) }
  const shown = ids.slice(0, page.limit)
  const last = ids.length > page.limit ? shown.at(-1) : undefined
  return last === undefined ? { ids: shown } : { ids: shown, next: await placeOf(context, search, last) }
}

/**
 * The page, where the first bugs of all in its order fill it. SQLite would gather and sort all that answer, however many they are; that
 * is left to it where an index leads to few of them.
 */
async function listFirst(
  context: SearchContext,
  search: Search,
  page: Page,
  keys: readonly SortKey[],
  texts: KnownTexts,
  whole: Condition,
): Promise<number[] | undefined> {
  const { limit = MOST, offset = 0, after } = page
  const order = indexedOrderOf(search, after?.[0])
  if (order === undefined || limit + offset > FEW) return undefined
  const condition = texts.common.size === 0 ? whole : await compile(context, search.where, texts)
  const about = countGathered(condition) ?? MOST
  const isListed = order.column === 'id' && about >= MANY_LISTED && about < MOST && isAboutTexts(texts)
  if (isListed && !context.db.dialect.readsInOrder)
    return listRangeByRange(context, search, page, keys, texts, condition)
  if (context.db.dialect.readsInOrder || about < MANY)
    return listIds(context, bugsWith(context, indexDriven(condition)), keys, page)
  for (const most of texts.common.size > 0 && order.column !== 'id' ? FIRST_WITH_WORDS : FIRST) {
    const { isAmong, range } = await firstBugs(context.db, order, most)
    const holds = range ? await compile(context, search.where, { ...texts, range }) : condition
    const ids = await listIds(context, bugsWith(context, allOf([isAmong, holds])), keys, page)
    if (ids.length > limit) return ids
  }
  return undefined
}

/**
 * The page, in the order of ids, where lists lead to the bugs: the lists are read no further than it takes to fill it. Each range is as
 * wide as it has to be if bugs go on to be as frequent as they were so far.
 */
async function listRangeByRange(
  context: SearchContext,
  search: Search,
  { limit = MOST, offset = 0, after }: Page,
  keys: readonly SortKey[],
  texts: KnownTexts,
  condition: Condition,
): Promise<number[]> {
  if (after) requirePlaceIn(keys, after)
  const { first, last } = await extentOf(context.db)
  const descending = keys[0]?.descending ?? false
  const start = after === undefined ? undefined : Number(after[0])
  let left = descending
    ? { from: first, to: Math.min(last, (start ?? MOST) - 1) }
    : { from: Math.max(first, (start ?? 0) + 1), to: last }
  const wanted = limit + offset + 1
  const found: number[] = []
  let seen = 0
  const all = last - first + 1
  let width = Math.ceil(Math.min(all, (MARGIN * wanted * all) / countLikely(condition, all)))
  while (left.from <= left.to && found.length < wanted) {
    const range = descending
      ? { from: Math.max(left.from, left.to - width + 1), to: left.to }
      : { from: left.from, to: Math.min(left.to, left.from + width - 1) }
    const holds = indexDriven(await compile(context, search.where, { ...texts, range }))
    // Plus nothing: else SQLite might read the whole range, and not the lists.
    const isNear = sql<boolean>`(+bugs.id >= ${range.from} and +bugs.id <= ${range.to})`
    const bugs = bugsWith(context, allOf([holds, isNear]))
    found.push(
      ...(await listIds(context, bugs, keys, { limit: wanted - found.length - 1, offset: 0, after: undefined })),
    )
    left = descending ? { from: left.from, to: range.from - 1 } : { from: range.to + 1, to: left.to }
    seen += range.to - range.from + 1
    const likely = (MARGIN * seen * (wanted - found.length)) / found.length
    width = Math.ceil(Math.min(GROWTH * seen, Math.max(seen / GROWTH, likely)))
  }
  return found.slice(offset)
}

/** From so many listed bugs on, it is quicker to read the lists piece by piece. */
const MANY_LISTED = 2000
/** From few bugs nothing can be concluded for many times as many. */
const GROWTH = 2
const MARGIN = 1.25

function isAboutTexts({ parts, places }: KnownTexts) {
  return parts.size + places.size > 0
}

/** To gather and sort fewer takes no longer than to look through the first ones. */
const MANY = 30_000
const FIRST = [1000, 10_000]
/** To look for a common word in one bug takes a hundred times as long as to look at anything else of it. */
const FIRST_WITH_WORDS = [300]
const FEW = 1000
const MOST_CANDIDATES = 3000

/**
 * The page, where the most relevant bugs fill it: those with every word in their summary, among which the id decides. Else a word that
 * half of all bugs have would have half of all bugs ranked.
 */
async function findMostRelevant(
  context: SearchContext,
  { where, order }: Search,
  { limit = MOST, offset = 0, after }: Page,
  keys: readonly SortKey[],
): Promise<SearchResult | undefined> {
  const wanted = wordsWanted(where)
  const best = wanted.all.length
  const isFirst = after === undefined || after[0] === best
  if (order[0]?.column !== 'relevance' || keys.length !== 2 || limit + offset > FEW || !isFirst) return undefined
  const condition = await compile(context, where, textsOfMostRelevant(where))
  if (scannedOf(condition) !== undefined) return undefined
  const bugs = bugsWith(context, indexDriven(condition))
  const from = after === undefined ? 0 : Number(after[1]) + 1
  const among = (builder: Builder) =>
    bugs(builder).where(sql<boolean>`bugs.id in (${mostRelevant(context.db.dialect, wanted, from, MOST_CANDIDATES)})`)
  const ids = await listIds(context, among, keys.slice(1), { limit, offset, after: undefined })
  const shown = ids.slice(0, limit)
  const last = shown.at(-1)
  return ids.length <= limit || last === undefined ? undefined : { ids: shown, next: [best, last] }
}

async function placeOf(context: SearchContext, search: Search, id: number): Promise<SortPosition> {
  const keys = sortKeys(context, search, { from: id, to: id })
  if (keys.length === 1) return [id]
  const { db, settings, caller } = context
  const columns = keys.map(({ by }, place) => by.as(`key${place}`))
  const [row] = await db.query((q, d) =>
    bugsVisibleTo(q, d, settings, viewerOf(caller)).select(columns).where('bugs.id', '=', id),
  )
  return keys.map((_, place) => (row as Record<string, string | number> | undefined)?.[`key${place}`] ?? '')
}
