import { sql } from 'kysely'
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

const COLUMNS = { kind: 'text', bug_id: 'integer', user_id: 'integer', at: 'text', facts: 'text' } as const

const insert = statement<{ events: string }>()((q, p, d) =>
  q
    .insertInto('outbox')
    .columns(['kind', 'bug_id', 'user_id', 'at', 'facts'])
    .expression(sql`select kind, bug_id, user_id, at, facts from ${d.recordsIn(p.events, COLUMNS)} as events`),
)

/** Leaves word of what happened, for mail, hooks and the feed. In the transaction that makes it happen, or not at all. */
export function announce(tx: Db, event: BugEvent) {
  return announceAll(tx, [event])
}

/** The same for several events at once. */
export async function announceAll(tx: Db, events: readonly BugEvent[]) {
  if (events.length === 0) return
  const rows = events.map(({ kind, bugId, who, at, facts }) => ({
    kind,
    bug_id: bugId,
    user_id: who,
    at,
    facts: JSON.stringify(facts),
  }))
  await tx.all(insert, { events: JSON.stringify(rows) })
  tx.tell('outbox')
}
