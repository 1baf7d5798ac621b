import type { Transition, Workflow } from './workflow.ts'

export interface TransitionJson {
  from: string | null
  to: string
  comment_required: boolean
}

export function presentTransition({ statuses }: Workflow, transition: Transition): TransitionJson {
  const nameOf = (id: number) => statuses.find((status) => status.id === id)?.name ?? ''
  const { from_status_id, to_status_id, comment_required } = transition
  return {
    from: from_status_id === null ? null : nameOf(from_status_id),
    to: nameOf(to_status_id),
    comment_required: comment_required === 1,
  }
}

export function presentWorkflow(workflow: Workflow): TransitionJson[] {
  return workflow.transitions.map((transition) => presentTransition(workflow, transition))
}
