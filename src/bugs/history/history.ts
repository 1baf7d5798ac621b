import { LIST_FIELDS } from '../../bug-fields/recorded-fields.ts'
import type { ShownSource } from '../../changes/change-json.ts'
import { mapInSlices } from '../../platform/monitoring/event-loop.ts'

/** One stored line of a bug's history. */
export interface HistoryRow {
  /** Id of the line. */
  change_id: number
  at: string
  who: string
  field: string
  removed: string
  added: string
  attachment_id: number | null
  /** By which call it was written, in the form of the REST API; undefined where that was not read. */
  change?: ShownChange
}

/** The call that made a change; its number is known unless it is old or was imported. */
export interface ShownChange {
  change_id?: number
  source: ShownSource
  /** The change that it has undone. */
  undoes?: number
}

/** What one call of one user changed at one time, as the REST API returns it. */
export interface HistoryEntry {
  when: string
  who: string
  changes: HistoryChange[]
  change_id?: number
  source?: ShownSource
  undoes?: number
}

export interface HistoryChange {
  field_name: string
  removed: string
  added: string
  attachment_id?: number
}

const FLAGS = 'flagtypes.name'

/**
 * Lines of one call become one entry, and so do older lines of one user at one time. Consecutive lines of the same list field, or of flags, become one change. Lines of
 * other fields stay separate, so that intermediate values can be read.
 */
export function entriesOf(rows: readonly HistoryRow[]): HistoryEntry[] {
  const entries: HistoryEntry[] = []
  for (const row of rows) addTo(entries, row)
  return entries
}

/** The same for a history that may be long, with pauses for other requests. */
export async function entriesInSlices(rows: readonly HistoryRow[]): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  await mapInSlices(rows, (row) => addTo(entries, row))
  return entries
}

function addTo(entries: HistoryEntry[], row: HistoryRow) {
  let entry = entries.at(-1)
  if (
    entry === undefined ||
    entry.when !== row.at ||
    entry.who !== row.who ||
    entry.change_id !== row.change?.change_id
  ) {
    entry = { when: row.at, who: row.who, changes: [], ...row.change }
    entries.push(entry)
  }
  const last = entry.changes.at(-1)
  if (last !== undefined && isContinuedBy(last, row)) {
    last.removed = joined(row.field, last.removed, row.removed)
    last.added = joined(row.field, last.added, row.added)
  } else entry.changes.push(changeOf(row))
}

function changeOf({ field, removed, added, attachment_id }: HistoryRow): HistoryChange {
  return { field_name: field, removed, added, ...(attachment_id !== null && { attachment_id }) }
}

function isContinuedBy(last: HistoryChange, row: HistoryRow) {
  const isSameField = last.field_name === row.field && (last.attachment_id ?? null) === row.attachment_id
  return isSameField && (LIST_FIELDS.has(row.field) || row.field === FLAGS)
}

function joined(field: string, first: string, second: string) {
  if (first === '') return second
  // compat: flags are separated by a space, even if nothing follows, as in Bugzilla's history of an attachment.
  if (field === FLAGS) return `${first} ${second}`
  return second === '' ? first : `${first}, ${second}`
}

/** Splits a line of history of a list field into its values. */
export function valuesIn(text: string): string[] {
  return text.split(', ').filter((value) => value !== '')
}
