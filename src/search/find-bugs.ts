import { sql } from 'kysely'
import { bugsVisibleTo, viewerOf } from '../access/visible-bugs.ts'
import type { Builder } from '../platform/database/builder.ts'
import { errors } from '../platform/errors.ts'
import { bugsAnswering, bugsWith, compile, requireFewCriteria } from './compile.ts'
import { allOf, anyOf, type Condition, countGathered, led } from './conditions.ts'
import { textsKnownFor, textsOfMostRelevant, wordsWanted } from './content.ts'
import { firstBugs, indexedOrderOf } from './first-bugs.ts'
import { type SortKey, sortKeys } from './order.ts'
import type { Search } from './query.ts'
import type { SearchScene } from './search-scene.ts'
import type { KnownTexts } from './text/known-texts.ts'
import { mostRelevant } from './text/matches-words.ts'

/** Which of the answers are wanted; without a limit, all of them. */
export interface Page {
  readonly limit: number | undefined
  readonly offset: number | undefined
  /** Only those that come after this place. */
  readonly after: Place | undefined
}

/** Where an answer stands in its order: what it is sorted by, with its id at the end. */
export type Place = readonly (string | number)[]

export interface Found {
  readonly ids: readonly number[]
  /** The place of the last one, when there are more after it. */
  readonly next?: Place
}

/** The bugs that answer a search, in its order: only their numbers, so that a million of them are a few megabytes. */
export async function findBugs(scene: SearchScene, search: Search, page: Page): Promise<Found> {
  requireFewCriteria(search.where)
  const keys = sortKeys(scene, search)
  const best = await findMostRelevant(scene, search, page, keys)
  if (best) return best
  const texts = await textsKnownFor(scene, search.where)
  const ids = (await listFirst(scene, search, page, keys, texts)) ?? (await listAll(scene, search, page, keys, texts))
  if (page.limit === undefined) return { ids: ids.slice(page.offset) }
  const shown = ids.slice(0, page.limit)
  const last = ids.length > page.limit ? shown.at(-1) : undefined
  return last === undefined ? { ids: shown } : { ids: shown, next: await placeOf(scene, keys, last) }
}

type Bugs = ReturnType<typeof bugsWith>

/** Of a page with a limit, one more than wanted, if there is one. */
async function listIds(scene: SearchScene, bugs: Bugs, keys: readonly SortKey[], page: Page): Promise<number[]> {
  const rows = (builder: Builder) => {
    let query = bugs(builder).select(sql<number>`bugs.id`.as('value'))
    if (page.after) query = query.where(comesAfter(keys, page.after))
    for (const { by, descending } of keys) query = query.orderBy(by, descending ? 'desc' : 'asc')
    if (page.limit !== undefined) query = query.limit(Math.min(page.limit, MOST) + 1)
    return page.limit === undefined || page.offset === undefined ? query : query.offset(page.offset)
  }
  // As one text: rows of one number each would take ten times the time and the memory.
  const [found] = await scene.db.querySlowly((q, d) => q.selectNoFrom(d.jsonListOf(sql`${rows(q)}`).as('ids')))
  return JSON.parse(found?.ids ?? '[]') as number[]
}

async function listAll(
  scene: SearchScene,
  search: Search,
  page: Page,
  keys: readonly SortKey[],
  texts: KnownTexts,
): Promise<number[]> {
  // All that have a word are wanted, be they ever so many.
  const bugs = await bugsAnswering(scene, search.where, { ...texts, common: new Set() })
  return listIds(scene, bugs, keys, page)
}

/**
 * The page, where the first bugs of all in its order fill it. SQLite would gather and sort all that answer, however many they are; that
 * is left to it where an index leads to few of them.
 */
async function listFirst(
  scene: SearchScene,
  search: Search,
  page: Page,
  keys: readonly SortKey[],
  texts: KnownTexts,
): Promise<number[] | undefined> {
  const { limit = MOST, offset = 0, after } = page
  const order = indexedOrderOf(search, after?.[0])
  if (order === undefined || limit + offset > FEW) return undefined
  const condition = await compile(scene, search.where, texts)
  const isNarrow = (countGathered(condition) ?? MOST) < MANY
  if (scene.db.dialect.readsInOrder || isNarrow) return listIds(scene, bugsWith(scene, led(condition)), keys, page)
  for (const most of texts.common.size > 0 && order.column !== 'id' ? FIRST_WITH_WORDS : FIRST) {
    const { isAmong, range } = await firstBugs(scene.db, order, most)
    const holds = range ? await compile(scene, search.where, { ...texts, range }) : condition
    const ids = await listIds(scene, bugsWith(scene, allOf([isAmong, holds])), keys, page)
    if (ids.length > limit) return ids
  }
  return undefined
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
  scene: SearchScene,
  { where, order }: Search,
  { limit = MOST, offset = 0, after }: Page,
  keys: readonly SortKey[],
): Promise<Found | undefined> {
  const wanted = wordsWanted(where)
  const best = wanted.all.length
  const isFirst = after === undefined || after[0] === best
  if (order[0]?.column !== 'relevance' || keys.length !== 2 || limit + offset > FEW || !isFirst) return undefined
  const bugs = await bugsAnswering(scene, where, textsOfMostRelevant(where))
  const from = after === undefined ? 0 : Number(after[1]) + 1
  const among = (builder: Builder) =>
    bugs(builder).where(sql<boolean>`bugs.id in (${mostRelevant(scene.db.dialect, wanted, from, MOST_CANDIDATES)})`)
  const ids = await listIds(scene, among, keys.slice(1), { limit, offset, after: undefined })
  const shown = ids.slice(0, limit)
  const last = shown.at(-1)
  return ids.length <= limit || last === undefined ? undefined : { ids: shown, next: [best, last] }
}

async function placeOf({ db, settings, caller }: SearchScene, keys: readonly SortKey[], id: number): Promise<Place> {
  if (keys.length === 1) return [id]
  const columns = keys.map(({ by }, place) => by.as(`key${place}`))
  const [row] = await db.querySlowly((q, d) =>
    bugsVisibleTo(q, d, settings, viewerOf(caller)).select(columns).where('bugs.id', '=', id),
  )
  return keys.map((_, place) => (row as Record<string, string | number> | undefined)?.[`key${place}`] ?? '')
}

/** More than any database of bugs holds, and less than would be a fault of the query. */
const MOST = 2 ** 31

/** Whether a bug comes after a place: by the first thing that they differ in. */
function comesAfter(keys: readonly SortKey[], place: Place): Condition {
  if (place.length !== keys.length || !keys.every(({ kind }, at) => fits(kind, place[at])))
    throw errors.bad_value({ name: 'cursor', value: place, right: 'it must be the next_cursor of an earlier answer' })
  const differsFirstAt = keys.map(({ by, descending }, at) =>
    allOf([
      ...keys.slice(0, at).map((before, earlier) => sql<boolean>`${before.by} = ${place[earlier]}`),
      descending ? sql<boolean>`${by} < ${place[at]}` : sql<boolean>`${by} > ${place[at]}`,
    ]),
  )
  return anyOf(differsFirstAt)
}

function fits(kind: SortKey['kind'], value: string | number | undefined) {
  return kind === 'text' ? typeof value === 'string' : typeof value === 'number' && Math.abs(value) < MOST
}
