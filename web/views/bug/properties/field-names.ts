// Names and values of the fields of one bug.
import { restNameOf } from '../../../../shared/bug-fields/field-names.ts'
import { displayOf } from '../../../core/bugs/fields.ts'
import type { Bug, Field, FieldValue } from '../../../core/server/types.ts'

/** What the history calls things that are no fields. */
const OTHER_LABELS: ReadonlyMap<string, string> = new Map([
  ['longdescs.deleted', 'Deleted comment'],
  ['longdescs.isanswer', 'Answer'],
])

/** What people call a field of a bug. */
export function labelOf(name: string, fields: readonly Field[]): string {
  const { label, labelInBug = label } = displayOf(name)
  const named = () => fields.find((field) => restNameOf(field.name) === name)?.display_name
  return labelInBug ?? named() ?? OTHER_LABELS.get(name) ?? name
}

export function valueIn(bug: Bug, name: string): unknown {
  return (bug as unknown as Record<string, unknown>)[name]
}

function has(bug: Bug, internal: string, values: readonly string[]) {
  const value = valueIn(bug, restNameOf(internal))
  return Array.isArray(value)
    ? value.some((item) => values.includes(String(item)))
    : values.includes(String(value ?? ''))
}

/** Whether a custom field is shown on a bug: some are only for certain values of another field. */
export function isShownOn(bug: Bug, field: Field): boolean {
  return field.visibility_field === null || has(bug, field.visibility_field, field.visibility_values)
}

/** The values that a bug can have in a field, which may depend on another field, such as the product. */
export function valuesFor(bug: Bug, field: Field | undefined): FieldValue[] {
  if (field === undefined) return []
  const control = field.value_field
  return (field.values ?? []).filter(
    ({ name, is_active, visibility_values }) =>
      name !== null &&
      is_active !== false &&
      (!control || visibility_values === undefined || visibility_values.length === 0
        ? true
        : has(bug, control, visibility_values)),
  )
}
