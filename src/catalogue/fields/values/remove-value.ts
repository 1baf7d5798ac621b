import { readSettings } from '../../../access/installation.ts'
import { recordRemoval } from '../../../changes/audit.ts'
import type { Db } from '../../../platform/database/db.ts'
import { enforce } from '../../../platform/rule.ts'
import { changeCatalogue } from '../../change-catalogue.ts'
import { workflowRules } from '../../workflow/workflow-rules.ts'
import { readWorkflow } from '../../workflow/workflow-store.ts'
import type { FieldValue } from '../field.ts'
import { readFieldDefinitions } from '../field-store.ts'
import { getSelect, getValue } from './value-edit.ts'
import { valueRemovalRules } from './value-rules.ts'
import { deleteValue, isUsedByBugs } from './value-store.ts'

/** Deletes a value that is not used. A status is deleted with its transitions in the workflow. */
export function removeValue(db: Db, who: number, fieldRef: string, ref: string): Promise<FieldValue> {
  return changeCatalogue(db, async (tx) => {
    const definitions = await readFieldDefinitions(tx)
    const field = getSelect(definitions, fieldRef)
    const value = getValue(field, ref)
    const settings = await readSettings(tx)
    enforce(valueRemovalRules, {
      field,
      value,
      isUsedByBugs: await isUsedByBugs(tx, field, value.id),
      definitions,
      settings,
    })
    await deleteValue(tx, value)
    if (field.name === 'bug_status') enforce(workflowRules, await readWorkflow(tx))
    await recordRemoval(tx, { who, class: 'FieldValue', objectId: value.id }, `${field.name}: ${value.name}`)
    return value
  })
}
