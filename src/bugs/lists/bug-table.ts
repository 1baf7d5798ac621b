import { csvLine } from '../../platform/wire/formats/csv.ts'
import { type BugList, FORMS } from './bug-list.ts'

/** A CSV table: a line with the names of the fields, then a line for each bug. */
export function bugTable(columns: readonly string[]): BugList {
  return {
    contentType: FORMS.csv,
    fileName: 'bugs.csv',
    fields: columns,
    head: csvLine(columns),
    item: (bug) => csvLine(columns.map((column) => (column === 'flags' ? flagsIn(bug.flags) : bug[column]))),
    foot: '',
  }
}

interface Flag {
  name: string
  status: string
  requestee?: string
}

/** Flags as text: `review?(edna@example.com), approval+`. */
function flagsIn(flags: unknown): string[] {
  return ((flags ?? []) as Flag[]).map(
    ({ name, status, requestee }) => `${name}${status}${requestee === undefined ? '' : `(${requestee})`}`,
  )
}
