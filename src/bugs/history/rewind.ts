import { FIELD_TYPE, type FieldDefinitions } from '../../catalogue/fields/field.ts'
import { fold } from '../../platform/text/fold.ts'
import { type HistoryRow, LIST_FIELDS, valuesIn } from './history.ts'

/** A bug as the interface answers it. */
export type ShownBug = Record<string, unknown>

/** Takes back what was done to a bug, the newest change first. What is no field of the bug itself is left alone. */
export function rewind(bug: ShownBug, changes: readonly HistoryRow[], fields: FieldDefinitions): ShownBug {
  const before = { ...bug }
  for (const change of changes.toReversed()) undo(before, change, fields)
  for (const [field, values] of Object.entries(before))
    if (Array.isArray(values) && isSorted(field)) before[field] = values.toSorted(inOrder)
  return before
}

function undo(bug: ShownBug, { field, removed, added }: HistoryRow, fields: FieldDefinitions) {
  // Hours are told one by one, and only their sum is a field.
  if (field === 'work_time') bug.actual_time = rounded(Number(bug.actual_time) - Number(added))
  else if (Object.hasOwn(bug, field)) bug[field] = valueBefore(bug[field], field, removed, added, fields)
}

function valueBefore(now: unknown, field: string, removed: string, added: string, fields: FieldDefinitions): unknown {
  const type = field.startsWith('cf_') ? fields.named(field)?.type : undefined
  if (LIST_FIELDS.has(field) || type === FIELD_TYPE.multiSelect) return listBefore(now, field, removed, added)
  if (typeof now === 'boolean') return removed === '1'
  if (HOURS.has(field)) return Number(removed)
  if (field === 'deadline') return removed === '' ? null : removed
  if (type === FIELD_TYPE.bugId) return bugBefore(now, removed, added)
  return type === undefined ? removed : customBefore(type, removed)
}

function listBefore(now: unknown, field: string, removed: string, added: string): unknown[] {
  const values = (told: string): unknown[] => (NUMBERS.has(field) ? valuesIn(told).map(Number) : valuesIn(told))
  const taken = new Set(values(added))
  return [...new Set([...(now as unknown[]).filter((value) => !taken.has(value)), ...values(removed)])]
}

/** A bug field can hold several links, of which the first is shown: one that did not come with the change was there before. */
function bugBefore(now: unknown, removed: string, added: string): unknown {
  if (now !== null && !valuesIn(added).includes(String(now))) return now
  const [first] = valuesIn(removed)
  return first === undefined ? null : Number(first)
}

function customBefore(type: number, removed: string): unknown {
  switch (type) {
    case FIELD_TYPE.dateTime:
      return removed === '' ? null : `${removed.replace(' ', 'T')}Z`
    case FIELD_TYPE.date:
      return removed === '' ? null : `${removed}T00:00:00Z`
    default:
      return removed
  }
}

const HOURS = new Set(['estimated_time', 'remaining_time'])
const NUMBERS = new Set(['depends_on', 'blocks'])
const GROWN = new Set(['alias', 'see_also'])

/** Whether a list is answered in an order of its own, and not in the order in which it grew. */
function isSorted(field: string) {
  return field.startsWith('cf_') || (LIST_FIELDS.has(field) && !GROWN.has(field))
}

function inOrder(one: unknown, other: unknown) {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [first, second] = [fold(String(one)), fold(String(other))]
  return first < second ? -1 : first > second ? 1 : 0
}

function rounded(hours: number) {
  return Math.round(hours * 100) / 100
}
