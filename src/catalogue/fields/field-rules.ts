import { errors } from '../../platform/errors.ts'
import { type Rule, ruleForPart } from '../../platform/rule.ts'
import { isOneLine } from '../../platform/text/one-line.ts'
import { haveSortKeysFrom, LONGEST_NAME } from '../name-rules.ts'
import { FIELD_TYPE, type Field, type FieldDefinition, type FieldDefinitions, isSelect } from './field.ts'

/** A new or changed custom field. */
export interface FieldEdit {
  /** Undefined for a new field. */
  before: FieldDefinition | undefined
  after: Omit<Field, 'id'>
  /** The requested name and type, which cannot be changed. */
  wanted: { name: string | undefined; type: number | undefined }
  /** The number of values for which the field is shown. */
  visibilityValues: number
  definitions: FieldDefinitions
}

const LONGEST_LABEL = 255

export const standardFieldsStayAsTheyAre: Rule<FieldEdit> = {
  says: 'Standard fields cannot be changed; only custom fields can.',
  brokenBy: ({ before }) => before?.is_custom === 0,
  error: ({ before }) => errors.standard_field_fixed({ name: before?.name ?? '' }),
}

export const customFieldsHaveAName: Rule<FieldEdit> = {
  says: 'A custom field has a name.',
  brokenBy: ({ after }) => after.name === CUSTOM_PREFIX,
  error: () => errors.parameter_required({ name: 'name' }),
}

export const customFieldNamesAreWords: Rule<FieldEdit> = {
  says: `The name of a custom field begins with cf_, consists of letters, digits and underscores, and has at most ${LONGEST_NAME} characters.`,
  brokenBy: ({ after }) => !/^cf_[a-z0-9_]+$/.test(after.name) || after.name.length > LONGEST_NAME,
  error: ({ after }) =>
    errors.bad_value({
      name: 'name',
      value: after.name,
      right: `it must consist of letters, digits and underscores, at most ${LONGEST_NAME} of them with ${CUSTOM_PREFIX}`,
    }),
}

export const fieldsKeepTheirName: Rule<FieldEdit> = {
  says: 'The name of a field cannot be changed.',
  brokenBy: ({ before, wanted }) => before !== undefined && wanted.name !== undefined && wanted.name !== before.name,
  error: ({ before }) => errors.field_name_fixed({ name: before?.name ?? '' }),
}

export const fieldsKeepTheirType: Rule<FieldEdit> = {
  says: 'The type of a field cannot be changed.',
  brokenBy: ({ before, wanted }) => before !== undefined && wanted.type !== undefined && wanted.type !== before.type,
  error: ({ before }) => errors.field_type_fixed({ name: before?.name ?? '' }),
}

export const customFieldsHaveALabel: Rule<FieldEdit> = {
  says: 'A custom field has a display name.',
  brokenBy: ({ after }) => after.display_name === '',
  error: () => errors.parameter_required({ name: 'display_name' }),
}

export const fieldTextsAreShort: Rule<FieldEdit> = {
  says: `The display name, the description and the reverse name of a field are one line of at most ${LONGEST_LABEL} characters.`,
  brokenBy: ({ after }) => longText(after) !== undefined,
  error: ({ after }) => {
    const name = longText(after) ?? 'display_name'
    return errors.bad_value({
      name,
      value: after[name],
      right: `it must be one line of at most ${LONGEST_LABEL} characters`,
    })
  },
}

export const fieldSortKeysAreInRange: Rule<FieldEdit> = ruleForPart(({ after }) => after, haveSortKeysFrom(0, 'Fields'))

export const onlyBugIdFieldsWorkInReverse: Rule<FieldEdit> = {
  says: 'Only a field of the type bug id has a reverse name.',
  brokenBy: ({ after }) => after.reverse_name !== '' && after.type !== FIELD_TYPE.bugId,
  error: ({ after }) =>
    errors.bad_value({
      name: 'reverse_name',
      value: after.reverse_name,
      right: 'only fields of the type bug id have one',
    }),
}

export const visibilityIsDecidedByASelect: Rule<FieldEdit> = {
  says: 'Only a select field can control whether another field is shown.',
  brokenBy: ({ after, definitions }) => !isNothingOrSelect(definitions, after.visibility_field_id),
  error: ({ after, definitions }) =>
    errors.bad_value({
      name: 'visibility_field',
      value: nameOf(definitions, after.visibility_field_id),
      right: 'it must be a select field',
    }),
}

export const valuesAreDecidedByASelect: Rule<FieldEdit> = {
  says: 'Only a select field can control which values another field shows.',
  brokenBy: ({ after, definitions }) => !isNothingOrSelect(definitions, after.value_field_id),
  error: ({ after, definitions }) =>
    errors.bad_value({
      name: 'value_field',
      value: nameOf(definitions, after.value_field_id),
      right: 'it must be a select field',
    }),
}

export const onlyValuesCanBeDecided: Rule<FieldEdit> = {
  says: 'Only a select field can have a value_field, which controls which of its values are shown.',
  brokenBy: ({ after }) => after.value_field_id !== null && !isSelect(after),
  error: ({ after, definitions }) =>
    errors.bad_value({
      name: 'value_field',
      value: nameOf(definitions, after.value_field_id),
      right: 'only select fields have one',
    }),
}

export const noFieldControlsItself: Rule<FieldEdit> = {
  says: 'No field controls itself, directly or through other fields.',
  brokenBy: controlsItself,
  error: ({ after, definitions }) =>
    errors.bad_value({
      name: after.visibility_field_id === null ? 'value_field' : 'visibility_field',
      value: nameOf(definitions, after.visibility_field_id ?? after.value_field_id),
      right: 'no field can control itself, directly or through other fields',
    }),
}

export const visibilityHasValues: Rule<FieldEdit> = {
  says: 'A field with a visibility_field has visibility_values.',
  brokenBy: ({ after, visibilityValues }) => after.visibility_field_id !== null && visibilityValues === 0,
  error: () => errors.parameter_required({ name: 'visibility_values', hint: 'visibility_field needs them' }),
}

export const visibilityValuesHaveAField: Rule<FieldEdit> = {
  says: 'A field with visibility_values has a visibility_field.',
  brokenBy: ({ after, visibilityValues }) => after.visibility_field_id === null && visibilityValues > 0,
  error: () => errors.parameter_required({ name: 'visibility_field', hint: 'visibility_values are values of it' }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const fieldRules = [
  standardFieldsStayAsTheyAre,
  customFieldsHaveAName,
  customFieldNamesAreWords,
  fieldsKeepTheirName,
  fieldsKeepTheirType,
  customFieldsHaveALabel,
  fieldTextsAreShort,
  fieldSortKeysAreInRange,
  onlyBugIdFieldsWorkInReverse,
  visibilityIsDecidedByASelect,
  valuesAreDecidedByASelect,
  onlyValuesCanBeDecided,
  noFieldControlsItself,
  visibilityHasValues,
  visibilityValuesHaveAField,
]

export const CUSTOM_PREFIX = 'cf_'

function longText(field: Omit<Field, 'id'>) {
  const texts = ['display_name', 'description', 'reverse_name'] as const
  return texts.find((name) => field[name].length > LONGEST_LABEL || !isOneLine(field[name]))
}

function isNothingOrSelect(definitions: FieldDefinitions, id: number | null) {
  if (id === null) return true
  const field = definitions.withId(id)
  return field !== undefined && isSelect(field)
}

function nameOf(definitions: FieldDefinitions, id: number | null) {
  return id === null ? '' : (definitions.withId(id)?.name ?? '')
}

/** Follows the fields that control this one, those that control them, and so on. */
function controlsItself({ before, after, definitions }: FieldEdit) {
  const above = new Set([after.visibility_field_id, after.value_field_id])
  for (const id of above) {
    const field = id === null ? undefined : definitions.withId(id)
    if (field) for (const next of [field.visibility_field_id, field.value_field_id]) above.add(next)
  }
  return before !== undefined && above.has(before.id)
}
