import { restNameOf } from '../../../../shared/bug-fields/field-names.ts'
import { readSettings } from '../../../access/installation.ts'
import { MERGED, recordAudit, recordRemoval } from '../../../changes/audit.ts'
import { countBugsWithCustomValue, countBugsWithValue } from '../../../changes/count-bugs.ts'
import { replaceCustomValue, replaceInColumn } from '../../../changes/replace-values.ts'
import type { ConfigurationTransaction, Db } from '../../../platform/database/db.ts'
import { enforce } from '../../../platform/rule.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import { changeCatalogue } from '../../change-catalogue.ts'
import { beginRemoval, mostCounted, needsSteps } from '../../removals/begin-removal.ts'
import type { Removal } from '../../removals/removal.ts'
import { renameInSearches } from '../../rename-in-searches.ts'
import { workflowRules } from '../../workflow/workflow-rules.ts'
import { readWorkflow } from '../../workflow/workflow-store.ts'
import {
  type FieldDefinition,
  type FieldDefinitions,
  type FieldValue,
  type SelectField,
  VALUE_COLUMNS,
} from '../field.ts'
import { readFieldDefinitions } from '../field-store.ts'
import { renameInParameter } from './rename-in-parameter.ts'
import { getSelect, getValue } from './value-edit.ts'
import { valueRemovalRules } from './value-rules.ts'
import { deleteValue, isUsedByBugs, updateValue } from './value-store.ts'

export interface WantedRemoval {
  field: string
  value: string
  /** The value that bugs get instead; without it, no bug may have the deleted one. */
  replaceWith: string | undefined
  /** Many bugs get the other value some at a time, and this one is deleted after them. */
  inSteps: boolean
}

/** A value that is deleted, and the one that takes its place. */
export interface RemovedValue {
  field: FieldDefinition
  value: FieldValue
  replacement: FieldValue | undefined
}

/** Deletes a value that is not used, or that another one replaces. A status is deleted with its transitions in the workflow. */
export function removeValue(
  db: Db,
  who: number,
  { field: fieldRef, value: valueRef, replaceWith, inSteps }: WantedRemoval,
): Promise<{ value: FieldValue; removal: Removal | undefined }> {
  return changeCatalogue(db, async (tx) => {
    const definitions = await readFieldDefinitions(tx)
    const field = getSelect(definitions, fieldRef)
    const value = getValue(field, valueRef)
    const replacement = replaceWith === undefined ? undefined : getValue(field, replaceWith)
    const removed = { field, value, replacement }
    await requireMayRemove(tx, definitions, removed)
    const bugs = replacement === undefined ? 0 : await countBugs(tx, field, value.id, mostCounted(inSteps))
    if (!needsSteps(bugs, inSteps, value.name)) {
      await finishValueRemoval(tx, who, definitions, removed)
      return { value, removal: undefined }
    }
    await closeValue(tx, who, removed)
    const begun = { class: 'FieldValue', objectId: value.id, name: value.name, replacement, bugs } as const
    return { value, removal: await beginRemoval(tx, who, begun) }
  })
}

async function requireMayRemove(tx: Db, definitions: FieldDefinitions, { field, value, replacement }: RemovedValue) {
  enforce(valueRemovalRules, {
    field,
    value,
    replacement,
    isUsedByBugs: replacement === undefined && (await isUsedByBugs(tx, field, value.id)),
    definitions,
    settings: await readSettings(tx),
  })
}

function countBugs(tx: Db, field: FieldDefinition, valueId: number, most: number) {
  const column = valueColumnOf(field)
  return column === undefined
    ? countBugsWithCustomValue(tx, field.id, valueId, most)
    : countBugsWithValue(tx, column, valueId, most)
}

/** No further bug gets the value while those that have it get the other one. */
async function closeValue(tx: ConfigurationTransaction, who: number, { field, value, replacement }: RemovedValue) {
  if (replacement !== undefined) await renameInParameter(tx, who, field, value.name, replacement.name)
  if (value.is_active === 0) return
  await updateValue(tx, { ...value, is_active: 0 })
  const audited = { who, class: 'FieldValue', objectId: value.id } as const
  await recordAudit(tx, audited, { is_active: { removed: '1', added: '0' } })
}

/** The bugs that are left get the other value, and so do the parameter with the default and saved searches; then it is deleted. */
export async function finishValueRemoval(
  tx: ConfigurationTransaction,
  who: number,
  definitions: FieldDefinitions,
  removed: RemovedValue,
) {
  const { field, value, replacement } = removed
  await requireMayRemove(tx, definitions, removed)
  if (replacement !== undefined) await replaceValue(tx, who, field, value, replacement)
  await deleteValue(tx, value)
  if (field.name === 'bug_status') enforce(workflowRules, await readWorkflow(tx))
  await recordRemoval(tx, { who, class: 'FieldValue', objectId: value.id }, `${field.name}: ${value.name}`)
}

async function replaceValue(
  tx: ConfigurationTransaction,
  who: number,
  field: FieldDefinition,
  from: FieldValue,
  to: FieldValue,
) {
  const by = { who, at: timeNow() }
  const replacement = { field: restNameOf(field.name), from, to }
  const column = valueColumnOf(field)
  if (column === undefined) await replaceCustomValue(tx, by, field.id, replacement)
  else await replaceInColumn(tx, by, column, replacement)
  await renameInParameter(tx, who, field, from.name, to.name)
  await renameInSearches(tx, field.name, from.name, to.name)
  const audited = { who, class: 'FieldValue', objectId: from.id } as const
  await recordAudit(tx, audited, { [MERGED]: { removed: from.name, added: to.name } })
}

/** The column of bugs that has the value; undefined for a custom field. */
export function valueColumnOf({ name }: FieldDefinition) {
  return Object.hasOwn(VALUE_COLUMNS, name) ? VALUE_COLUMNS[name as SelectField] : undefined
}
