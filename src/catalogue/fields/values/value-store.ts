import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { onUniqueViolation } from '../../../platform/database/on-unique-violation.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { errors } from '../../../platform/errors.ts'
import { fold } from '../../../platform/text/fold.ts'
import { onForeignKeyViolation } from '../../on-foreign-key-violation.ts'
import { type FieldDefinition, type FieldValue, VALUE_COLUMNS } from '../field.ts'

const insert = statement<Omit<FieldValue, 'id'> & { key: string }>()((q, p) =>
  q
    .insertInto('field_values')
    .values({
      field_id: p.field_id,
      name: p.name,
      name_key: p.key,
      sort_key: p.sort_key,
      is_active: p.is_active,
      is_open: p.is_open,
      visibility_value_id: p.visibility_value_id,
    })
    .returning('id'),
)

export async function insertValue(tx: Db, value: Omit<FieldValue, 'id'>): Promise<number> {
  const row = await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'value', name: value.name }),
    () => tx.first(insert, { ...value, key: fold(value.name) }),
  )
  return row?.id as number
}

const update = statement<FieldValue & { key: string }>()((q, p) =>
  q
    .updateTable('field_values')
    .set({
      name: p.name,
      name_key: p.key,
      sort_key: p.sort_key,
      is_active: p.is_active,
      visibility_value_id: p.visibility_value_id,
    })
    .where('id', '=', p.id),
)

export async function updateValue(tx: Db, value: FieldValue) {
  await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'value', name: value.name }),
    () => tx.all(update, { ...value, key: fold(value.name) }),
  )
}

const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('field_values').where('id', '=', p.id))

export function deleteValue(tx: Db, { id, name }: FieldValue) {
  return onForeignKeyViolation(tx, `The value “${name}”`, () => tx.all(remove, { id }))
}

const forgetControllers = statement<{ fieldId: number }>()((q, p) =>
  q.updateTable('field_values').set({ visibility_value_id: null }).where('field_id', '=', p.fieldId),
)

/** Removes the controlling value of all values of the field, so that they are always shown. */
export async function showAllValues(tx: Db, fieldId: number) {
  await tx.all(forgetControllers, { fieldId })
}

const WHY = 'a value that any bug has cannot be deleted'

export async function isUsedByBugs(tx: Db, field: FieldDefinition, valueId: number): Promise<boolean> {
  const found = await tx.query((q) =>
    Object.hasOwn(VALUE_COLUMNS, field.name)
      ? bugsUnfiltered(q, WHY)
          .select('bugs.id')
          .where(`bugs.${VALUE_COLUMNS[field.name as keyof typeof VALUE_COLUMNS]}`, '=', valueId)
          .limit(1)
      : q
          .selectFrom('bug_custom_values')
          .select('bug_id as id')
          .where('field_id', '=', field.id)
          .where('number_value', '=', valueId)
          .limit(1),
  )
  return found.length > 0
}
