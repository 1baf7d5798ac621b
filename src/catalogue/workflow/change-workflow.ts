import { readSettings } from '../../access/installation.ts'
import { type Changes, recordAudit } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { missingStepsInto, type Transition, type Workflow, workflowOf } from './workflow.ts'
import { changesInWorkflow } from './workflow-changes.ts'
import type { TransitionJson } from './workflow-json.ts'
import { workflowRules } from './workflow-rules.ts'
import { readWorkflow, replaceTransitions } from './workflow-store.ts'

interface ChangedWorkflow {
  workflow: Workflow
  changes: Changes
}

/** Replaces all transitions of the workflow, and adds missing ones to the status of duplicates. */
export function changeWorkflow(db: Db, who: number, wanted: readonly TransitionJson[]): Promise<ChangedWorkflow> {
  return replaceWorkflow(db, who, (before) => transitionsIn(before, wanted))
}

/** Allows, changes or forbids one transition, and leaves all others as they are. */
export function changeTransition(
  db: Db,
  who: number,
  wanted: TransitionJson,
  isAllowed: boolean,
): Promise<ChangedWorkflow> {
  return replaceWorkflow(db, who, (before) => {
    const [step] = transitionsIn(before, [wanted])
    const others = before.transitions.filter(
      (it) => it.from_status_id !== step?.from_status_id || it.to_status_id !== step.to_status_id,
    )
    return isAllowed && step !== undefined ? [...others, step] : others
  })
}

function replaceWorkflow(
  db: Db,
  who: number,
  transitions: (before: Workflow) => readonly Transition[],
): Promise<ChangedWorkflow> {
  return changeCatalogue(db, async (tx) => {
    const before = await readWorkflow(tx)
    const after = await withStepsToDuplicate(tx, workflowOf(before.statuses, transitions(before)))
    enforce(workflowRules, after)
    await replaceTransitions(tx, after.transitions)
    const changes = changesInWorkflow(before, after)
    await recordAudit(tx, { who, class: 'Workflow', objectId: 0 }, changes)
    return { workflow: after, changes }
  })
}

function transitionsIn({ statusNamed }: Workflow, wanted: readonly TransitionJson[]): Transition[] {
  const idOf = (name: string) => {
    const status = statusNamed(name)
    if (!status) throw errors.no_such_object({ what: 'status', ref: name })
    return status.id
  }
  const known = new Set<string>()
  return wanted.map(({ from, to, comment_required }) => {
    const step = { from_status_id: from === null ? null : idOf(from), to_status_id: idOf(to) }
    const key = `${step.from_status_id} ${step.to_status_id}`
    if (known.has(key))
      throw errors.bad_value({
        name: 'transitions',
        value: `${from} to ${to}`,
        right: 'each transition must be given once',
      })
    known.add(key)
    if (step.from_status_id === step.to_status_id)
      throw errors.bad_value({ name: 'transitions', value: `${from} to ${to}`, right: 'from and to must differ' })
    return { ...step, comment_required: comment_required ? 1 : 0 }
  })
}

async function withStepsToDuplicate(tx: Db, workflow: Workflow): Promise<Workflow> {
  const status = workflow.statusNamed((await readSettings(tx)).duplicate_or_move_bug_status)
  if (!status) return workflow
  return workflowOf(workflow.statuses, [...workflow.transitions, ...missingStepsInto(status.id, workflow)])
}
