import { sql } from 'kysely'
import { fieldOfColumn } from '../../shared/bug-fields/field-names.ts'
import { isSignedIn } from '../access/caller.ts'
import type { Dialect } from '../platform/dialects/dialect.ts'
import type { Condition, Sql } from './conditions/condition.ts'
import { operatorInput } from './conditions/operators.ts'
import { type IndexedOrder, indexedOrderOf } from './listing/indexed-order.ts'
import { SORTED_FOR_EVERYBODY } from './listing/order.ts'
import type { ColumnIds } from './named-ids.ts'
import { isPronoun } from './parsing/pronouns.ts'
import type { Criterion, Query, Search, Sort } from './parsing/query.ts'
import { componentsIn, idsNamed } from './references.ts'
import type { SearchContext } from './search-context.ts'
import { isReference } from './searchable-field.ts'
import { findSearchable } from './searchable-fields.ts'
import { MOST_IDS_IN_COLUMN } from './thresholds.ts'

/** A search that only asks which ids columns of the bug have, in an order that an index or few bugs make cheap. */
export interface ColumnSearch {
  /** By column. All of them must hold. */
  readonly ids: ReadonlyMap<string, readonly number[]>
  /** The columns whose index is used. */
  readonly indexed: ReadonlySet<string>
  /** An index has the whole order. Otherwise bugs are sorted, all that match or those with the same time. */
  readonly isOrdered: boolean
}

/** The search by columns; undefined if it asks for anything else, so that other plans carry it out. */
export async function columnSearchOf(context: SearchContext, search: Search): Promise<ColumnSearch | undefined> {
  if (!search.order.every(({ column }) => SORTED_FOR_EVERYBODY.has(fieldOfColumn(column)))) return undefined
  const ids = new Map<string, readonly number[]>()
  if (!(await addIds(context, search.where, ids))) return undefined
  const [components, products] = [ids.get('component_id'), ids.get('product_id')]
  if (components !== undefined && products !== undefined)
    ids.set('component_id', await componentsIn(context, components, products))
  if (ids.get('component_id')?.length === 0) return undefined
  const narrow = NARROW.find((column) => ids.has(column))
  if (narrow !== undefined) return { ids, indexed: new Set([narrow, 'status_id']), isOrdered: false }
  const order = indexedOrderOf(search, undefined)
  if (order === undefined || keysBeforeId(search) > 1) return undefined
  const isOfProduct = ids.get('product_id')?.length === 1 && order.column !== 'created_at'
  return { ids, indexed: new Set(isOfProduct ? ['product_id'] : []), isOrdered: isWhole(search, order, isOfProduct) }
}

/** Columns with an index by which few bugs are found. The first one that is searched for is used, with the status, which the first two have too. */
const NARROW = ['assigned_to_id', 'component_id', 'creator_id'] as const

function keysBeforeId({ order }: Search) {
  const place = order.findIndex(isId)
  return place === -1 ? order.length : place
}

function isId({ column }: Sort) {
  return fieldOfColumn(column) === 'bug_id'
}

/** The index of changes in a product has the newest first, with rising ids; those of all bugs have both in one direction. */
function isWhole(search: Search, { column, descending }: IndexedOrder, isOfProduct: boolean) {
  const isIdDescending = search.order.find(isId)?.descending ?? false
  return column === 'id' || (isOfProduct ? descending !== isIdDescending : descending === isIdDescending)
}

/** Returns false if the query asks for more than ids. */
export async function addIds(
  context: SearchContext,
  query: Query,
  ids: Map<string, readonly number[]>,
): Promise<boolean> {
  if ('all' in query) {
    for (const part of query.all) if (!(await addIds(context, part, ids))) return false
    return true
  }
  if (!('operator' in query)) return false
  const found = await idsOfCriterion(context, query)
  if (found === undefined) return false
  const before = ids.get(found.column)
  const both = before === undefined ? found.ids : found.ids.filter((id) => before.includes(id))
  if (both.length === 0 || both.length > MOST_IDS_IN_COLUMN) return false
  ids.set(found.column, both)
  return true
}

async function idsOfCriterion(context: SearchContext, criterion: Criterion): Promise<ColumnIds | undefined> {
  const { field, operator, value } = criterion
  if (operator !== 'equals' && operator !== 'anyexact') return undefined
  const key = JSON.stringify([field, operator, value])
  const known = context.namedIds?.criteria.get(key)
  if (known !== undefined) return known
  const reference = referenceOf(context, criterion)
  if (reference === undefined) return undefined
  const { column, isPerson, to } = reference
  const input = operatorInput(value)
  if (isPerson && (operator === 'equals' ? [input.text] : input.list).some(isPronoun))
    return ofCaller(context, column, input.text)
  const { ids } = await idsNamed(context, to, operator, input)
  if (ids === undefined) return undefined
  const found = { column, ids }
  // What every caller may search, and finds the same.
  if (to.keptAs !== undefined && key.length < LONGEST_KEPT) context.namedIds?.criteria.set(key, found)
  return found
}

/** Longer lists of values are rare, and would take memory. */
const LONGEST_KEPT = 500

/** The reference in a column of the bug that is always filled. */
function referenceOf(context: SearchContext, { field, sentAs }: Criterion) {
  const found = findSearchable(context, field, sentAs)
  if (found === undefined || found.items !== undefined || !isReference(found.value)) return undefined
  const { column, isOptional } = found.value
  return column === undefined || isOptional ? undefined : { ...found.value, column }
}

/** Of the pronouns, only `%user%` stands for one id. */
function ofCaller({ caller }: SearchContext, column: string, input: string) {
  return isSignedIn(caller) && /^\s*%user%\s*$/i.test(input) ? { column, ids: [caller.id] } : undefined
}

/** The lists of ids are filled up to a few lengths, so that the SQL of searches is often the same. */
export function paddedIds(ids: readonly number[]): readonly number[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length))
  return Array.from({ length }, (_, place) => ids[Math.min(place, ids.length - 1)] as number)
}

/** Whether a column has one of the values. */
export function hasOneOf(dialect: Dialect, column: string, isIndexed: boolean, values: readonly Sql[]): Condition {
  const stored = sql.ref<string>(`bugs.${column}`)
  const tested = isIndexed ? stored : dialect.notByIndex(sql`${stored}`)
  return values.length === 1 ? sql<boolean>`${tested} = ${values[0]}` : sql<boolean>`${tested} in (${sql.join(values)})`
}
