// Moving a card to another column is a change of its bug. For statuses, the workflow says which moves there are.
import { signal } from '@preact/signals'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { put } from '../../../core/server/rest.ts'
import type { Bug } from '../../../core/server/types.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { displayValue } from '../../../parts/glyphs.tsx'
import { valueWords } from '../criteria/filters.ts'

/** The card that is lifted, by the mouse or by keys, and the column it is over. */
export interface LiftedCard {
  bug: Bug
  from: string
  over: string
}

export const liftedCard = signal<LiftedCard | undefined>(undefined)

/** The card that was moved last, which gets the focus in its new column. */
export const movedCard = signal<{ id: number; to: string } | undefined>(undefined)

export interface MoveRule {
  /** Why the card cannot go there. */
  refused?: string
  needsResolution: boolean
  needsComment: boolean
}

export interface CardMove {
  bug: Bug
  field: string
  from: string
  to: string
  rule: MoveRule
}

const FREE: MoveRule = { needsResolution: false, needsComment: false }

export function moveRule(fields: FieldList, field: string, bug: Bug, to: string): MoveRule {
  if (field === 'resolution') return resolutionRule(bug, to)
  if (field !== 'status') return FREE
  const statuses = fields.values('status')
  const [now, next] = [bug.status, to].map((name) => statuses.find((status) => status.name === name))
  const step = now?.can_change_to?.find(({ name }) => name === to)
  if (bug.status === to) return FREE
  if (step === undefined)
    return { ...FREE, refused: `A bug cannot go from ${displayValue(bug.status)} to ${displayValue(to)}.` }
  return {
    needsResolution: now?.is_open === true && next?.is_open === false,
    needsComment: step.comment_required,
  }
}

function resolutionRule(bug: Bug, to: string): MoveRule {
  if (bug.is_open) return { ...FREE, refused: 'Only a closed bug has a resolution. Resolve it first.' }
  if (to === '') return { ...FREE, refused: 'A closed bug has a resolution. Open it again first.' }
  if (to === 'DUPLICATE') return { ...FREE, refused: 'Open the bug to say which one it duplicates.' }
  return FREE
}

/** The note of a column while a card is lifted. */
export function noteOf({ refused, needsResolution, needsComment }: MoveRule): string | undefined {
  if (refused !== undefined) return refused
  if (needsResolution && needsComment) return 'You will be asked for a resolution and a comment.'
  if (needsResolution) return 'You will be asked for a resolution.'
  return needsComment ? 'You will be asked for a comment.' : undefined
}

/** Sends the change, then shows that it is done with a button to undo it, or why it is refused. */
export async function sendMove(
  { bug, field, from, to }: CardMove,
  more: object,
  onUndone: () => void,
): Promise<boolean> {
  try {
    await put('/bug/:ref', { ref: bug.id, [field]: to, ...more })
  } catch (fault) {
    showFault(fault)
    return false
  }
  movedCard.value = { id: bug.id, to }
  const before = { [field]: from, ...(field === 'status' && !bug.is_open && { resolution: bug.resolution }) }
  const undo = () => {
    put('/bug/:ref', { ref: bug.id, ...before }).then(onUndone, showFault)
  }
  showToast({ kind: 'done', text: `${bug.id}: ${valueWords(to)}`, action: { name: 'Undo', run: undo } })
  return true
}
