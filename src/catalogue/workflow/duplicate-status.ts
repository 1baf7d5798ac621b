import { recordAudit } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { missingStepsInto, workflowOf } from './workflow.ts'
import { changesInWorkflow } from './workflow-changes.ts'
import { insertTransitions, readWorkflow } from './workflow-store.ts'

/** Adds missing transitions from other statuses to the status of duplicates. */
export async function allowDuplicateStatusFromAll(tx: Db, who: number | null, duplicateStatus: string) {
  const before = await readWorkflow(tx)
  const status = before.statusNamed(duplicateStatus)
  if (!status) return
  const missing = missingStepsInto(status.id, before)
  await insertTransitions(tx, missing)
  const after = workflowOf(before.statuses, [...before.transitions, ...missing])
  await recordAudit(tx, { who, class: 'Workflow', objectId: 0 }, changesInWorkflow(before, after))
}
