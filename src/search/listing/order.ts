import { type RawBuilder, sql } from 'kysely'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { fieldNameOf, fieldOfColumn } from '../../../shared/bug-fields/field-names.ts'
import { INSIDER_FIELDS } from '../../bug-fields/recorded-fields.ts'
import type { IdRange } from '../../platform/dialects/dialect.ts'
import type { SortBy } from '../conditions/compared.ts'
import type { Sql } from '../conditions/condition.ts'
import { wordsWanted } from '../conditions/content.ts'
import type { Items } from '../conditions/search-items.ts'
import type { Query, Search, Sort } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { isReference, type Reference, type SearchableField } from '../searchable-field.ts'
import { findSearchable } from '../searchable-fields.ts'
import { relevanceOf } from '../text/matches-words.ts'

/** One expression that the bugs are sorted by. */
export interface SortKey {
  readonly by: RawBuilder<string | number>
  readonly kind: 'text' | 'number'
  readonly descending: boolean
  /** The rows that the expression reads, besides those of bugs. Keys of the same rows have the same join. */
  readonly join?: SortJoin
}

/** Rows of another table, at most one for each bug. */
export interface SortJoin {
  readonly rows: Sql
  readonly alias: string
  /** The id of the row of a bug. */
  readonly id: Sql
}

/** The sort keys of a search, with the id at the end, so that no two bugs are equal. They are valid only for bugs of the range. */
export function sortKeys(context: SearchContext, { where, order }: Search, range?: IdRange): SortKey[] {
  const byId = order.findIndex(({ column }) => fieldNameOf(column) === 'bug_id')
  // Columns after the id have no effect.
  const wanted = (byId === -1 ? order : order.slice(0, byId)).flatMap((sort, number) =>
    keysOf(context, where, sort, `sort${number}`, range),
  )
  return [...wanted, { by: sql<number>`bugs.id`, kind: 'number', descending: order[byId]?.descending ?? false }]
}

const SORTED_KINDS: ReadonlySet<string> = new Set(['id', 'time', 'choice', 'place'])

/** The columns of one row whose order is the same for every caller, by their names in searches. */
export const SORTED_FOR_EVERYBODY: ReadonlySet<string> = new Set(
  bugFields
    .filter(({ kind, column, readBy }) => column !== undefined && readBy === undefined && SORTED_KINDS.has(kind))
    .map(({ searchName, name }) => searchName ?? name),
)

/** Whether bugs can be sorted by the column. */
export function isSortable(context: SearchContext, where: Query, column: string): boolean {
  return (
    SORTED_FOR_EVERYBODY.has(fieldOfColumn(column)) ||
    keysOf(context, where, { column, descending: false }, 'sort').length > 0
  )
}

/** `alias` is the name of the rows that are joined for the column. */
function keysOf(
  context: SearchContext,
  where: Query,
  { column, descending }: Sort,
  alias: string,
  range?: IdRange,
): SortKey[] {
  const name = column === 'actual_time' ? 'work_time' : fieldOfColumn(column)
  if (name === 'relevance') return relevance(context, where, range)
  const field = findSortable(context, name)
  return field === undefined ? [] : sortedBy(field, alias).map((key) => ({ ...key, descending }))
}

/** The most relevant first, in either direction. No key if the search has no words. */
function relevance({ db }: SearchContext, where: Query, range?: IdRange): SortKey[] {
  const wanted = wordsWanted(where)
  if (wanted.all.length === 0) return []
  return [{ by: relevanceOf(db.dialect, wanted, range), kind: 'number', descending: true }]
}

function findSortable(context: SearchContext, name: string): SearchableField | undefined {
  // What only insiders can search cannot be sorted by: nobody is refused because of an order.
  if (INSIDER_FIELDS.has(name)) return undefined
  const field = findSearchable(context, name)
  return field?.items?.areMany ? undefined : field
}

/** The first of several items counts. Bugs without items come first. */
function sortedBy({ items, value }: SearchableField, alias: string): Omit<SortKey, 'descending'>[] {
  if (items === undefined)
    return isReference(value) ? sortedByTarget(value, alias) : [keyOf(value.sort, value.isOptional)]
  const keys = isReference(value) ? value.to.sort.map((key) => ({ ...key, by: ofTarget(value, key) })) : [value.sort]
  return keys.slice(-1).map((key) => keyOf({ ...key, by: ofFirst(items, key) }, true))
}

/** The rows are joined, because a subquery would be run for each bug. */
function sortedByTarget({ id, to, isOptional }: Reference, alias: string): Omit<SortKey, 'descending'>[] {
  const columns = to.sort.map(({ by }, number) => sql`${by} as ${sql.ref(`key${number}`)}`)
  const rows = sql`(select ${sql.ref(`${to.table}.id`)}, ${sql.join(columns)} from ${sql.table(to.table)})`
  return to.sort.map((key, number) => ({
    ...keyOf({ ...key, by: sql.ref(`${alias}.key${number}`) }, isOptional),
    join: { rows, alias, id },
  }))
}

function keyOf({ by, empty }: SortBy, isOptional = false): Omit<SortKey, 'descending'> {
  return {
    by: isOptional ? sql`coalesce(${by}, ${sql.lit(empty)})` : sql`${by}`,
    kind: empty === 0 ? 'number' : 'text',
  }
}

function ofTarget({ id, to }: Reference, { by }: SortBy): Sql {
  return sql`(select ${by} from ${sql.table(to.table)} where ${sql.ref(`${to.table}.id`)} = ${id})`
}

function ofFirst({ from, bugId, readable }: Items, { by }: SortBy): Sql {
  return sql`(select min(${by}) from ${from} where ${bugId} = bugs.id and ${readable})`
}
