import { sql } from 'kysely'
import type { EventKind } from '../changes/outbox.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statement.ts'
import type { Dialect } from '../platform/dialects/dialect.ts'
import type { EventPeople, OutboundEvent } from './event.ts'

/** Where ids follow the commits they are the positions. Elsewhere positions are given to what is committed; see `givePositions`. */
function position(dialect: Dialect) {
  return dialect.idsFollowCommits ? sql.ref<number>('outbox.id') : sql.ref<number>('outbox.position')
}

const COLUMNS = [
  ...(['kind', 'bug_id', 'user_id', 'at', 'facts'] as const),
  ...(['assigned_to_id', 'qa_contact_id', 'creator_id', 'cc_ids'] as const),
] as const

const eventsAfter = statement<{ after: number; most: number }>()((q, p, d) =>
  q
    .selectFrom('outbox')
    .select(position(d).as('position'))
    .select(COLUMNS)
    .where(position(d), '>', p.after)
    .orderBy(position(d))
    .limit(p.most),
)

/** The events that follow a position, in order. */
export async function listEventsAfter(db: Db, after: number, most: number): Promise<OutboundEvent[]> {
  return (await db.all(eventsAfter, { after, most })).map(eventOf)
}

const eventsAt = statement<{ positions: string }>()((q, p, d) =>
  q
    .selectFrom('outbox')
    .select(position(d).as('position'))
    .select(COLUMNS)
    .where(position(d), 'in', d.integersIn(p.positions))
    .orderBy(position(d)),
)

/** The events at these positions, in order; nothing for those that are no longer kept. */
export async function listEventsAt(db: Db, positions: readonly number[]): Promise<OutboundEvent[]> {
  return (await db.all(eventsAt, { positions: JSON.stringify([...new Set(positions)]) })).map(eventOf)
}

type EventRow = (typeof eventsAfter)['row']

function eventOf(row: EventRow): OutboundEvent {
  return {
    position: row.position,
    kind: row.kind as EventKind,
    bugId: row.bug_id,
    userId: row.user_id,
    at: row.at,
    facts: JSON.parse(row.facts),
    people: peopleOf(row),
  }
}

function peopleOf({ assigned_to_id, qa_contact_id, creator_id, cc_ids }: EventRow): EventPeople | undefined {
  if (assigned_to_id === null || creator_id === null) return undefined
  const cc = JSON.parse(cc_ids ?? '[]') as number[]
  return { assignedTo: assigned_to_id, qaContact: qa_contact_id, creator: creator_id, cc }
}

const newest = statement<object>()((q, _, d) =>
  q
    .selectFrom('outbox')
    .select(position(d).as('position'))
    .where(position(d), 'is not', null)
    .orderBy(position(d), 'desc')
    .limit(1),
)

/** The position of the newest event; 0 when there is none. */
export async function newestPosition(db: Db): Promise<number> {
  return (await db.first(newest, {}))?.position ?? 0
}

const withoutPosition = statement<object>()((q) =>
  q.selectFrom('outbox').select('id').where('position', 'is', null).limit(1),
)

const MOST_AT_ONCE = 1000

const give = statement<object>()((q) =>
  q
    .updateTable('outbox')
    .from((row) =>
      row
        .selectFrom('outbox as waiting')
        .select(['waiting.id', sql<number>`row_number() over (order by waiting.id)`.as('place')])
        .where('waiting.position', 'is', null)
        .orderBy('waiting.id')
        .limit(MOST_AT_ONCE)
        .as('places'),
    )
    .set({ position: sql<number>`(select coalesce(max(position), 0) from outbox) + places.place` })
    .whereRef('outbox.id', '=', 'places.id')
    .returning('outbox.id'),
)

/**
 * Gives positions to the events that are committed and have none yet, one server at a time. Ids will not do: one that was drawn earlier may
 * be committed later, when a reader has gone past it already. Two changes of one bug never overlap, so theirs stay in order. Answers how
 * many got one.
 */
export async function givePositions(db: Db): Promise<number> {
  if (db.dialect.idsFollowCommits || (await db.first(withoutPosition, {})) === undefined) return 0
  return db.transaction(async (tx) => {
    const given = await tx.all(give, {})
    if (given.length > 0) await tx.tellEverywhere('events')
    return given.length
  }, 'events')
}
