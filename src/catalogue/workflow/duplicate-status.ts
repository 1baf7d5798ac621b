import type { Db } from '../../platform/database/db.ts'
import { missingStepsInto } from './workflow.ts'
import { insertTransitions, readWorkflow } from './workflow-store.ts'

/** Adds missing transitions from other statuses to the status of duplicates. */
export async function allowDuplicateStatusFromAll(tx: Db, duplicateStatus: string) {
  const workflow = await readWorkflow(tx)
  const status = workflow.statusNamed(duplicateStatus)
  if (status) await insertTransitions(tx, missingStepsInto(status.id, workflow))
}
