import {
  DATE_FIELDS,
  FIELDS_OF_BUGS,
  HOURS_FIELDS,
  LIST_FIELDS,
  UNSORTED_LISTS,
} from '../../bug-fields/recorded-fields.ts'
import { FIELD_TYPE, type FieldDefinitions } from '../../catalogue/fields/field.ts'
import { fold } from '../../platform/text/fold.ts'
import { type HistoryRow, valuesIn } from './history.ts'

/** A bug as the REST API returns it. */
export type ShownBug = Record<string, unknown>

/** Undoes changes of a bug, the newest first. Changes that are not of a field of the bug are ignored. */
export function rewind(bug: ShownBug, changes: readonly HistoryRow[], fields: FieldDefinitions): ShownBug {
  const before = { ...bug }
  for (const change of changes.toReversed()) undo(before, change, fields)
  for (const [field, values] of Object.entries(before))
    if (Array.isArray(values) && isSorted(field)) before[field] = values.toSorted(inOrder)
  return before
}

function undo(bug: ShownBug, { field, removed, added }: HistoryRow, fields: FieldDefinitions) {
  // History has each entry of hours worked, but the field of the bug is their sum.
  if (field === 'work_time') bug.actual_time = rounded(Number(bug.actual_time) - Number(added))
  else if (Object.hasOwn(bug, field)) bug[field] = valueBefore(bug[field], field, removed, added, fields)
}

function valueBefore(now: unknown, field: string, removed: string, added: string, fields: FieldDefinitions): unknown {
  const type = fields.named(field)?.type
  if (LIST_FIELDS.has(field) || type === FIELD_TYPE.multiSelect) return listBefore(now, field, removed, added)
  if (typeof now === 'boolean') return removed === '1'
  if (HOURS_FIELDS.has(field)) return Number(removed)
  if (DATE_FIELDS.has(field)) return removed === '' ? null : removed
  if (type === FIELD_TYPE.bugId) return bugBefore(now, removed, added)
  return timeBefore(type, removed)
}

function listBefore(now: unknown, field: string, removed: string, added: string): unknown[] {
  const values = (text: string): unknown[] => (hasNumbers(field) ? valuesIn(text).map(Number) : valuesIn(text))
  const taken = new Set(values(added))
  return [...new Set([...(now as unknown[]).filter((value) => !taken.has(value)), ...values(removed)])]
}

/** A field of the type bug id can have several links, of which the first is shown. One that the change did not add was there before. */
function bugBefore(now: unknown, removed: string, added: string): unknown {
  if (now !== null && !valuesIn(added).includes(String(now))) return now
  const [first] = valuesIn(removed)
  return first === undefined ? null : Number(first)
}

/** The API returns times in another form than history has them; other texts are the same. */
function timeBefore(type: number | undefined, removed: string): unknown {
  switch (type) {
    case FIELD_TYPE.dateTime:
      return removed === '' ? null : `${removed.replace(' ', 'T')}Z`
    case FIELD_TYPE.date:
      return removed === '' ? null : `${removed}T00:00:00Z`
    default:
      return removed
  }
}

/** Links may lead to other trackers, so they are texts. */
function hasNumbers(field: string) {
  return FIELDS_OF_BUGS.has(field) && !UNSORTED_LISTS.has(field)
}

/** Whether a list is returned sorted, and not in the order in which items were added. */
function isSorted(field: string) {
  return field.startsWith('cf_') || (LIST_FIELDS.has(field) && !UNSORTED_LISTS.has(field))
}

function inOrder(one: unknown, other: unknown) {
  if (typeof one === 'number') return one - Number(other)
  const [first, second] = [fold(String(one)), fold(String(other))]
  return Number(first > second) - Number(first < second)
}

function rounded(hours: number) {
  return Math.round(hours * 100) / 100
}
