import { readSettings } from '../../../access/installation.ts'
import { type Changes, recordAudit } from '../../../changes/audit.ts'
import { changesBetween } from '../../../changes/changes-between.ts'
import type { ConfigurationTransaction, Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { changeCatalogue } from '../../change-catalogue.ts'
import { renameInSearches } from '../../rename-in-searches.ts'
import { workflowRules } from '../../workflow/workflow-rules.ts'
import { readWorkflow } from '../../workflow/workflow-store.ts'
import type { FieldDefinition, FieldDefinitions, FieldValue } from '../field.ts'
import { readFieldDefinitions } from '../field-store.ts'
import { controllingNames } from './controlling-values.ts'
import { shownWith } from './create-value.ts'
import { renameInParameter } from './rename-in-parameter.ts'
import { getSelect, getValue, valueEdit, type WantedValue } from './value-edit.ts'
import { valueRules } from './value-rules.ts'
import { updateValue } from './value-store.ts'

/** Makes the same changes to several values: to all of them, or to none if one fails. Bugs keep a renamed value, without history. */
export function updateValues(db: Db, who: number, fieldRef: string, refs: readonly string[], wanted: WantedValue) {
  return changeCatalogue(db, async (tx) => {
    const definitions = await readFieldDefinitions(tx)
    const field = getSelect(definitions, fieldRef)
    const values = [...new Set(refs.map((ref) => getValue(field, ref)))]
    if (values.length > 1 && wanted.name !== undefined) throw errors.one_at_a_time({ name: 'name', what: 'value' })
    const updated = []
    for (const value of values)
      updated.push({ id: value.id, changes: await updateOne(tx, who, { definitions, field, before: value }, wanted) })
    if (field.name === 'bug_status') enforce(workflowRules, await readWorkflow(tx))
    return updated
  })
}

async function updateOne(
  tx: ConfigurationTransaction,
  who: number,
  { definitions, field, before }: { definitions: FieldDefinitions; field: FieldDefinition; before: FieldValue },
  wanted: WantedValue,
): Promise<Changes> {
  const edit = valueEdit(field, before, wanted, await readSettings(tx))
  enforce(valueRules, edit)
  const after = { ...edit.after, id: before.id, visibility_value_id: await shownWith(tx, definitions, edit) }
  await updateValue(tx, after)
  if (after.name !== before.name) {
    await renameInParameter(tx, who, field, before.name, after.name)
    await renameInSearches(tx, field.name, before.name, after.name)
  }
  const controller = field.value_field_id === null ? undefined : definitions.withId(field.value_field_id)
  const changes = changesBetween(await visibleForm(tx, controller, before), await visibleForm(tx, controller, after))
  await recordAudit(tx, { who, class: 'FieldValue', objectId: before.id }, changes)
  return changes
}

async function visibleForm(tx: Db, controller: FieldDefinition | undefined, value: FieldValue) {
  const { name, sort_key, is_active, visibility_value_id } = value
  const shown = await controllingNames(tx, controller, visibility_value_id === null ? [] : [visibility_value_id])
  return { name, sort_key, is_active, visibility_values: shown.join(', ') }
}
