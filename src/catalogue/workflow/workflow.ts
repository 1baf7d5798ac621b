import type { Flag } from '../../platform/database/tables.ts'
import { fold } from '../../platform/text/fold.ts'
import type { FieldValue } from '../fields/field.ts'

/** An allowed change of status. `from_status_id` is null for a new bug. */
export interface Transition {
  from_status_id: number | null
  to_status_id: number
  comment_required: Flag
}

/** A snapshot of the statuses and the transitions between them. */
export interface Workflow {
  /** Ordered by sort key and name. */
  readonly statuses: readonly FieldValue[]
  readonly transitions: readonly Transition[]
  statusNamed(name: string): FieldValue | undefined
  /** Whether bugs with this status are open. */
  isOpen(statusId: number): boolean
  /** The transition between two statuses, or from null for a new bug; undefined if there is none. */
  transition(from: number | null, to: number): Transition | undefined
  /** The transitions from this status to active statuses, in the order of these. */
  stepsFrom(from: number | null): readonly StatusStep[]
}

export interface StatusStep {
  status: FieldValue
  comment_required: boolean
}

export function workflowOf(statuses: readonly FieldValue[], transitions: readonly Transition[]): Workflow {
  const byId = new Map(statuses.map((status) => [status.id, status]))
  const byKey = new Map(statuses.map((status) => [fold(status.name), status]))
  const indexes = new Map(statuses.map((status, index) => [status.id, index]))
  const indexOf = (id: number | null) => (id === null ? -1 : (indexes.get(id) ?? statuses.length))
  const sorted = transitions.toSorted(
    (a, b) =>
      indexOf(a.from_status_id) - indexOf(b.from_status_id) || indexOf(a.to_status_id) - indexOf(b.to_status_id),
  )
  const byStart = Map.groupBy(sorted, (transition) => transition.from_status_id)
  const from = (start: number | null) => byStart.get(start) ?? []

  return {
    statuses,
    transitions: sorted,
    statusNamed: (name) => byKey.get(fold(name.trim())),
    isOpen: (id) => byId.get(id)?.is_open === 1,
    transition: (start, to) => from(start).find((transition) => transition.to_status_id === to),
    stepsFrom: (start) =>
      from(start).flatMap((transition) => {
        const status = byId.get(transition.to_status_id)
        return status?.is_active === 1 ? [{ status, comment_required: transition.comment_required === 1 }] : []
      }),
  }
}

/** The status of bugs that are not confirmed. It cannot be renamed. */
export const UNCONFIRMED = 'UNCONFIRMED'

/** The missing transitions to the status of duplicates, which every other status needs. */
export function missingStepsInto(duplicateStatusId: number, { statuses, transition }: Workflow): Transition[] {
  return statuses
    .filter(({ id }) => id !== duplicateStatusId && transition(id, duplicateStatusId) === undefined)
    .map(({ id }) => ({ from_status_id: id, to_status_id: duplicateStatusId, comment_required: 0 }))
}
