import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statement.ts'

/** What can happen to a bug that the world may want to hear of. */
export type EventKind = 'bug.create' | 'bug.update' | 'comment.create' | 'attachment.create' | 'attachment.update'

export interface BugEvent {
  kind: EventKind
  bugId: number
  who: number
  at: string
  /** Whatever tells it later needs to know: ids and changes, never texts that not everybody may read. */
  facts: Readonly<Record<string, unknown>>
}

const insert = statement<{ kind: string; bugId: number; who: number; at: string; facts: string }>()((q, p) =>
  q.insertInto('outbox').values({ kind: p.kind, bug_id: p.bugId, user_id: p.who, at: p.at, facts: p.facts }),
)

/** Leaves word of what happened, for mail, hooks and the feed. In the transaction that makes it happen, or not at all. */
export async function announce(tx: Db, { facts, ...event }: BugEvent) {
  await tx.all(insert, { ...event, facts: JSON.stringify(facts) })
}
