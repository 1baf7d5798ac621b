import { sql } from 'kysely'
import type { SignedIn } from '../../access/caller.ts'
import { productConditions } from '../../access/visibility/visible-products.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { CONTROL } from '../../platform/database/coded-values.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { lastDayBefore, type NewSeries, type Series } from './series.ts'

const COLUMNS = [
  'series.id',
  'series.product_id',
  'products.name as product',
  'series.component_id',
  'components.name as component',
  'series.creator_id',
  'users.login as creator',
  'series.category',
  'series.subcategory',
  'series.name',
  'series.query',
  'series.frequency',
  'series.is_public',
  'series.created_at',
] as const

function allSeries(q: Builder) {
  return q
    .selectFrom('series')
    .leftJoin('products', 'products.id', 'series.product_id')
    .leftJoin('components', 'components.id', 'series.component_id')
    .leftJoin('users', 'users.id', 'series.creator_id')
    .select(COLUMNS)
}

export interface SeriesFilter {
  id?: number
  category?: string
  subcategory?: string
}

/** The series that a user may see: of products in which the user may search, public ones without a product, and the user's own. */
export function listSeriesFor(db: Db, caller: SignedIn, settings: Settings, filter: SeriesFilter): Promise<Series[]> {
  return db.query((q, d) => {
    const { isSelectable } = productConditions(d, caller, settings)
    const isOpen = sql<boolean>`(series.is_public = 1 and (series.product_id is null or ${isSelectable}))`
    const isOwn = sql<boolean>`(series.is_public = 0 and series.creator_id = ${caller.id})`
    let query = allSeries(q).where(sql<boolean>`(${isOpen} or ${isOwn})`)
    if (filter.id !== undefined) query = query.where('series.id', '=', filter.id)
    if (filter.category !== undefined) query = query.where('series.category', '=', filter.category)
    if (filter.subcategory !== undefined) query = query.where('series.subcategory', '=', filter.subcategory)
    return query.orderBy('series.category').orderBy('series.subcategory').orderBy('series.id')
  })
}

const newestCounts = statement<object>()((q) =>
  q
    .selectFrom('series')
    .leftJoin('series_counts', 'series_counts.series_id', 'series.id')
    .select(['series.id', 'series.frequency'])
    .select((row) => row.fn.max('series_counts.on_day').as('newest'))
    .groupBy(['series.id', 'series.frequency'])
    .orderBy('series.id'),
)

/** The ids of the series that are due on that day. */
export async function seriesDue(db: Db, day: string): Promise<number[]> {
  const all = await db.all(newestCounts, {})
  return all
    .filter(({ newest, frequency }) => newest === null || newest <= lastDayBefore(day, frequency))
    .map(({ id }) => id)
}

const byId = statement<{ id: number }>()((q, p) => allSeries(q).where('series.id', '=', p.id))

export function findSeries(db: Db, id: number): Promise<Series | undefined> {
  return db.first(byId, { id })
}

const insert = statement<Omit<NewSeries, 'is_public'> & { is_public: 0 | 1; creatorId: number; now: string }>()(
  (q, p) =>
    q
      .insertInto('series')
      .values({
        product_id: null,
        component_id: null,
        creator_id: p.creatorId,
        category: p.category,
        subcategory: p.subcategory,
        name: p.name,
        query: p.query,
        frequency: p.frequency,
        is_public: p.is_public,
        created_at: p.now,
      })
      .returning('id'),
)
const alike = statement<{ creatorId: number; category: string; subcategory: string; name: string }>()((q, p) =>
  q
    .selectFrom('series')
    .select('id')
    .where('creator_id', '=', p.creatorId)
    .where('category', '=', p.category)
    .where('subcategory', '=', p.subcategory)
    .where('name', '=', p.name),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('series').where('id', '=', p.id))

export async function insertSeries(tx: Db, creatorId: number, series: NewSeries): Promise<number> {
  const row = { ...series, is_public: series.is_public ? (1 as const) : (0 as const), creatorId, now: timeNow() }
  return (await tx.first(insert, row))?.id as number
}

export async function isNameTaken(tx: Db, creatorId: number, { category, subcategory, name }: NewSeries) {
  return (await tx.first(alike, { creatorId, category, subcategory, name })) !== undefined
}

const ofCreator = statement<{ creatorId: number }>()((q, p) =>
  q
    .selectFrom('series')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('creator_id', '=', p.creatorId)
    .where('product_id', 'is', null),
)

/** Those that the user made; series of products are not counted. */
export async function countSeriesOf(tx: Db, creatorId: number): Promise<number> {
  return Number((await tx.first(ofCreator, { creatorId }))?.count ?? 0)
}

export async function deleteSeries(tx: Db, id: number) {
  await tx.all(remove, { id })
}

const insertCount = statement<{ seriesId: number; day: string; count: number }>()((q, p) =>
  q
    .insertInto('series_counts')
    .values({ series_id: p.seriesId, on_day: p.day, bug_count: p.count })
    .onConflict((conflict) => conflict.doNothing()),
)
const counts = statement<{ seriesId: number; from: string; to: string }>()((q, p) =>
  q
    .selectFrom('series_counts')
    .select(['on_day', 'bug_count'])
    .where('series_id', '=', p.seriesId)
    .where('on_day', '>=', p.from)
    .where('on_day', '<=', p.to)
    .orderBy('on_day'),
)

/** A count of the same day is kept. Nothing is stored for a series that was deleted meanwhile. */
export async function storeCount(db: Db, seriesId: number, day: string, count: number) {
  try {
    await db.all(insertCount, { seriesId, day, count })
  } catch (fault) {
    if (!db.dialect.isForeignKeyViolation(fault)) throw fault
  }
}

export function listCounts(db: Db, seriesId: number, from: string, to: string) {
  return db.all(counts, { seriesId, from, to })
}

const mandatoryGroups = statement<{ productId: number }>()((q, p) =>
  q
    .selectFrom('group_controls')
    .select('group_id')
    .where('product_id', '=', p.productId)
    .where('member_control', '=', CONTROL.Mandatory),
)

/** The groups that a user must be in to search in a product. */
export async function mandatoryGroupsOf(db: Db, productId: number): Promise<number[]> {
  return (await db.all(mandatoryGroups, { productId })).map(({ group_id }) => group_id)
}
