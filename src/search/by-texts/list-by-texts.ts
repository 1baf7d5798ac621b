import { sql } from 'kysely'
import { fieldOfColumn } from '../../../shared/bug-fields/field-names.ts'
import {
  isVisible,
  keyOfRules,
  type ViewerParams,
  type VisibilityRules,
  viewerOf,
} from '../../access/visibility/visible-bugs.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import { type Placeholders, type Statement, statement } from '../../platform/database/statements/statement.ts'
import type { Dialect, IdRange } from '../../platform/dialects/dialect.ts'
import { hasOneOf, paddedIds } from '../column-search.ts'
import type { Condition } from '../conditions/condition.ts'
import { indexedOrderOf } from '../listing/indexed-order.ts'
import { MOST, type ResultPage, type SortPosition, withJoins } from '../listing/list-ids.ts'
import { SORTED_FOR_EVERYBODY, type SortKey, sortKeys } from '../listing/order.ts'
import type { Search } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { estimateOf } from '../text/estimates.ts'
import { keyOf } from '../text/known-texts.ts'
import { IDS_LISTED, LONGEST_PAGE_BY_TEXTS } from '../thresholds.ts'
import { type GroupIds, type ListedIds, readLists } from './listed-ids.ts'
import { type TextGroup, type TextSearch, textSearchOf } from './text-search.ts'

export interface TextPage {
  readonly ids: readonly number[]
  readonly next?: SortPosition
}

/**
 * The page of a search for words and parts of texts. Two statements, each compiled once for all searches of its shape, read the first ids
 * of the lists that indexes have, and test these bugs. Undefined for other searches, and where these bugs do not fill the page.
 */
export async function listByTexts(
  context: SearchContext,
  search: Search,
  page: ResultPage,
): Promise<TextPage | undefined> {
  const { limit = MOST, offset = 0, after } = page
  if (limit + offset > LONGEST_PAGE_BY_TEXTS || !isPlainlySorted(search)) return undefined
  const order = indexedOrderOf(search, undefined)
  const isById = order?.column === 'id'
  if (after !== undefined && !(isById && typeof after[0] === 'number')) return undefined
  const found = await textSearchOf(context, search)
  if (found === undefined) return undefined
  const descending = isById && order.descending
  const range = rangeAfter(after?.[0] as number | undefined, descending)
  const listOrder = isById ? (descending ? 'desc' : 'asc') : 'any'
  const lengths = isById ? lengthsInOrder(context, found, page) : [IDS_LISTED]
  if (!(await areFewPlaces(context, found))) return undefined
  context.onPlan?.({ strategy: 'by_texts', decisions: [] })
  for (const most of lengths) {
    const listed = await readLists(context, found.groups, { range, order: listOrder, most })
    if (listed === undefined) return undefined
    const { complete } = listed
    if (complete === undefined || (!isById && complete !== range)) continue
    const rows = await readPage(context, search, found, listed, complete, page)
    if (complete === range || rows.length > limit) return pageOf(rows, limit)
  }
  return undefined
}

/**
 * How many ids of each list are read at first, and then. Other conditions leave a part of the bugs. PostgreSQL has no order of words, so that
 * only whole lists help.
 */
function lengthsInOrder(
  { db }: SearchContext,
  { ids, groups }: TextSearch,
  { limit = MOST, offset = 0 }: ResultPage,
): readonly number[] {
  const first = (limit + offset + 1) * (ids.size + groups.length > 1 ? 4 : 2)
  if (!db.dialect.estimatesRows) return [first, IDS_LISTED]
  return groups.some(({ terms }) => terms.length > 0) ? [IDS_LISTED] : [first]
}

/** Where words are listed as a whole: whether that is likely to be possible. */
async function areFewPlaces(context: SearchContext, { groups }: TextSearch): Promise<boolean> {
  const { dialect } = context.db
  if (!dialect.estimatesRows) return true
  for (const term of groups.flatMap(({ terms }) => terms))
    if ((await estimateOf(context, keyOf(term), dialect.bugsWithWords('bug_words', term))) >= IDS_LISTED) return false
  return true
}

function pageOf(rows: readonly PageRow[], limit: number): TextPage {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const ids = rows.slice(0, limit).map(({ id }) => id)
  return last === undefined ? { ids } : { ids, next: positionIn(last) }
}

/** By columns whose order is the same for every caller. */
function isPlainlySorted({ order }: Search) {
  return order.every(({ column }) => SORTED_FOR_EVERYBODY.has(fieldOfColumn(column)))
}

function rangeAfter(last: number | undefined, descending: boolean): IdRange {
  if (last === undefined) return { from: 0, to: LARGEST }
  return descending ? { from: 0, to: last - 1 } : { from: last + 1, to: LARGEST }
}

const LARGEST = 2 ** 31 - 1

/** The bugs that may match: those that the lists of every group have. */
function candidatesIn({ groups }: ListedIds, { from, to }: IdRange): number[] {
  const [smallest, ...others] = groups.toSorted((one, other) => one.possible.size - other.possible.size)
  return [...(smallest?.possible ?? [])].filter(
    (id) => id >= from && id <= to && others.every(({ possible }) => possible.has(id)),
  )
}

async function readPage(
  context: SearchContext,
  search: Search,
  { ids, groups }: TextSearch,
  listed: ListedIds,
  complete: IdRange,
  { limit = MOST, offset = 0 }: ResultPage,
): Promise<readonly PageRow[]> {
  const candidates = candidatesIn(listed, complete)
  if (candidates.length === 0) return []
  const { db, caller, settings } = context
  const params: Record<string, string | number> = {
    ...viewerOf(caller),
    ...{ candidates: JSON.stringify(candidates), limit: Math.min(limit, MOST) + 1, offset },
  }
  const columns = [...ids].map(([column, values]): ShapeColumn => {
    const names = paddedIds(values).map((_, place) => `${column}${place}`)
    for (const [place, id] of paddedIds(values).entries()) params[names[place] as string] = id
    return { column, names }
  })
  const tests = groups.map((group, number) => testOf(db.dialect, group, listed.groups[number], number, params))
  const rules = { or_groups: settings.or_groups, useqacontact: settings.useqacontact }
  const orders = search.order.map(({ column, descending }) => `${column} ${descending}`)
  const key = [db.dialect.engine, keyOfRules(rules), JSON.stringify([columns, tests]), orders].join(' ')
  const known =
    statements.get(key) ?? statements.set(key, statementOf(rules, columns, tests, sortKeys(context, search)))
  return (await db.allOfFewRows(known, params)) ?? []
}

interface ShapeColumn {
  readonly column: string
  readonly names: readonly string[]
}

/** How a bug is tested for a group: the columns with the parts that they may contain, and the ids that need no test. */
interface GroupTest {
  readonly parts: readonly { column: string; name: string }[]
  readonly certain: string | undefined
}

function testOf(
  dialect: Dialect,
  { parts }: TextGroup,
  listed: GroupIds | undefined,
  group: number,
  params: Record<string, string | number>,
): GroupTest {
  const tested = parts.map(({ column, text }, place) => {
    const name = `group${group}part${place}`
    params[name] = dialect.textsToFind({ text, pieces: [] }).part
    return { column, name }
  })
  // With parts alone, no bug is certain.
  const certain = listed === undefined || listed.certain.size === 0 ? undefined : `group${group}`
  if (certain !== undefined) params[certain] = JSON.stringify([...(listed?.certain ?? [])])
  return { parts: tested, certain }
}

type PageRow = { id: number } & Record<`key${number}`, string | number>
type PageStatement = Statement<Record<string, string | number>, PageRow>

const MOST_STATEMENTS = 300
const statements = new BoundedCache<PageStatement>(MOST_STATEMENTS)

function statementOf(
  rules: VisibilityRules,
  columns: readonly ShapeColumn[],
  tests: readonly GroupTest[],
  keys: readonly SortKey[],
): PageStatement {
  return statement<Record<string, string | number>>()((q, p, d) => {
    const viewer = p as unknown as Placeholders<ViewerParams>
    let bugs = q.selectFrom('bugs').where('bugs.id', 'in', d.integersIn(p.candidates as never))
    for (const { column, names } of columns)
      bugs = bugs.where(
        hasOneOf(
          d,
          column,
          false,
          names.map((name) => sql`${p[name]}`),
        ),
      )
    for (const test of tests) bugs = bugs.where(groupHolds(d, test, p))
    let sorted = withJoins(bugs.where(isVisible(d, rules, viewer)), keys)
    for (const { by, descending } of keys) sorted = sorted.orderBy(by, descending ? 'desc' : 'asc')
    return sorted
      .select('bugs.id')
      .select(keys.map(({ by }, place) => by.as(`key${place}`)))
      .limit(p.limit as never)
      .offset(p.offset as never)
      .$castTo<PageRow>()
  })
}

function groupHolds(
  d: Dialect,
  { parts, certain }: GroupTest,
  p: Placeholders<Record<string, string | number>>,
): Condition {
  const conditions = parts.map(({ column, name }) => d.containsPart(sql.ref(`bugs.${column}_key`), p[name] as never))
  if (certain !== undefined) conditions.push(sql`bugs.id in ${d.integersIn(p[certain] as never)}`)
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

function positionIn({ id, ...keys }: PageRow): SortPosition {
  const count = Object.keys(keys).length
  return Array.from({ length: count }, (_, place) => (place === count - 1 ? id : (keys[`key${place}`] ?? '')))
}
