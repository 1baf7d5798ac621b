import type { Changes } from '../../changes/audit.ts'
import type { Workflow } from './workflow.ts'
import { presentTransition } from './workflow-json.ts'

/** The removed and the new transitions, each as “from > to”, with an asterisk if a comment is required. */
export function changesInWorkflow(before: Workflow, after: Workflow): Changes {
  const stepsOf = (workflow: Workflow) =>
    workflow.transitions.map((it) => {
      const { from, to, comment_required } = presentTransition(workflow, it)
      return `${from ?? '(new bug)'} > ${to}${comment_required ? ' *' : ''}`
    })
  const [old, now] = [stepsOf(before), stepsOf(after)]
  const removed = old.filter((step) => !now.includes(step)).join(', ')
  const added = now.filter((step) => !old.includes(step)).join(', ')
  return removed === added ? {} : { transitions: { removed, added } }
}
