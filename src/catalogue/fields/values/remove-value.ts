import { restNameOf } from '../../../../shared/bug-fields/field-names.ts'
import { readSettings } from '../../../access/installation.ts'
import { MERGED, recordAudit, recordRemoval } from '../../../changes/audit.ts'
import { replaceCustomValue, replaceInColumn } from '../../../changes/replace-values.ts'
import type { ConfigurationTransaction, Db } from '../../../platform/database/db.ts'
import { enforce } from '../../../platform/rule.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import { changeCatalogue } from '../../change-catalogue.ts'
import { renameInSearches } from '../../rename-in-searches.ts'
import { workflowRules } from '../../workflow/workflow-rules.ts'
import { readWorkflow } from '../../workflow/workflow-store.ts'
import { type FieldDefinition, type FieldValue, type SelectField, VALUE_COLUMNS } from '../field.ts'
import { readFieldDefinitions } from '../field-store.ts'
import { renameInParameter } from './rename-in-parameter.ts'
import { getSelect, getValue } from './value-edit.ts'
import { valueRemovalRules } from './value-rules.ts'
import { deleteValue, isUsedByBugs } from './value-store.ts'

export interface WantedRemoval {
  field: string
  value: string
  /** The value that bugs get instead; without it, no bug may have the deleted one. */
  replaceWith: string | undefined
}

/** Deletes a value that is not used, or that another one replaces. A status is deleted with its transitions in the workflow. */
export function removeValue(db: Db, who: number, wanted: WantedRemoval): Promise<FieldValue> {
  return changeCatalogue(db, async (tx) => {
    const definitions = await readFieldDefinitions(tx)
    const field = getSelect(definitions, wanted.field)
    const value = getValue(field, wanted.value)
    const replacement = wanted.replaceWith === undefined ? undefined : getValue(field, wanted.replaceWith)
    const settings = await readSettings(tx)
    enforce(valueRemovalRules, {
      field,
      value,
      replacement,
      isUsedByBugs: await isUsedByBugs(tx, field, value.id),
      definitions,
      settings,
    })
    if (replacement !== undefined) await replaceValue(tx, who, field, value, replacement)
    await deleteValue(tx, value)
    if (field.name === 'bug_status') enforce(workflowRules, await readWorkflow(tx))
    await recordRemoval(tx, { who, class: 'FieldValue', objectId: value.id }, `${field.name}: ${value.name}`)
    return value
  })
}

/** Bugs, the parameter with the default and saved searches get the other value. */
async function replaceValue(
  tx: ConfigurationTransaction,
  who: number,
  field: FieldDefinition,
  from: FieldValue,
  to: FieldValue,
) {
  const by = { who, at: timeNow() }
  const replacement = { field: restNameOf(field.name), from, to }
  if (Object.hasOwn(VALUE_COLUMNS, field.name))
    await replaceInColumn(tx, by, VALUE_COLUMNS[field.name as SelectField], replacement)
  else await replaceCustomValue(tx, by, field.id, replacement)
  await renameInParameter(tx, who, field, from.name, to.name)
  await renameInSearches(tx, field.name, from.name, to.name)
  await recordAudit(
    tx,
    { who, class: 'FieldValue', objectId: from.id },
    { [MERGED]: { removed: from.name, added: to.name } },
  )
}
