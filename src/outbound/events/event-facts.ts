import type { FlagFact } from '../../bugs/flags/flag-changes.ts'
import type { OutboundEvent } from './event.ts'

/** What became of a field, in words. */
export interface Line {
  removed: string
  added: string
}

/** What an event says of itself, whatever kind it is. */
export interface EventFacts {
  changes: ReadonlyMap<string, Line>
  /** The ids of its lines of history, and the fields of which these tell. */
  history: number[]
  fields: string[]
  commentId: number | null
  attachmentId: number | null
  flags: readonly FlagFact[]
}

/** The rooms below write the facts (see announce); what an older release left out is as if there were none of it. */
export function factsOf({ facts }: Pick<OutboundEvent, 'facts'>): EventFacts {
  const changes = changesIn(facts.changes)
  const lines = Array.isArray(facts.history) ? (facts.history as [number, string][]) : []
  return {
    changes,
    history: lines.map(([id]) => id),
    fields: [...new Set(lines.map(([, field]) => field))],
    commentId: typeof facts.comment_id === 'number' ? facts.comment_id : null,
    attachmentId: typeof facts.attachment_id === 'number' ? facts.attachment_id : null,
    flags: Array.isArray(facts.flags) ? (facts.flags as FlagFact[]) : [],
  }
}

/** Either by field, or a list of lines. */
function changesIn(given: unknown): Map<string, Line> {
  if (Array.isArray(given)) return new Map((given as (Line & { field: string })[]).map((line) => [line.field, line]))
  return new Map(Object.entries((given ?? {}) as Record<string, Line>))
}
