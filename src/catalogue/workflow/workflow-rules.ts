import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { UNCONFIRMED, type Workflow } from './workflow.ts'

export const newBugsHaveAStatus: Rule<Workflow> = {
  says: `New bugs can have at least one active status other than ${UNCONFIRMED}, which not every product allows.`,
  brokenBy: ({ stepsFrom }) => !stepsFrom(null).some(({ status }) => status.name !== UNCONFIRMED),
  error: () => errors.initial_status_required({ status: UNCONFIRMED }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const workflowRules = [newBugsHaveAStatus]
