import { findField } from '../../../shared/bug-fields/field-names.ts'
import { parameters } from '../account/session.ts'

/** Whether the pages show the field. A parameter hides some; programs read and write these all the same. */
export function isShownField(name: string): boolean {
  const parameter = findField(name)?.switchedBy
  return parameter === undefined || parameters.value[parameter] !== '0'
}

/** The history without the changes of hidden fields. */
export function shownHistory<Entry extends { changes: readonly { field_name: string }[] }>(
  history: readonly Entry[],
): readonly Entry[] {
  return history
    .map((entry) => ({ ...entry, changes: entry.changes.filter(({ field_name }) => isShownField(field_name)) }))
    .filter(({ changes }) => changes.length > 0)
}
