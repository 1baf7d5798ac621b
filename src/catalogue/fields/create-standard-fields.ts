import type { Db } from '../../platform/database/db.ts'
import type { Field } from './field.ts'
import { isProductSpecific } from './field.ts'
import { insertFieldsWithIds } from './field-store.ts'
import { SHIPPED_OPEN_STATUSES, SHIPPED_VALUES, SORT_KEY_STEP, STANDARD_FIELDS } from './standard-fields.ts'
import { insertValue } from './values/value-store.ts'

/** Creates the standard fields and their values in a new installation. */
export async function createStandardFields(tx: Db) {
  const fields = standardFields()
  await insertFieldsWithIds(tx, fields)
  for (const field of fields) await shipValues(tx, field)
}

function standardFields(): Field[] {
  const productId = STANDARD_FIELDS.findIndex(({ name }) => name === 'product') + 1
  return STANDARD_FIELDS.map(({ is_mandatory, is_in_new_mail, ...field }, index) => ({
    ...field,
    id: index + 1,
    description: '',
    is_custom: 0,
    is_mandatory: is_mandatory ? 1 : 0,
    is_on_bug_entry: 0,
    is_obsolete: 0,
    is_in_new_mail: is_in_new_mail ? 1 : 0,
    sort_key: (index + 1) * SORT_KEY_STEP,
    visibility_field_id: null,
    value_field_id: isProductSpecific(field.name) ? productId : null,
    reverse_name: '',
  }))
}

async function shipValues(tx: Db, field: Field) {
  for (const [index, name] of (SHIPPED_VALUES.get(field.name) ?? []).entries())
    await insertValue(tx, {
      field_id: field.id,
      name,
      sort_key: (index + 1) * SORT_KEY_STEP,
      is_active: 1,
      is_open: field.name === 'bug_status' ? (SHIPPED_OPEN_STATUSES.includes(name) ? 1 : 0) : null,
      visibility_value_id: null,
    })
}
