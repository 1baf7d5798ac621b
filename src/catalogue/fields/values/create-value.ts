import { readSettings } from '../../../access/installation.ts'
import { recordCreation } from '../../../changes/audit.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { changeCatalogue } from '../../change-catalogue.ts'
import { allowDuplicateStatusFromAll } from '../../workflow/duplicate-status.ts'
import type { FieldDefinition, FieldDefinitions } from '../field.ts'
import { readFieldDefinitions } from '../field-store.ts'
import { controllingIds } from './controlling-values.ts'
import { getSelect, valueEdit, type WantedValue } from './value-edit.ts'
import { type ValueEdit, valueRules } from './value-rules.ts'
import { insertValue } from './value-store.ts'

/** Creates a value. A bug with a new status can change to the status of duplicates. */
export function createValue(db: Db, who: number, fieldRef: string, wanted: WantedValue): Promise<number> {
  return changeCatalogue(db, async (tx) => {
    const definitions = await readFieldDefinitions(tx)
    const settings = await readSettings(tx)
    const field = getSelect(definitions, fieldRef)
    const id = await addFieldValue(tx, who, { definitions, field, settings }, wanted)
    if (field.name === 'bug_status') await allowDuplicateStatusFromAll(tx, who, settings.duplicate_or_move_bug_status)
    return id
  })
}

interface NewValueContext {
  definitions: FieldDefinitions
  field: FieldDefinition
  settings: Settings
}

export async function addFieldValue(
  tx: Db,
  who: number,
  context: NewValueContext,
  wanted: WantedValue,
): Promise<number> {
  const edit = valueEdit(context.field, undefined, wanted, context.settings)
  enforce(valueRules, edit)
  const visibility_value_id = await shownWith(tx, context.definitions, edit)
  const id = await insertValue(tx, { ...edit.after, visibility_value_id })
  await recordCreation(tx, { who, class: 'FieldValue', objectId: id }, `${context.field.name}: ${edit.after.name}`)
  return id
}

/** The value of the controlling field for which this value is shown; null for always. */
export async function shownWith(tx: Db, definitions: FieldDefinitions, { field, after, wanted }: ValueEdit) {
  if (wanted.visibility_values === undefined) return after.visibility_value_id
  const controller = field.value_field_id === null ? undefined : definitions.withId(field.value_field_id)
  if (controller === undefined || wanted.visibility_values.length === 0) return null
  const [id, ...others] = await controllingIds(tx, controller, wanted.visibility_values)
  if (others.length > 0)
    throw errors.bad_value({
      name: 'visibility_values',
      value: wanted.visibility_values[0],
      right: `several values of ${controller.name} have this name: give the id of one`,
    })
  return id ?? null
}
