import type { CataloguePart } from '../../access/installation.ts'
import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { type Placeholders, statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { definitionsOf, type Field, type FieldDefinitions } from './field.ts'

const allFields = statement<object>()((q) => q.selectFrom('fields').selectAll().orderBy('sort_key').orderBy('name'))
const allVisibilityValues = statement<object>()((q) =>
  q.selectFrom('field_visibility_values').selectAll().orderBy('field_id').orderBy('value_id'),
)
const allValues = statement<object>()((q) =>
  q
    .selectFrom('field_values')
    .select(['id', 'field_id', 'name', 'sort_key', 'is_active', 'is_open', 'visibility_value_id'])
    .orderBy('sort_key')
    .orderBy('name_key'),
)

const votingProduct = statement<object>()((q) =>
  q.selectFrom('products').select('id').where('votesperuser', '>', 0).limit(1),
)

export async function readFieldDefinitions(db: Db): Promise<FieldDefinitions> {
  const fields = await db.all(allFields, {})
  const visibilityValues = Map.groupBy(await db.all(allVisibilityValues, {}), (row) => row.field_id)
  const values = Map.groupBy(await db.all(allValues, {}), (row) => row.field_id)
  return definitionsOf(
    fields.map((field) => ({
      ...field,
      visibilityValueIds: (visibilityValues.get(field.id) ?? []).map((row) => row.value_id),
      values: values.get(field.id) ?? [],
    })),
    (await db.first(votingProduct, {})) !== undefined,
  )
}

/** The fields and their values, kept in memory until the catalogue changes. */
export const keptFields: CataloguePart<FieldDefinitions> = { read: readFieldDefinitions }

type ChangeableField = Omit<Field, 'id' | 'name' | 'type' | 'is_custom'>

function changeableColumns(p: Placeholders<ChangeableField>) {
  return {
    display_name: p.display_name,
    description: p.description,
    is_mandatory: p.is_mandatory,
    is_on_bug_entry: p.is_on_bug_entry,
    is_obsolete: p.is_obsolete,
    is_in_new_mail: p.is_in_new_mail,
    sort_key: p.sort_key,
    visibility_field_id: p.visibility_field_id,
    value_field_id: p.value_field_id,
    reverse_name: p.reverse_name,
  }
}

const insert = statement<Omit<Field, 'id'>>()((q, p) =>
  q
    .insertInto('fields')
    .values({ ...changeableColumns(p), name: p.name, type: p.type, is_custom: p.is_custom })
    .returning('id'),
)

export async function insertField(tx: Db, field: Omit<Field, 'id'>): Promise<number> {
  const taken = () => errors.name_taken({ what: 'field', name: field.name })
  const row = await onUniqueViolation(tx, taken, () => tx.first(insert, field))
  return row?.id as number
}

/** Inserts fields with fixed ids. Later fields get higher ids. */
export async function insertFieldsWithIds(tx: Db, fields: readonly Field[]) {
  await tx.query((q) => q.insertInto('fields').values([...fields]))
  await tx.query((q, d) => q.selectNoFrom(d.idsFollowThoseIn('fields').as('newest')))
}

const update = statement<Field>()((q, p) => q.updateTable('fields').set(changeableColumns(p)).where('id', '=', p.id))

/** Updates everything except the name and the type, which cannot be changed. */
export async function updateField(tx: Db, field: Field) {
  await tx.all(update, field)
}

const removeBugValues = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('bug_custom_values').where('field_id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('fields').where('id', '=', p.id))

/** Deletes a field with its values, also those on bugs. */
export async function deleteField(tx: Db, id: number) {
  await tx.all(removeBugValues, { id })
  await tx.all(remove, { id })
}

const removeVisibilityValues = statement<{ fieldId: number }>()((q, p) =>
  q.deleteFrom('field_visibility_values').where('field_id', '=', p.fieldId),
)

export async function setVisibilityValues(tx: Db, fieldId: number, valueIds: readonly number[]) {
  await tx.all(removeVisibilityValues, { fieldId })
  if (valueIds.length === 0) return
  await tx.query((q) =>
    q.insertInto('field_visibility_values').values(valueIds.map((value_id) => ({ field_id: fieldId, value_id }))),
  )
}

const anyHistory = statement<{ name: string }>()((q, p) =>
  q.selectFrom('bug_changes').select('id').where('field', '=', p.name).limit(1),
)

export async function isInHistory(tx: Db, name: string) {
  return (await tx.first(anyHistory, { name })) !== undefined
}

/** 0 and empty text count as empty. */
const anyFilledIn = statement<{ id: number; emptyValueId: number }>()((q, p) =>
  q
    .selectFrom('bug_custom_values')
    .select('id')
    .where('field_id', '=', p.id)
    .where((row) => row.or([row('text_value', '<>', ''), row('number_value', 'not in', [0, p.emptyValueId])]))
    .limit(1),
)

/** Whether the field is filled in on any bug. The value `---` counts as empty. */
export async function isFilledIn(tx: Db, id: number, emptyValueId: number | undefined) {
  return (await tx.first(anyFilledIn, { id, emptyValueId: emptyValueId ?? 0 })) !== undefined
}
