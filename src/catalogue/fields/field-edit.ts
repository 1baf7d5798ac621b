import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { errors } from '../../platform/errors.ts'
import {
  creatableType,
  FIELD_TYPE,
  type Field,
  type FieldDefinition,
  type FieldDefinitions,
  TYPE_WORDS,
} from './field.ts'
import { CUSTOM_PREFIX, type FieldEdit } from './field-rules.ts'
import { SORT_KEY_STEP } from './standard-fields.ts'

/** The requested state of a custom field. Undefined parts do not change. */
export interface WantedField {
  name: string | undefined
  /** Number or name. */
  type: string | undefined
  display_name: string | undefined
  description: string | undefined
  sort_key: number | undefined
  is_mandatory: boolean | undefined
  is_on_bug_entry: boolean | undefined
  is_obsolete: boolean | undefined
  is_in_new_mail: boolean | undefined
  reverse_name: string | undefined
  /** Name of a field; empty for none. */
  visibility_field: string | undefined
  value_field: string | undefined
  visibility_values: readonly string[] | undefined
}

/** Applies the requested changes to a field, or to a new one. */
export function fieldEdit(
  definitions: FieldDefinitions,
  before: FieldDefinition | undefined,
  wanted: WantedField,
): FieldEdit {
  const name = wanted.name === undefined ? undefined : customName(wanted.name)
  const type = wanted.type === undefined ? undefined : requireType(wanted.type)
  const start = before ?? { ...NEW_FIELD, name: name ?? CUSTOM_PREFIX, type: type ?? requireType('') }
  const after = {
    name: start.name,
    type: start.type,
    is_custom: start.is_custom,
    display_name: wanted.display_name?.trim() ?? start.display_name,
    description: wanted.description?.trim() ?? start.description,
    reverse_name: wanted.reverse_name?.trim() ?? start.reverse_name,
    sort_key: wanted.sort_key ?? start.sort_key,
    is_mandatory: flagOf(wanted.is_mandatory) ?? start.is_mandatory,
    is_on_bug_entry: flagOf(wanted.is_on_bug_entry) ?? start.is_on_bug_entry,
    is_obsolete: flagOf(wanted.is_obsolete) ?? start.is_obsolete,
    is_in_new_mail: flagOf(wanted.is_in_new_mail) ?? start.is_in_new_mail,
    visibility_field_id: controllerId(definitions, wanted.visibility_field, start.visibility_field_id),
    value_field_id: controllerId(definitions, wanted.value_field, start.value_field_id),
  }
  const kept = after.visibility_field_id === before?.visibility_field_id ? before.visibilityValueIds.length : 0
  const visibilityValues = wanted.visibility_values?.length ?? kept
  return { before, after, wanted: { name, type }, visibilityValues, definitions }
}

/** compat: the prefix is added if it is missing, and the name is converted to lower case. */
export function customName(input: string) {
  const name = input.trim().toLowerCase()
  return name.startsWith(CUSTOM_PREFIX) ? name : CUSTOM_PREFIX + name
}

function requireType(input: string): number {
  if (input === '') throw errors.parameter_required({ name: 'type' })
  const type = creatableType(input)
  if (type === undefined)
    throw errors.bad_value({
      name: 'type',
      value: input,
      right: `it must be a number (1 to 6, 9 or 10) or a name: ${TYPE_WORDS}`,
    })
  return type
}

function controllerId(definitions: FieldDefinitions, wanted: string | undefined, before: number | null) {
  if (wanted === undefined) return before
  if (wanted.trim() === '') return null
  const field = definitions.named(fieldNameOf(wanted.trim()))
  if (!field) throw errors.no_such_object({ what: 'field', ref: wanted })
  return field.id
}

function flagOf(wanted: boolean | undefined) {
  return wanted === undefined ? undefined : wanted ? 1 : 0
}

/** compat: the default sort key of a new field is that of the first standard field. */
const NEW_FIELD: Omit<Field, 'id'> = {
  name: CUSTOM_PREFIX,
  display_name: '',
  description: '',
  type: FIELD_TYPE.freeText,
  is_custom: 1,
  is_mandatory: 0,
  is_on_bug_entry: 0,
  is_obsolete: 0,
  is_in_new_mail: 0,
  sort_key: SORT_KEY_STEP,
  visibility_field_id: null,
  value_field_id: null,
  reverse_name: '',
}
