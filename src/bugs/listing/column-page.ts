import { sql } from 'kysely'
import { bugsUnfiltered, isVisible, keyOfRules, type ViewerParams } from '../../access/visibility/visible-bugs.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { type Placeholders, type Statement, statement } from '../../platform/database/statements/statement.ts'
import type { BugColumn } from '../../platform/database/tables.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { type ColumnSearch, columnSearchOf, hasOneOf, paddedIds } from '../../search/column-search.ts'
import { type Bugs, type ResultPage, type SortPosition, withJoins } from '../../search/listing/list-ids.ts'
import { type SortKey, sortKeys } from '../../search/listing/order.ts'
import type { Search } from '../../search/parsing/query.ts'
import type { SearchContext } from '../../search/search-context.ts'
import { LONGEST_PAGE_BY_COLUMNS } from '../../search/thresholds.ts'
import type { BugRowRead, BugView } from '../reading/bug-view.ts'
import { withRequestedParts } from '../reading/bug-view-query.ts'
import { type BugQuery, nameOfParts, withNames } from '../reading/bug-view-store.ts'

/** A page of bugs that were found and read with one statement. */
export interface ColumnPage {
  readonly views: readonly BugView[]
  /** The position of the last one, when there are more after it. */
  readonly next?: SortPosition
}

/** Who reads which parts and columns of bugs. */
export interface ColumnPageQuery extends BugQuery {
  readonly columns: readonly BugColumn[]
}

/**
 * The page of a search that asks only for ids in columns, as most lists do. The statement is compiled once for all searches of the same
 * shape, and runs where the request is served, because it tests few rows. Undefined for other searches, and where it would test more.
 */
export async function columnPage(
  context: SearchContext,
  search: Search,
  page: ResultPage,
  query: ColumnPageQuery,
): Promise<ColumnPage | undefined> {
  const { limit, offset = 0, after } = page
  if (limit === undefined || limit > LONGEST_PAGE_BY_COLUMNS || after !== undefined) return undefined
  const found = await columnSearchOf(context, search)
  if (found === undefined) return undefined
  context.onPlan?.({ strategy: 'by_columns', decisions: [] })
  const { params, ...shape } = shapeOf(context, search, found, query, limit)
  const known = statements.get(shape.key) ?? statements.set(shape.key, statementOf(context, search, shape))
  const rows = await context.db.allOfFewRows(known.statement, { ...query.viewer, offset, ...params })
  if (rows === undefined) return undefined
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const views = await withNames(query, last === undefined ? rows : rows.slice(0, limit))
  return last === undefined ? { views } : { views, next: known.keys.map((_, place) => last[`key${place}`] ?? '') }
}

/** What searches of the same statement have in common. */
interface PageShape {
  readonly key: string
  readonly columns: readonly ShapeColumn[]
  readonly isOrdered: boolean
  /** Nothing of the request: statements are kept. */
  readonly read: Pick<ColumnPageQuery, 'rules' | 'parts' | 'columns'>
  readonly most: number
}

/** A column with the names of its ids among the parameters. */
interface ShapeColumn {
  readonly column: string
  readonly isIndexed: boolean
  readonly names: readonly string[]
}

function shapeOf(
  { db: { dialect } }: SearchContext,
  { order }: Search,
  { ids, indexed, isOrdered }: ColumnSearch,
  query: ColumnPageQuery,
  limit: number,
): PageShape & { params: Readonly<Record<string, number>> } {
  const params: Record<string, number> = {}
  const columns: ShapeColumn[] = []
  let key = `${dialect.engine} ${keyOfRules(query.rules)} ${nameOfParts(query.parts)} ${query.columns} ${limit}`
  for (const [column, values] of ids) {
    const names: string[] = []
    for (const id of paddedIds(values)) {
      const name = `${column}${names.length}`
      params[name] = id
      names.push(name)
    }
    const isIndexed = indexed.has(column)
    columns.push({ column, isIndexed, names })
    key += ` ${column} ${isIndexed} ${names.length}`
  }
  for (const { column, descending } of order) key += ` ${column} ${descending}`
  const { rules, parts } = query
  return { key, columns, isOrdered, read: { rules, parts, columns: query.columns }, most: limit + 1, params }
}

type PageParams = ViewerParams & { offset: number } & Record<string, number | string>
type PageRow = BugRowRead & Record<`key${number}`, string | number>

interface PageStatement {
  readonly statement: Statement<PageParams, PageRow>
  readonly keys: readonly SortKey[]
}

const MOST_STATEMENTS = 500
const statements = new BoundedCache<PageStatement>(MOST_STATEMENTS)

function statementOf(context: SearchContext, search: Search, shape: PageShape): PageStatement {
  const keys = sortKeys(context, search)
  const page = shape.isOrdered ? pageInOrder : pageOfSorted
  return { keys, statement: statement<PageParams>()((q, p, d) => page(shape, keys, q, p, d).$castTo<PageRow>()) }
}

type WritePage = (
  shape: PageShape,
  keys: readonly SortKey[],
  q: Builder,
  p: Placeholders<PageParams>,
  d: Dialect,
) => ReturnType<Bugs>

/** Bugs are tested in their order until there are enough, and read at once. */
const pageInOrder: WritePage = (shape, keys, q, p, d) =>
  firstOf(shape, keys, withColumns(matching(shape, q, p, d), shape, keys, p, d), p)

/** All bugs that match are sorted before the first of them are read. */
const pageOfSorted: WritePage = (shape, keys, q, p, d) => {
  const ids = firstOf(shape, keys, matching(shape, q, p, d).select('bugs.id'), p)
  const bugs = bugsUnfiltered(q, 'the ids are those of bugs that the caller may see')
  const read = withColumns(bugs.where(d.isInShortList(sql.ref('bugs.id'), sql`${ids}`)), shape, keys, p, d)
  return sorted(withJoins(read, keys), keys)
}

function matching({ columns, read }: PageShape, q: Builder, p: Placeholders<PageParams>, d: Dialect): ReturnType<Bugs> {
  // Each row is counted before it is tested for anything else.
  let bugs = q.selectFrom('bugs').where(d.isRowAllowed)
  for (const { column, isIndexed, names } of columns)
    bugs = bugs.where(
      hasOneOf(
        d,
        column,
        isIndexed,
        names.map((name) => sql`${p[name]}`),
      ),
    )
  return bugs.where(isVisible(d, read.rules, p))
}

function withColumns(
  bugs: ReturnType<Bugs>,
  { read: { rules, parts, columns } }: PageShape,
  keys: readonly SortKey[],
  p: Placeholders<PageParams>,
  d: Dialect,
): ReturnType<Bugs> {
  const read = withRequestedParts(bugs, { dialect: d, rules, viewer: p }, parts, 'ids', columns)
  return read.select(keys.map(({ by }, place) => by.as(`key${place}`)))
}

function firstOf(
  { most }: PageShape,
  keys: readonly SortKey[],
  bugs: ReturnType<Bugs>,
  p: Placeholders<PageParams>,
): ReturnType<Bugs> {
  return sorted(withJoins(bugs, keys), keys).limit(sql.lit(most)).offset(p.offset)
}

function sorted<Query extends ReturnType<Bugs>>(query: Query, keys: readonly SortKey[]): Query {
  let ordered: ReturnType<Bugs> = query
  for (const { by, descending } of keys) ordered = ordered.orderBy(by, descending ? 'desc' : 'asc')
  return ordered as Query
}
