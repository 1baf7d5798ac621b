import { recordRemoval } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce, type Rule } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import type { Field, FieldDefinition, FieldDefinitions } from './field.ts'
import { deleteField, isFilledIn, isInHistory, readFieldDefinitions } from './field-store.ts'
import { getField } from './read-fields.ts'
import { NOTHING_CHOSEN } from './values/value-rules.ts'

/** Deletes a custom field that is obsolete and was never filled in on a bug. */
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
  says: 'Standard fields cannot be deleted; only custom fields can.',
  brokenBy: ({ field }) => field.is_custom === 0,
  error: ({ field }) => errors.standard_field_kept({ name: field.name }),
}

export const fieldsInUseAreKept: Rule<FieldRemoval> = {
  says: 'A custom field can be deleted only if it is obsolete.',
  brokenBy: ({ field }) => field.is_obsolete === 0,
  error: ({ field }) => errors.field_not_obsolete({ name: field.name }),
}

export const fieldsInHistoryAreKept: Rule<FieldRemoval> = {
  says: 'A field that appears in the history of a bug cannot be deleted.',
  brokenBy: ({ isInHistory }) => isInHistory,
  error: ({ field }) => errors.field_in_history({ name: field.name }),
}

export const filledFieldsAreKept: Rule<FieldRemoval> = {
  says: 'A field that is filled in on a bug cannot be deleted.',
  brokenBy: ({ isFilledIn }) => isFilledIn,
  error: ({ field }) => errors.field_filled_in({ name: field.name }),
}

export const controllingFieldsAreKept: Rule<FieldRemoval> = {
  says: 'A field that controls another one cannot be deleted.',
  brokenBy: (removal) => controlledField(removal) !== undefined,
  error: (removal) =>
    errors.controls_field({
      subject: `The field ${removal.field.name}`,
      controlled: controlledField(removal)?.name ?? '',
    }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
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
