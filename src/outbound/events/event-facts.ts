import type { FlagFact } from '../../bugs/flags/flag-changes.ts'
import type { OutboundEvent } from './event.ts'

/** The old and the new value of a field, as text. */
export interface FieldChange {
  removed: string
  added: string
}

/** The data of an event, of any kind. */
export interface EventFacts {
  changes: ReadonlyMap<string, FieldChange>
  /** The ids of its history lines, and the fields that they are about. */
  history: number[]
  fields: string[]
  commentId: number | null
  attachmentId: number | null
  flags: readonly FlagFact[]
  /** Whether it is a picture of a comment, which has an event of its own. */
  isInComment: boolean
  /** The ids of the users whom its comment mentions. */
  mentioned: readonly number[]
}

/** recordEvent writes these facts. Facts that an older release did not write count as empty. */
export function factsOf({ facts }: Pick<OutboundEvent, 'facts'>): EventFacts {
  const changes = changesIn(facts.changes)
  const lines = Array.isArray(facts.history) ? (facts.history as [number, string][]) : []
  return {
    changes,
    history: lines.map(([id]) => id),
    fields: [...new Set(lines.map(([, field]) => field))],
    commentId: typeof facts.comment_id === 'number' ? facts.comment_id : null,
    attachmentId: typeof facts.attachment_id === 'number' ? facts.attachment_id : null,
    isInComment: facts.in_comment === true,
    flags: Array.isArray(facts.flags) ? (facts.flags as FlagFact[]) : [],
    mentioned: Array.isArray(facts.mentioned) ? facts.mentioned.filter((id) => typeof id === 'number') : [],
  }
}

/** The stored changes are either an object by field or a list of lines. */
function changesIn(input: unknown): Map<string, FieldChange> {
  if (Array.isArray(input))
    return new Map((input as (FieldChange & { field: string })[]).map((line) => [line.field, line]))
  return new Map(Object.entries((input ?? {}) as Record<string, FieldChange>))
}
