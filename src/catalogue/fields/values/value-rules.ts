import type { Settings } from '../../../platform/config/settings.ts'
import { errors } from '../../../platform/errors.ts'
import { ofPart, type Rule } from '../../../platform/rule.ts'
import { fold } from '../../../platform/text/fold.ts'
import { haveAName, haveShortNames, haveSortKeysFrom } from '../../name-rules.ts'
import { UNCONFIRMED } from '../../workflow/workflow.ts'
import { FIELD_TYPE, type FieldDefinition, type FieldDefinitions, type FieldValue } from '../field.ts'
import { parameterFor } from './parameter-values.ts'

/** What a value was and is to be. */
export interface ValueEdit {
  field: FieldDefinition
  /** Undefined when the value is being made. */
  before: FieldValue | undefined
  after: Omit<FieldValue, 'id'>
  wanted: { is_open: boolean | undefined; visibility_values: readonly string[] | undefined }
  settings: Settings
}

/** The value of a single select in which nobody has chosen anything. */
export const NOTHING_CHOSEN = '---'

const RESERVED_STATUSES = ['none', 'duplicate', 'change_resolution', 'clearresolution']

export const protectedValuesStay: Rule<ValueEdit> = {
  says: 'Values that the tracker itself relies on keep their name and stay in use.',
  brokenBy: ({ field, before, after, settings }) =>
    before !== undefined &&
    isProtected(field, before, settings) &&
    (before.name !== after.name || after.is_active === 0),
  error: ({ field, before }) =>
    errors.refused({
      why: `The tracker relies on the value “${before?.name}” of ${field.name}: it can be neither renamed nor switched off`,
    }),
}

/** The name is looked at only when it is new: one of the shipped resolutions has none. */
const newName = ({ before, after }: ValueEdit) => (before?.name === after.name ? undefined : after)

export const valuesHaveAName: Rule<ValueEdit> = ofPart(newName, haveAName('Values of fields'))
export const valueNamesAreShort: Rule<ValueEdit> = ofPart(newName, haveShortNames('Values of fields'))

export const statusNamesAreNotWordsOfForms: Rule<ValueEdit> = {
  says: `No status is named ${RESERVED_STATUSES.join(', ')}: these words mean something else where a status is chosen.`,
  brokenBy: ({ field, before, after }) =>
    isStatus(field) && before?.name !== after.name && RESERVED_STATUSES.includes(fold(after.name)),
  error: ({ after }) => errors.bad_value({ name: 'name', value: after.name, right: 'no status can have this name' }),
}

export const valueSortKeysAreInRange: Rule<ValueEdit> = ofPart(
  ({ after }) => after,
  haveSortKeysFrom(0, 'Values of fields'),
)

export const statusesAreOpenOrClosed: Rule<ValueEdit> = {
  says: 'Whoever makes a status says whether bugs with it are open.',
  brokenBy: ({ field, before, wanted }) => isStatus(field) && before === undefined && wanted.is_open === undefined,
  error: () => errors.parameter_required({ name: 'is_open', hint: 'bugs with the status are open or closed' }),
}

export const onlyStatusesAreOpenOrClosed: Rule<ValueEdit> = {
  says: 'Only statuses are open or closed.',
  brokenBy: ({ field, wanted }) => !isStatus(field) && wanted.is_open !== undefined,
  error: ({ field, wanted }) =>
    errors.bad_value({ name: 'is_open', value: wanted.is_open, right: `values of ${field.name} have none` }),
}

export const statusesStayOpenOrClosed: Rule<ValueEdit> = {
  says: 'A status that was made for open bugs stays so, and one for closed bugs too.',
  brokenBy: ({ before, wanted }) =>
    before !== undefined && wanted.is_open !== undefined && wanted.is_open !== (before.is_open === 1),
  error: ({ before }) =>
    errors.refused({
      why: `The status ${before?.name} is ${before?.is_open === 1 ? 'open' : 'closed'} and cannot change that`,
    }),
}

export const defaultValuesStayInUse: Rule<ValueEdit> = {
  says: 'The value that a bug gets when nobody chose one stays in use.',
  brokenBy: ({ field, before, after, settings }) =>
    before !== undefined && after.is_active === 0 && isDefault(field, before, settings),
  error: ({ field, before }) => errors.refused({ why: isNamed(field, before?.name ?? '') }),
}

export const onlyDecidedValuesAreShownWithOthers: Rule<ValueEdit> = {
  says: 'Only where another field decides which values are shown, a value names with what it is shown.',
  brokenBy: ({ field, wanted }) => field.value_field_id === null && (wanted.visibility_values?.length ?? 0) > 0,
  error: ({ field, wanted }) =>
    errors.bad_value({
      name: 'visibility_values',
      value: wanted.visibility_values,
      right: `the field ${field.name} has no value_field`,
    }),
}

export const valuesAreShownWithOneOther: Rule<ValueEdit> = {
  says: 'A value is shown with at most one value of the field that decides it.',
  brokenBy: ({ wanted }) => (wanted.visibility_values?.length ?? 0) > 1,
  error: ({ wanted }) =>
    errors.bad_value({ name: 'visibility_values', value: wanted.visibility_values, right: 'it can hold one value' }),
}

/** In the order they are checked: the first one broken is the error the client sees. */
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

/** A value that is to be deleted. */
export interface ValueRemoval {
  field: FieldDefinition
  value: FieldValue
  isUsedByBugs: boolean
  definitions: FieldDefinitions
  settings: Settings
}

export const protectedValuesAreKept: Rule<ValueRemoval> = {
  says: 'Values that the tracker itself relies on cannot be deleted.',
  brokenBy: ({ field, value, settings }) => isProtected(field, value, settings),
  error: ({ field, value }) =>
    errors.refused({ why: `The tracker relies on the value “${value.name}” of ${field.name}: it cannot be deleted` }),
}

export const defaultValuesAreKept: Rule<ValueRemoval> = {
  says: 'The value that a bug gets when nobody chose one cannot be deleted.',
  brokenBy: ({ field, value, settings }) => isDefault(field, value, settings),
  error: ({ field, value }) => errors.refused({ why: isNamed(field, value.name) }),
}

export const usedValuesAreKept: Rule<ValueRemoval> = {
  says: 'A value that bugs have cannot be deleted.',
  brokenBy: ({ isUsedByBugs }) => isUsedByBugs,
  error: ({ value }) => errors.refused({ why: `Bugs have the value “${value.name}”: change them, or switch it off` }),
}

export const controllingValuesAreKept: Rule<ValueRemoval> = {
  says: 'A value with which a field, or a value of one, is shown cannot be deleted.',
  brokenBy: (removal) => controlledField(removal) !== undefined,
  error: (removal) =>
    errors.refused({
      why: `The value “${removal.value.name}” decides what the field ${controlledField(removal)?.name} shows: change that field first`,
    }),
}

/** In the order they are checked: the first one broken is the error the client sees. */
export const valueRemovalRules = [
  protectedValuesAreKept,
  defaultValuesAreKept,
  usedValuesAreKept,
  controllingValuesAreKept,
]

function isStatus({ name }: FieldDefinition) {
  return name === 'bug_status'
}

/** compat: the tracker knows these by name. */
function isProtected(field: FieldDefinition, { name }: FieldValue, settings: Settings) {
  if (isStatus(field)) return name === UNCONFIRMED || name === settings.duplicate_or_move_bug_status
  if (field.name === 'resolution') return ['', 'FIXED', 'DUPLICATE'].includes(name)
  return field.is_custom === 1 && field.type === FIELD_TYPE.singleSelect && name === NOTHING_CHOSEN
}

function isDefault(field: FieldDefinition, { name }: FieldValue, settings: Settings) {
  const parameter = parameterFor(field.name)
  return parameter !== undefined && settings[parameter] === name
}

function isNamed(field: FieldDefinition, name: string) {
  return `The value “${name}” is what the parameter ${parameterFor(field.name)} names: change that first`
}

function controlledField({ field, value, definitions }: ValueRemoval) {
  return definitions.all.find(
    (it) =>
      (it.visibility_field_id === field.id && it.visibilityValueIds.includes(value.id)) ||
      (it.value_field_id === field.id && it.values.some((shown) => shown.visibility_value_id === value.id)),
  )
}
