import { type Changes, recordAudit } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { Db } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import type { Field, FieldDefinition, FieldDefinitions } from './field.ts'
import { fieldEdit, type WantedField } from './field-edit.ts'
import { fieldRules } from './field-rules.ts'
import { readFieldDefinitions, setVisibilityValues, updateField } from './field-store.ts'
import { getField } from './read-fields.ts'
import { controllingNames, visibilityIds } from './values/controlling-values.ts'
import { showAllValues } from './values/value-store.ts'

/** Makes the same changes to several custom fields: to all of them, or to none if one fails. */
export function updateFields(db: Db, who: number, refs: readonly string[], wanted: WantedField) {
  return changeCatalogue(db, async (tx) => {
    const targets = new Set(refs.map(getFieldId(await readFieldDefinitions(tx))))
    const updated = []
    // Each field is checked against the fields as changed so far: together the changes may form a circle that none forms alone.
    for (const id of targets)
      updated.push({ id, changes: await updateOne(tx, who, await readFieldDefinitions(tx), id, wanted) })
    return updated
  })
}

function getFieldId(definitions: FieldDefinitions) {
  return (ref: string) => getField(definitions, ref).id
}

async function updateOne(
  tx: Db,
  who: number,
  definitions: FieldDefinitions,
  id: number,
  wanted: WantedField,
): Promise<Changes> {
  const before = definitions.withId(id) as FieldDefinition
  const edit = fieldEdit(definitions, before, wanted)
  enforce(fieldRules, edit)
  const shownWith = await visibilityIds(tx, definitions, edit, wanted.visibility_values)
  await updateField(tx, { ...edit.after, id })
  await setVisibilityValues(tx, id, shownWith)
  if (edit.after.value_field_id !== before.value_field_id) await showAllValues(tx, id)
  const changes = changesBetween(
    await visibleForm(tx, definitions, before, before.visibilityValueIds),
    await visibleForm(tx, definitions, edit.after, shownWith),
  )
  await recordAudit(tx, { who, class: 'Field', objectId: id }, changes)
  return changes
}

async function visibleForm(
  tx: Db,
  { withId }: FieldDefinitions,
  field: Omit<Field, 'id'>,
  visibilityValueIds: readonly number[],
) {
  const named = (id: number | null) => (id === null ? undefined : withId(id))
  const controller = named(field.visibility_field_id)
  return {
    display_name: field.display_name,
    description: field.description,
    sort_key: field.sort_key,
    is_mandatory: field.is_mandatory,
    is_on_bug_entry: field.is_on_bug_entry,
    is_obsolete: field.is_obsolete,
    is_in_new_mail: field.is_in_new_mail,
    reverse_name: field.reverse_name,
    visibility_field: controller?.name ?? '',
    visibility_values: (await controllingNames(tx, controller, visibilityValueIds)).join(', '),
    value_field: named(field.value_field_id)?.name ?? '',
  }
}
