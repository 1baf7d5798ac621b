import type { FieldValue } from '../../catalogue/fields/field.ts'
import { UNCONFIRMED, type Workflow } from '../../catalogue/workflow/workflow.ts'
import { errors } from '../../platform/errors.ts'

/** Who files a bug, and what they want its status to be. */
export interface StatusRequest {
  workflow: Workflow
  /** The product has bugs that nobody confirmed yet. */
  hasUnconfirmed: boolean
  /** Whoever has editbugs or canconfirm in the product chooses the status; everybody else gets the first there is. */
  mayChoose: boolean
  wanted: FieldValue | undefined
}

export interface InitialStatus {
  status: FieldValue
  commentRequired: boolean
}

/** The status that a bug begins with: 123 when the workflow has no step into the wanted one. */
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
