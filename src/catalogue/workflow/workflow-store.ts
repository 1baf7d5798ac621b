import type { CataloguePart } from '../../access/installation.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { FieldDefinitions } from '../fields/field.ts'
import { readFieldDefinitions } from '../fields/field-store.ts'
import { type Transition, type Workflow, workflowOf } from './workflow.ts'

const allTransitions = statement<object>()((q) => q.selectFrom('workflow_transitions').selectAll())

export async function readWorkflow(db: Db, definitions?: FieldDefinitions): Promise<Workflow> {
  const { valuesOf } = definitions ?? (await readFieldDefinitions(db))
  return workflowOf(valuesOf('bug_status'), await db.all(allTransitions, {}))
}

/** The workflow, kept in memory until the catalogue changes. */
export const keptWorkflow: CataloguePart<Workflow> = { read: readWorkflow }

const removeTransitions = statement<object>()((q) => q.deleteFrom('workflow_transitions'))

export async function replaceTransitions(tx: Db, transitions: readonly Transition[]) {
  await tx.all(removeTransitions, {})
  await insertTransitions(tx, transitions)
}

export async function insertTransitions(tx: Db, transitions: readonly Transition[]) {
  if (transitions.length === 0) return
  await tx.query((q) => q.insertInto('workflow_transitions').values([...transitions]))
}
