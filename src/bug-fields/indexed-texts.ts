import { BUG_FIELDS } from '../../shared/bug-fields/bug-fields.ts'
import type { IndexedColumn } from '../platform/database/tables.ts'

interface IndexedText {
  readonly searchName: string
  readonly column: IndexedColumn
}

/** The fields whose texts have an index of their parts. */
export const INDEXED_TEXTS: readonly IndexedText[] = BUG_FIELDS.filter((field) => 'hasPartsIndex' in field)
