import { dictionary } from '../../platform/text/dictionary.ts'
import type { Search } from '../parsing/query.ts'

/** An order of bugs that an index has. */
export interface IndexedOrder {
  readonly column: 'id' | 'changed_at' | 'created_at'
  readonly descending: boolean
  /** Only bugs from this value on. */
  readonly from: string | number | undefined
}

const COLUMNS: Readonly<Record<string, IndexedOrder['column']>> = dictionary({
  bug_id: 'id',
  changeddate: 'changed_at',
  delta_ts: 'changed_at',
  opendate: 'created_at',
  creation_ts: 'created_at',
})

/** What the search is sorted by first, if an index has it. */
export function indexedOrderOf(
  { order: [first] }: Search,
  from: string | number | undefined,
): IndexedOrder | undefined {
  const column = first === undefined ? 'id' : Object.hasOwn(COLUMNS, first.column) ? COLUMNS[first.column] : undefined
  return column && { column, descending: first?.descending ?? false, from }
}
