import { type RawBuilder, sql } from 'kysely'
import { fieldNameOf } from '../../catalogue/fields/field-names.ts'
import type { IdRange } from '../../platform/dialects/dialect.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import type { SortBy } from '../conditions/compared.ts'
import type { Sql } from '../conditions/condition.ts'
import { wordsWanted } from '../conditions/content.ts'
import type { Items } from '../conditions/search-items.ts'
import type { Query, Search, Sort } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { isReference, type Reference, type SearchableField } from '../searchable-field.ts'
import { findSearchable } from '../searchable-fields.ts'
import { relevanceOf } from '../text/matches-words.ts'

/** One thing that answers are sorted by. */
export interface SortKey {
  readonly by: RawBuilder<string | number>
  readonly kind: 'text' | 'number'
  readonly descending: boolean
}

/** What the answers are sorted by, with the id at the end, so that no two of them are alike. Good for the bugs of the range alone. */
export function sortKeys(context: SearchContext, { where, order }: Search, range?: IdRange): SortKey[] {
  const byId = order.findIndex(({ column }) => fieldNameOf(column) === 'bug_id')
  // Nothing is left to be told apart by what comes after the id.
  const wanted = (byId === -1 ? order : order.slice(0, byId)).flatMap((sort) => keysOf(context, where, sort, range))
  return [...wanted, { by: sql<number>`bugs.id`, kind: 'number', descending: order[byId]?.descending ?? false }]
}

/** Whether answers can be sorted by the column. */
export function isSortable(context: SearchContext, where: Query, column: string): boolean {
  return keysOf(context, where, { column, descending: false }).length > 0
}

function keysOf(context: SearchContext, where: Query, { column, descending }: Sort, range?: IdRange): SortKey[] {
  const name = Object.hasOwn(COLUMNS, column) ? (COLUMNS[column] as string) : fieldNameOf(column)
  if (name === 'relevance') return relevance(context, where, range)
  const field = findSortable(context, name)
  return field === undefined ? [] : sortedBy(field).map((key) => ({ ...key, descending }))
}

/** Columns of lists of bugs that are not called like the field they show. */
const COLUMNS: Readonly<Record<string, string>> = dictionary({
  opendate: 'creation_ts',
  changeddate: 'delta_ts',
  actual_time: 'work_time',
  short_short_desc: 'short_desc',
})

/** The best answers first, in whichever direction it was asked for; nothing where no words are looked for. */
function relevance({ db }: SearchContext, where: Query, range?: IdRange): SortKey[] {
  const wanted = wordsWanted(where)
  if (wanted.all.length === 0) return []
  return [{ by: relevanceOf(db.dialect, wanted, range), kind: 'number', descending: true }]
}

/** That comments are private is for insiders to ask, and nothing to sort by. */
const NOT_SORTABLE: ReadonlySet<string> = new Set(['longdescs.isprivate'])

function findSortable(context: SearchContext, name: string): SearchableField | undefined {
  if (NOT_SORTABLE.has(name)) return undefined
  const field = findSearchable(context, name)
  return field?.items?.areMany ? undefined : field
}

/** Of several items, the first counts; a bug without any comes before all others. */
function sortedBy({ items, value }: SearchableField): Omit<SortKey, 'descending'>[] {
  const keys = isReference(value) ? value.to.sort.map((key) => ({ ...key, by: ofTarget(value, key) })) : [value.sort]
  if (items !== undefined) return keys.slice(-1).map((key) => keyOf({ ...key, by: ofFirst(items, key) }, true))
  return keys.map((key) => keyOf(key, value.isOptional))
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
