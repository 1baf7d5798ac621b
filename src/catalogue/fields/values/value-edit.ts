import { fieldNameOf } from '../../../../shared/bug-fields/field-names.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import { errors } from '../../../platform/errors.ts'
import { sameAs } from '../../../platform/text/fold.ts'
import { idIn } from '../../../platform/wire/reference.ts'
import { type FieldDefinition, type FieldDefinitions, type FieldValue, hasValues } from '../field.ts'
import { SORT_KEY_STEP } from '../standard-fields.ts'
import type { ValueEdit } from './value-rules.ts'

/** The requested state of a value. Undefined parts do not change. */
export interface WantedValue {
  name: string | undefined
  sort_key: number | undefined
  is_active: boolean | undefined
  is_open: boolean | undefined
  visibility_values: readonly string[] | undefined
}

/** The field with this name, as in the fields call or in bugs. Throws if its values cannot be changed here. */
export function getSelect(definitions: FieldDefinitions, ref: string): FieldDefinition {
  const field = definitions.named(fieldNameOf(ref.trim()))
  if (!field || !hasValues(field))
    throw errors.not_a_select({ name: ref, hint: 'its values cannot be changed with this call' })
  return field
}

/** Finds it by name, or by id if no value has this name. */
export function getValue(field: FieldDefinition, ref: string): FieldValue {
  const isNamed = sameAs(ref.trim())
  const found = field.values.find(({ name }) => isNamed(name)) ?? field.values.find(({ id }) => id === idIn(ref))
  if (!found) throw errors.no_such_value({ of: field.name, ref })
  return found
}

/** Applies the requested changes to a value, or to a new one. `shownWith` looks up visibility_value_id later. */
export function valueEdit(
  field: FieldDefinition,
  before: FieldValue | undefined,
  wanted: WantedValue,
  settings: Settings,
): ValueEdit {
  const { name, sort_key, is_active, is_open, visibility_values } = wanted
  const after = {
    field_id: field.id,
    name: (name ?? before?.name ?? '').trim(),
    sort_key: sort_key ?? before?.sort_key ?? sortKeyAfter(field.values),
    is_active: is_active === undefined ? (before?.is_active ?? 1) : is_active ? (1 as const) : (0 as const),
    is_open: before ? before.is_open : is_open === undefined ? null : is_open ? (1 as const) : (0 as const),
    visibility_value_id: before?.visibility_value_id ?? null,
  }
  return { field, before, after, wanted: { is_open, visibility_values }, settings }
}

const GREATEST_SORT_KEY = 32_767

/** `values` is ordered by sort key, so the last one has the largest. */
function sortKeyAfter(values: readonly FieldValue[]) {
  return Math.min((values.at(-1)?.sort_key ?? 0) + SORT_KEY_STEP, GREATEST_SORT_KEY)
}
