import { findField } from '../../../../shared/bug-fields/field-names.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import { errors } from '../../../platform/errors.ts'
import { type Rule, ruleForPart } from '../../../platform/rule.ts'
import { fold } from '../../../platform/text/fold.ts'
import { haveAName, haveShortNames, haveSortKeysFrom } from '../../name-rules.ts'
import { UNCONFIRMED } from '../../workflow/workflow.ts'
import { FIELD_TYPE, type FieldDefinition, type FieldDefinitions, type FieldValue } from '../field.ts'
import { parameterFor } from './parameter-values.ts'

/** A new or changed value. */
export interface ValueEdit {
  field: FieldDefinition
  /** Undefined for a new value. */
  before: FieldValue | undefined
  after: Omit<FieldValue, 'id'>
  wanted: { is_open: boolean | undefined; visibility_values: readonly string[] | undefined }
  settings: Settings
}

/** The value of a single-select field that means "no choice". */
export const NOTHING_CHOSEN = '---'

const RESERVED_STATUSES = ['none', 'duplicate', 'change_resolution', 'clearresolution']

export const protectedValuesStay: Rule<ValueEdit> = {
  says: 'Values that the tracker relies on cannot be renamed or disabled.',
  brokenBy: ({ field, before, after, settings }) =>
    before !== undefined &&
    isProtected(field, before, settings) &&
    (before.name !== after.name || after.is_active === 0),
  error: ({ field, before }) => errors.system_value_fixed({ value: before?.name ?? '', of: field.name }),
}

/** Only a new name is checked: one of the standard resolutions has an empty name. */
const newName = ({ before, after }: ValueEdit) => (before?.name === after.name ? undefined : after)

export const valuesHaveAName: Rule<ValueEdit> = ruleForPart(newName, haveAName('Values of fields'))
export const valueNamesAreShort: Rule<ValueEdit> = ruleForPart(newName, haveShortNames('Values of fields'))

export const statusNamesAreNotWordsOfForms: Rule<ValueEdit> = {
  says: `No status is named ${RESERVED_STATUSES.join(', ')}: these names are reserved in Bugzilla’s forms.`,
  brokenBy: ({ field, before, after }) =>
    isStatus(field) && before?.name !== after.name && RESERVED_STATUSES.includes(fold(after.name)),
  error: ({ after }) => errors.bad_value({ name: 'name', value: after.name, right: 'this name is reserved' }),
}

export const valueSortKeysAreInRange: Rule<ValueEdit> = ruleForPart(
  ({ after }) => after,
  haveSortKeysFrom(0, 'Values of fields'),
)

export const statusesAreOpenOrClosed: Rule<ValueEdit> = {
  says: 'A new status has is_open, which says whether bugs with it are open.',
  brokenBy: ({ field, before, wanted }) => isStatus(field) && before === undefined && wanted.is_open === undefined,
  error: () => errors.parameter_required({ name: 'is_open', hint: 'it says whether bugs with the status are open' }),
}

export const onlyStatusesAreOpenOrClosed: Rule<ValueEdit> = {
  says: 'Only statuses are open or closed.',
  brokenBy: ({ field, wanted }) => !isStatus(field) && wanted.is_open !== undefined,
  error: ({ field, wanted }) =>
    errors.bad_value({ name: 'is_open', value: wanted.is_open, right: `values of ${field.name} do not have it` }),
}

export const statusesStayOpenOrClosed: Rule<ValueEdit> = {
  says: 'A status cannot change from open to closed, or from closed to open.',
  brokenBy: ({ before, wanted }) =>
    before !== undefined && wanted.is_open !== undefined && wanted.is_open !== (before.is_open === 1),
  error: ({ before }) =>
    errors.status_stays_open_or_closed({ status: before?.name ?? '', why: before?.is_open === 1 ? 'open' : 'closed' }),
}

export const defaultValuesStayInUse: Rule<ValueEdit> = {
  says: 'The default value of a field cannot be disabled.',
  brokenBy: ({ field, before, after, settings }) =>
    before !== undefined && after.is_active === 0 && isDefault(field, before, settings),
  error: ({ field, before }) =>
    errors.default_value_kept({ setting: parameterFor(field.name) ?? '', value: before?.name ?? '' }),
}

export const onlyDecidedValuesAreShownWithOthers: Rule<ValueEdit> = {
  says: 'Only values of a field with a value_field have visibility_values.',
  brokenBy: ({ field, wanted }) => field.value_field_id === null && (wanted.visibility_values?.length ?? 0) > 0,
  error: ({ field, wanted }) =>
    errors.bad_value({
      name: 'visibility_values',
      value: wanted.visibility_values,
      right: `the field ${field.name} has no value_field`,
    }),
}

export const valuesAreShownWithOneOther: Rule<ValueEdit> = {
  says: 'A value has at most one item in visibility_values.',
  brokenBy: ({ wanted }) => (wanted.visibility_values?.length ?? 0) > 1,
  error: ({ wanted }) =>
    errors.bad_value({ name: 'visibility_values', value: wanted.visibility_values, right: 'it can have one value' }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const valueRules = [
  protectedValuesStay,
  valuesHaveAName,
  valueNamesAreShort,
  statusNamesAreNotWordsOfForms,
  valueSortKeysAreInRange,
  statusesAreOpenOrClosed,
  onlyStatusesAreOpenOrClosed,
  statusesStayOpenOrClosed,
  defaultValuesStayInUse,
  onlyDecidedValuesAreShownWithOthers,
  valuesAreShownWithOneOther,
]

/** A value to delete. */
export interface ValueRemoval {
  field: FieldDefinition
  value: FieldValue
  /** What bugs get instead. */
  replacement: FieldValue | undefined
  isUsedByBugs: boolean
  definitions: FieldDefinitions
  settings: Settings
}

export const protectedValuesAreKept: Rule<ValueRemoval> = {
  says: 'Values that the tracker relies on cannot be deleted.',
  brokenBy: ({ field, value, settings }) => isProtected(field, value, settings),
  error: ({ field, value }) => errors.system_value_kept({ value: value.name, of: field.name }),
}

export const statusesAreNotReplaced: Rule<ValueRemoval> = {
  says: 'A status cannot be replaced by another one: the workflow decides how bugs change it.',
  brokenBy: ({ field, replacement }) => isStatus(field) && replacement !== undefined,
  error: ({ replacement }) =>
    errors.bad_value({ name: 'replace_with', value: replacement?.name, right: 'bugs change their status one by one' }),
}

export const replacementsAreOthersInUse: Rule<ValueRemoval> = {
  says: 'A deleted value is replaced only by another value of the same field that is in use.',
  brokenBy: ({ value, replacement }) =>
    replacement !== undefined && (replacement.id === value.id || replacement.is_active === 0),
  error: ({ replacement }) =>
    errors.bad_value({
      name: 'replace_with',
      value: replacement?.name,
      right: 'it must be another value of the field that is in use',
    }),
}

export const replacementsAreNotEmpty: Rule<ValueRemoval> = {
  says: 'A deleted value is not replaced by the empty one of the field, and a resolution not by DUPLICATE, which names another bug.',
  brokenBy: ({ field, replacement }) =>
    replacement !== undefined &&
    (isEmptyValue(field, replacement) || (field.name === 'resolution' && replacement.name === 'DUPLICATE')),
  error: ({ replacement }) =>
    errors.bad_value({ name: 'replace_with', value: replacement?.name, right: 'bugs cannot get it without more' }),
}

export const defaultValuesAreKept: Rule<ValueRemoval> = {
  says: 'The default value of a field cannot be deleted, unless another value replaces it.',
  brokenBy: ({ field, value, settings, replacement }) => replacement === undefined && isDefault(field, value, settings),
  error: ({ field, value }) =>
    errors.default_value_kept({ setting: parameterFor(field.name) ?? '', value: value.name }),
}

export const usedValuesAreKept: Rule<ValueRemoval> = {
  says: 'A value that bugs have cannot be deleted, unless another value replaces it.',
  brokenBy: ({ isUsedByBugs, replacement }) => isUsedByBugs && replacement === undefined,
  error: ({ value }) => errors.value_has_bugs({ value: value.name }),
}

export const controllingValuesAreKept: Rule<ValueRemoval> = {
  says: 'A value that controls whether a field or another value is shown cannot be deleted.',
  brokenBy: (removal) => controlledField(removal) !== undefined,
  error: (removal) =>
    errors.controls_field({
      subject: `The value “${removal.value.name}”`,
      controlled: controlledField(removal)?.name ?? '',
    }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const valueRemovalRules = [
  protectedValuesAreKept,
  statusesAreNotReplaced,
  replacementsAreOthersInUse,
  replacementsAreNotEmpty,
  defaultValuesAreKept,
  usedValuesAreKept,
  controllingValuesAreKept,
]

function isStatus({ name }: FieldDefinition) {
  return name === 'bug_status'
}

/** compat: the tracker refers to these values by name. */
function isProtected(field: FieldDefinition, { name }: FieldValue, settings: Settings) {
  if (isStatus(field)) return name === UNCONFIRMED || name === settings.duplicate_or_move_bug_status
  if (field.name === 'resolution') return ['', 'FIXED', 'DUPLICATE'].includes(name)
  return isEmptyValue(field, { name })
}

function isEmptyValue(field: FieldDefinition, { name }: Pick<FieldValue, 'name'>) {
  if (findField(field.name)?.emptyValue === name) return true
  return field.is_custom === 1 && field.type === FIELD_TYPE.singleSelect && name === NOTHING_CHOSEN
}

function isDefault(field: FieldDefinition, { name }: FieldValue, settings: Settings) {
  const parameter = parameterFor(field.name)
  return parameter !== undefined && settings[parameter] === name
}

function controlledField({ field, value, definitions }: ValueRemoval) {
  return definitions.all.find(
    (it) =>
      (it.visibility_field_id === field.id && it.visibilityValueIds.includes(value.id)) ||
      (it.value_field_id === field.id && it.values.some((shown) => shown.visibility_value_id === value.id)),
  )
}
