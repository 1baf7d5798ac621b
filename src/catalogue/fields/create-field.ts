import { readSettings } from '../../access/installation.ts'
import { recordCreation } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { FIELD_TYPE } from './field.ts'
import { fieldEdit, type WantedField } from './field-edit.ts'
import { fieldRules } from './field-rules.ts'
import { insertField, readFieldDefinitions, setVisibilityValues } from './field-store.ts'
import { SORT_KEY_STEP } from './standard-fields.ts'
import { visibilityIds } from './values/controlling-values.ts'
import { addFieldValue } from './values/create-value.ts'
import { getSelect, type WantedValue } from './values/value-edit.ts'
import { NOTHING_CHOSEN } from './values/value-rules.ts'

/** Creates a custom field with its first values. */
export function createField(
  db: Db,
  who: number,
  wanted: WantedField,
  values: readonly WantedValue[],
): Promise<{ id: number; name: string }> {
  return changeCatalogue(db, async (tx) => {
    const before = await readFieldDefinitions(tx)
    const edit = fieldEdit(before, undefined, wanted)
    enforce(fieldRules, edit)
    const { name, type } = edit.after
    const id = await insertField(tx, edit.after)
    await setVisibilityValues(tx, id, await visibilityIds(tx, before, edit, wanted.visibility_values))
    await recordCreation(tx, { who, class: 'Field', objectId: id }, name)
    await addValues(
      tx,
      who,
      name,
      type === FIELD_TYPE.singleSelect ? [nothingChosen, ...inOrder(values)] : inOrder(values),
    )
    return { id, name }
  })
}

async function addValues(tx: Db, who: number, fieldName: string, values: readonly WantedValue[]) {
  if (values.length === 0) return
  const definitions = await readFieldDefinitions(tx)
  const field = getSelect(definitions, fieldName)
  const settings = await readSettings(tx)
  for (const value of values) await addFieldValue(tx, who, { definitions, field, settings }, value)
}

/** Values without sort keys keep their order. */
function inOrder(values: readonly WantedValue[]): WantedValue[] {
  return values.map((value, index) => ({ ...value, sort_key: value.sort_key ?? (index + 1) * SORT_KEY_STEP }))
}

const nothingChosen: WantedValue = {
  name: NOTHING_CHOSEN,
  sort_key: 0,
  is_active: true,
  is_open: undefined,
  visibility_values: undefined,
}
