import type { FieldValue } from '../../catalogue/fields/field.ts'
import { UNCONFIRMED, type Workflow } from '../../catalogue/workflow/workflow.ts'
import { errors } from '../../platform/errors.ts'

/** What decides the status of a new bug. */
export interface StatusRequest {
  workflow: Workflow
  /** The product allows unconfirmed bugs. */
  hasUnconfirmed: boolean
  /** Users with editbugs or canconfirm in the product may choose the status. For others it is UNCONFIRMED if possible. */
  mayChoose: boolean
  wanted: FieldValue | undefined
}

export interface InitialStatus {
  status: FieldValue
  commentRequired: boolean
}

/** The status of a new bug. Throws 123 if the workflow does not allow the requested status for new bugs. */
export function initialStatus({ workflow, hasUnconfirmed, mayChoose, wanted }: StatusRequest): InitialStatus {
  const steps = workflow.stepsFrom(null).filter(({ status }) => hasUnconfirmed || status.name !== UNCONFIRMED)
  const confirmed = steps.find(({ status }) => status.name !== UNCONFIRMED)
  const unconfirmed = steps.find(({ status }) => status.name === UNCONFIRMED)
  const step = mayChoose
    ? wanted === undefined
      ? (confirmed ?? unconfirmed)
      : steps.find(({ status }) => status.id === wanted.id)
    : (unconfirmed ?? confirmed)
  if (step === undefined) throw errors.status_change_not_allowed({ from: 'nothing', to: wanted?.name ?? 'any status' })
  return { status: step.status, commentRequired: step.comment_required }
}
