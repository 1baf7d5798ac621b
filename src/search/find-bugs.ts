import { sql } from 'kysely'
import { bugsVisibleTo, viewerOf } from '../access/visible-bugs.ts'
import type { Builder } from '../platform/database/builder.ts'
import { errors } from '../platform/errors.ts'
import { bugsAnswering } from './compile.ts'
import { allOf, anyOf, type Condition } from './conditions.ts'
import { type SortKey, sortKeys } from './order.ts'
import type { Query, Search } from './query.ts'
import type { SearchScene } from './search-scene.ts'

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
  const keys = sortKeys(scene, search)
  const bugs = await bugsAnswering(scene, search.where)
  const rows = (builder: Builder) => {
    let query = bugs(builder).select(sql<number>`bugs.id`.as('value'))
    if (page.after) query = query.where(comesAfter(keys, page.after))
    for (const { by, descending } of keys) query = query.orderBy(by, descending ? 'desc' : 'asc')
    if (page.limit !== undefined) query = query.limit(Math.min(page.limit, MOST) + 1)
    return page.limit === undefined || page.offset === undefined ? query : query.offset(page.offset)
  }
  // As one text: rows of one number each would take ten times the time and the memory.
  const [found] = await scene.db.querySlowly((q, d) => q.selectNoFrom(d.jsonListOf(sql`${rows(q)}`).as('ids')))
  const ids = JSON.parse(found?.ids ?? '[]') as number[]
  if (page.limit === undefined) return { ids: ids.slice(page.offset) }
  if (ids.length <= page.limit) return { ids }
  const shown = ids.slice(0, page.limit)
  const last = shown.at(-1)
  return last === undefined ? { ids: shown } : { ids: shown, next: await placeOf(scene, keys, last) }
}

export async function countBugs(scene: SearchScene, where: Query): Promise<number> {
  const bugs = await bugsAnswering(scene, where)
  const [counted] = await scene.db.querySlowly((q) => bugs(q).select(sql<number>`count(*)`.as('count')))
  return Number(counted?.count ?? 0)
}

async function placeOf({ db, settings, caller }: SearchScene, keys: readonly SortKey[], id: number): Promise<Place> {
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
