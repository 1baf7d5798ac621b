// The next statuses that the workflow allows.
import { parameters } from '../../../core/account/session.ts'
import type { Bug } from '../../../core/server/types.ts'
import { displayValue } from '../../../parts/glyphs.tsx'
import type { BugStore } from '../bug-store.ts'
import { valuesFor } from '../properties/field-names.ts'

export interface Step {
  /** “Resolved, fixed”. */
  name: string
  change: { status?: string; resolution?: string }
  /** The other bug is asked for first. */
  isDuplicate?: boolean
  needsComment: boolean
  /** Why it cannot be done. */
  refused?: string | undefined
  status: string
  isOpen: boolean
  /** What the reader saw when they chose it. */
  from: Pick<Bug, 'status' | 'resolution'>
}

export function stepsFrom(store: BugStore, bug: Bug): Step[] {
  const statuses = store.field('bug_status')?.values ?? []
  const now = statuses.find(({ name }) => name === bug.status)
  const resolutions = valuesFor(bug, store.field('resolution')).flatMap(({ name }) =>
    name === null || name === '' || name === 'DUPLICATE' ? [] : [name],
  )
  const next = (now?.can_change_to ?? []).flatMap(({ name, comment_required: needsComment }) => {
    const isOpen = statuses.find((status) => status.name === name)?.is_open ?? true
    const refused = refusal(store, bug, isOpen)
    const step = { needsComment, refused, status: name, isOpen, from: seenIn(bug) }
    if (isOpen || !bug.is_open) return [{ ...step, name: displayValue(name), change: { status: name } }]
    return closingSteps(step, resolutions)
  })
  return bug.is_open ? next : [...next, ...otherResolutions(store, bug, resolutions)]
}

function seenIn({ status, resolution }: Bug): Step['from'] {
  return { status, resolution }
}

function closingSteps(step: Omit<Step, 'name' | 'change'>, resolutions: readonly string[]): Step[] {
  const steps: Step[] = resolutions.map((resolution) => ({
    ...step,
    name: `${displayValue(step.status)}, ${displayValue(resolution).toLowerCase()}`,
    change: { status: step.status, resolution },
  }))
  const ofDuplicates = parameters.value.duplicate_or_move_bug_status ?? 'RESOLVED'
  if (step.status === ofDuplicates) steps.push({ ...step, name: 'Duplicate of…', change: {}, isDuplicate: true })
  return steps
}

function otherResolutions(store: BugStore, bug: Bug, resolutions: readonly string[]): Step[] {
  const step = {
    needsComment: false,
    refused: store.may('resolution') ? undefined : store.reason('resolution'),
    status: bug.status,
    isOpen: false,
    from: seenIn(bug),
  }
  const others = resolutions.filter((resolution) => resolution !== bug.resolution)
  return [
    ...others.map((resolution) => ({
      ...step,
      name: `Change to ${displayValue(resolution).toLowerCase()}`,
      change: { resolution },
    })),
    { ...step, name: bug.dupe_of ? 'Duplicate of another…' : 'Duplicate of…', change: {}, isDuplicate: true },
  ]
}

/** Steps between open statuses and confirming need more than closing and opening do. */
function refusal(store: BugStore, bug: Bug, isOpen: boolean): string | undefined {
  const field = bug.is_open && isOpen ? (bug.is_confirmed ? 'status.open' : 'is_confirmed') : 'status'
  return store.may(field) ? undefined : store.reason(field)
}
