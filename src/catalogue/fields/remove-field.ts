import { recordRemoval } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce, type Rule } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import type { Field, FieldDefinition, FieldDefinitions } from './field.ts'
import { deleteField, isFilledIn, isInHistory, readFieldDefinitions } from './field-store.ts'
import { getField } from './read-fields.ts'
import { NOTHING_CHOSEN } from './values/value-rules.ts'

/** Removes a custom field that was switched off and that no bug ever had anything in. */
export function removeField(db: Db, who: number, ref: string): Promise<Field> {
  return changeCatalogue(db, async (tx) => {
    const definitions = await readFieldDefinitions(tx)
    const field = getField(definitions, ref)
    const empty = field.values.find(({ name }) => name === NOTHING_CHOSEN)
    enforce(fieldRemovalRules, {
      field,
      definitions,
      isInHistory: await isInHistory(tx, field.name),
      isFilledIn: await isFilledIn(tx, field.id, empty?.id),
    })
    await deleteField(tx, field.id)
    await recordRemoval(tx, { who, class: 'Field', objectId: field.id }, field.name)
    return field
  })
}

interface FieldRemoval {
  field: FieldDefinition
  definitions: FieldDefinitions
  isInHistory: boolean
  isFilledIn: boolean
}

export const standardFieldsAreKept: Rule<FieldRemoval> = {
  says: 'The fields that every bug has cannot be deleted; only custom fields can.',
  brokenBy: ({ field }) => field.is_custom === 0,
  error: ({ field }) => errors.refused({ why: `The field ${field.name} belongs to the tracker and cannot be deleted` }),
}

export const fieldsInUseAreKept: Rule<FieldRemoval> = {
  says: 'A custom field can be deleted only after it was made obsolete.',
  brokenBy: ({ field }) => field.is_obsolete === 0,
  error: ({ field }) => errors.refused({ why: `The field ${field.name} is in use: make it obsolete first` }),
}

export const fieldsInHistoryAreKept: Rule<FieldRemoval> = {
  says: 'A field that history tells of cannot be deleted.',
  brokenBy: ({ isInHistory }) => isInHistory,
  error: ({ field }) => errors.refused({ why: `The history of bugs tells of the field ${field.name}` }),
}

export const filledFieldsAreKept: Rule<FieldRemoval> = {
  says: 'A field in which any bug has something cannot be deleted.',
  brokenBy: ({ isFilledIn }) => isFilledIn,
  error: ({ field }) => errors.refused({ why: `Bugs have something in the field ${field.name}` }),
}

export const controllingFieldsAreKept: Rule<FieldRemoval> = {
  says: 'A field that decides what another one shows cannot be deleted.',
  brokenBy: (removal) => controlledField(removal) !== undefined,
  error: (removal) =>
    errors.refused({
      why: `The field ${removal.field.name} decides what the field ${controlledField(removal)?.name} shows: change that first`,
    }),
}

/** In the order they are checked: the first one broken is the error the client sees. */
export const fieldRemovalRules = [
  standardFieldsAreKept,
  fieldsInUseAreKept,
  fieldsInHistoryAreKept,
  filledFieldsAreKept,
  controllingFieldsAreKept,
]

function controlledField({ field, definitions }: FieldRemoval) {
  return definitions.all.find((it) => it.visibility_field_id === field.id || it.value_field_id === field.id)
}
