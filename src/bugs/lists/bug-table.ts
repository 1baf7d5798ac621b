import { csvLine } from '../../platform/wire/csv.ts'
import { type BugList, FORMS } from './bug-list.ts'

/** The fields of a list that names none. */
export const COLUMNS = [
  'id',
  'product',
  'component',
  'assigned_to',
  'status',
  'resolution',
  'summary',
  'last_change_time',
]

/** A table for a spreadsheet: a line with the names of the fields, then a line for each bug. */
export function bugTable(columns: readonly string[]): BugList {
  return {
    contentType: FORMS.csv,
    fileName: 'bugs.csv',
    head: csvLine(columns),
    item: (bug) => csvLine(columns.map((column) => bug[column])),
    foot: '',
  }
}
