import { bugFields } from '../../shared/bug-fields/bug-fields.ts'
import { INDEXED_TEXTS } from '../bug-fields/indexed-texts.ts'
import type { BugColumn, IndexedColumn } from '../platform/database/tables.ts'
import { fold } from '../platform/text/fold.ts'

/** The columns of bugs that have the value of a field. */
export const FIELD_COLUMNS: readonly BugColumn[] = [
  ...new Set(bugFields.flatMap(({ column }) => (column === undefined ? [] : [column]))),
]

/** The columns that a new bug or a change sets. The number is given by the database; hours worked are counted with the comments, and votes with those of users. */
export const WRITTEN_COLUMNS = FIELD_COLUMNS.filter(
  (column) => column !== 'id' && column !== 'actual_hundredths' && column !== 'votes',
) as WrittenColumn[]

export type WrittenColumn = Exclude<
  BugColumn,
  'id' | 'actual_hundredths' | 'votes' | 'revision' | 'lists' | `${IndexedColumn}_key`
>

/** The columns with a case-folded copy of a text. */
export const KEY_COLUMNS = INDEXED_TEXTS.map(({ column }) => ({ column, key: `${column}_key` as const }))

export type KeyColumn = `${IndexedColumn}_key`

const SOURCES: ReadonlyMap<string, IndexedColumn> = new Map(KEY_COLUMNS.map(({ column, key }) => [key, column]))

/** What is saved in a column: the value of the bug, or the copy of one of its texts. */
export function savedIn<Row extends Readonly<Record<IndexedColumn, string>>>(
  bug: Row,
  column: (keyof Row & string) | KeyColumn,
) {
  const source = SOURCES.get(column)
  return source === undefined ? bug[column as keyof Row] : fold(bug[source])
}
