import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { UNCONFIRMED, type Workflow } from './workflow.ts'

export const newBugsHaveAStatus: Rule<Workflow> = {
  says: `A new bug can begin with a status in use other than ${UNCONFIRMED}, which not every product has.`,
  brokenBy: ({ stepsFrom }) => !stepsFrom(null).some(({ status }) => status.name !== UNCONFIRMED),
  error: () =>
    errors.refused({
      why: `New bugs would have no status to begin with: one in use other than ${UNCONFIRMED} is needed`,
    }),
}

/** In the order they are checked: the first one broken is the error the client sees. */
export const workflowRules = [newBugsHaveAStatus]
