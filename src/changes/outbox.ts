import { sql } from 'kysely'
import { bugsUnfiltered } from '../access/visibility/visible-bugs.ts'
import type { Db } from '../platform/database/db.ts'
import { jsonPortions } from '../platform/database/statements/json-portions.ts'
import { statement } from '../platform/database/statements/statement.ts'

/** The kinds of events of a bug, for the feed, webhooks and mail. */
export const EVENT_KINDS = [
  'bug.create',
  'bug.update',
  'bug.delete',
  'comment.create',
  'comment.update',
  'attachment.create',
  'attachment.update',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

export interface BugEvent {
  kind: EventKind
  bugId: number
  who: number
  at: string
  /** What delivery needs later: ids and changes, never texts that not every recipient may read. */
  facts: Readonly<Record<string, unknown>>
}

const COLUMNS = { kind: 'text', bug_id: 'integer', user_id: 'integer', at: 'text', facts: 'text' } as const

const WHY =
  'Users with a role in the bug at the time of the event are notified, even if they have lost the role before it is delivered.'

const insert = statement<{ events: string }>()((q, p, d) => {
  const bug = bugsUnfiltered(q, WHY).where('bugs.id', '=', sql.ref<number>('events.bug_id'))
  const copied = sql`select user_id as value from bug_cc where bug_cc.bug_id = events.bug_id order by user_id`
  return q
    .insertInto('outbox')
    .columns(['kind', 'bug_id', 'user_id', 'at', 'facts', 'assigned_to_id', 'qa_contact_id', 'creator_id', 'cc_ids'])
    .expression(
      sql`select kind, bug_id, user_id, at, facts, ${bug.select('bugs.assigned_to_id')}, ${bug.select('bugs.qa_contact_id')},
        ${bug.select('bugs.creator_id')}, ${d.jsonListOf(copied)} from ${d.recordsIn(p.events, COLUMNS)} as events`,
    )
})

/** The same for one event, the usual case. */
const insertOne = statement<EventRow>()((q, p, d) => {
  const bug = bugsUnfiltered(q, WHY).where('bugs.id', '=', p.bug_id)
  const copied = sql`select user_id as value from bug_cc where bug_cc.bug_id = ${p.bug_id} order by user_id`
  return q.insertInto('outbox').values({
    kind: p.kind,
    bug_id: p.bug_id,
    user_id: p.user_id,
    at: p.at,
    facts: p.facts,
    assigned_to_id: bug.select('bugs.assigned_to_id'),
    qa_contact_id: bug.select('bugs.qa_contact_id'),
    creator_id: bug.select('bugs.creator_id'),
    cc_ids: d.jsonListOf(copied),
  })
})

interface EventRow {
  kind: EventKind
  bug_id: number
  user_id: number
  at: string
  facts: string
}

/** Records an event for mail, webhooks and the feed. To be called in the transaction that makes the change. */
export function recordEvent(tx: Db, event: BugEvent) {
  return recordEvents(tx, [event])
}

/** The same for several events. */
export async function recordEvents(tx: Db, events: readonly BugEvent[]) {
  const [only] = events
  if (only === undefined) return
  if (events.length === 1) await tx.all(insertOne, rowOf(only))
  else for (const portion of jsonPortions(tx, events, rowOf)) await tx.all(insert, { events: portion })
  tx.signal('outbox')
}

function rowOf({ kind, bugId, who, at, facts }: BugEvent): EventRow {
  return { kind, bug_id: bugId, user_id: who, at, facts: JSON.stringify(facts) }
}
