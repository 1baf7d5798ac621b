import type { IndexedColumn } from '../platform/database/tables.ts'
import { BUG_FIELDS } from './bug-fields.ts'

interface IndexedText {
  readonly searchName: string
  readonly column: IndexedColumn
}

/** The fields whose texts have an index of their parts. */
export const INDEXED_TEXTS: readonly IndexedText[] = BUG_FIELDS.filter((field) => 'hasPartsIndex' in field)
