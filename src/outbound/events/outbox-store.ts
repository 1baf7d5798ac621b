import { sql } from 'kysely'
import type { EventKind } from '../../changes/outbox.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import type { EventPeople, OutboundEvent } from './event.ts'

/**
 * The id of an event is its position where ids follow commits. Elsewhere `assignPositions` numbers committed events.
 */
export function positionColumn(dialect: Dialect) {
  return dialect.idsFollowCommits ? sql.ref<number>('outbox.id') : sql.ref<number>('outbox.position')
}

const COLUMNS = [
  ...(['kind', 'bug_id', 'user_id', 'at', 'facts'] as const),
  ...(['assigned_to_id', 'qa_contact_id', 'creator_id', 'cc_ids'] as const),
] as const

const eventsAfter = statement<{ after: number; most: number }>()((q, p, d) =>
  q
    .selectFrom('outbox')
    .select(positionColumn(d).as('position'))
    .select(COLUMNS)
    .where(positionColumn(d), '>', p.after)
    .orderBy(positionColumn(d))
    .limit(p.most),
)

/** The events after a position, in order. */
export async function listEventsAfter(db: Db, after: number, most: number): Promise<OutboundEvent[]> {
  return (await db.all(eventsAfter, { after, most })).map(eventOf)
}

const eventsAt = statement<{ positions: string }>()((q, p, d) =>
  q
    .selectFrom('outbox')
    .select(positionColumn(d).as('position'))
    .select(COLUMNS)
    .where(positionColumn(d), 'in', d.integersIn(p.positions))
    .orderBy(positionColumn(d)),
)

/** The events at these positions, in order, without those that are deleted. */
export async function listEventsAt(db: Db, positions: readonly number[]): Promise<OutboundEvent[]> {
  return (await db.all(eventsAt, { positions: JSON.stringify([...new Set(positions)]) })).map(eventOf)
}

const eventsWithIds = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('outbox')
    .select('outbox.id as position')
    .select(COLUMNS)
    .where('outbox.id', 'in', d.integersIn(p.ids))
    .orderBy('outbox.id'),
)

/** The events with these ids, which stand for their positions: an event may have none yet. */
export async function listEventsWithIds(db: Db, ids: readonly number[]): Promise<OutboundEvent[]> {
  return (await db.all(eventsWithIds, { ids: JSON.stringify(ids) })).map(eventOf)
}

type EventRow = (typeof eventsAfter)['row']

function eventOf(row: EventRow): OutboundEvent {
  return {
    position: row.position,
    kind: row.kind as EventKind,
    bugId: row.bug_id,
    userId: row.user_id,
    at: row.at,
    facts: readJson(row.facts, {}),
    people: peopleOf(row),
  }
}

/** JSON that cannot be parsed counts as empty: then only this event may fail, not all that follow it. */
function readJson<Value>(json: string, otherwise: Value): Value {
  try {
    return JSON.parse(json)
  } catch {
    return otherwise
  }
}

function peopleOf({ assigned_to_id, qa_contact_id, creator_id, cc_ids }: EventRow): EventPeople | undefined {
  if (assigned_to_id === null || creator_id === null) return undefined
  const cc = readJson<number[]>(cc_ids ?? '[]', [])
  return { assignedTo: assigned_to_id, qaContact: qa_contact_id, creator: creator_id, cc }
}

const newest = statement<object>()((q, _, d) =>
  q
    .selectFrom('outbox')
    .select(positionColumn(d).as('position'))
    .where(positionColumn(d), 'is not', null)
    .orderBy(positionColumn(d), 'desc')
    .limit(1),
)

/** The position of the newest event; 0 if there is none. */
export async function newestPosition(db: Db): Promise<number> {
  return (await db.first(newest, {}))?.position ?? 0
}

const withoutPosition = statement<object>()((q) =>
  q.selectFrom('outbox').select('id').where('position', 'is', null).limit(1),
)

export const MOST_EVENTS_AT_ONCE = 1000

const assign = statement<object>()((q) =>
  q
    .updateTable('outbox')
    .from((row) =>
      row
        .selectFrom('outbox as waiting')
        .select(['waiting.id', sql<number>`row_number() over (order by waiting.id)`.as('place')])
        .where('waiting.position', 'is', null)
        .orderBy('waiting.id')
        .limit(MOST_EVENTS_AT_ONCE)
        .as('places'),
    )
    .set({ position: sql<number>`(select coalesce(max(position), 0) from outbox) + places.place` })
    .whereRef('outbox.id', '=', 'places.id')
    .returning('outbox.id'),
)

/**
 * Gives positions to committed events, on one server at a time. Ids cannot serve as positions: a smaller id may be
 * committed later, after a reader has passed it. Two changes of one bug never overlap, so theirs stay in order. Returns
 * how many got one.
 */
export async function assignPositions(db: Db): Promise<number> {
  if (db.dialect.idsFollowCommits || (await db.first(withoutPosition, {})) === undefined) return 0
  return assignPositionsNow(db)
}

/** The same without checking first whether there are any. */
export function assignPositionsNow(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const assigned = await tx.all(assign, {})
    if (assigned.length > 0) await tx.signalEverywhere('events')
    return assigned.length
  }, 'events')
}

const MOST_FORGOTTEN_AT_ONCE = 1000
/** The position of this pseudo consumer is the last deleted position. */
export const FORGOTTEN_CONSUMER = 'forgotten'

const oldest = statement<{ before: string; most: number }>()((q, p, d) =>
  q
    .selectFrom('outbox')
    .select([positionColumn(d).as('position')])
    .where(positionColumn(d), 'is not', null)
    .where('at', '<', p.before)
    .where(
      positionColumn(d),
      '<=',
      sql<number>`(select min(position) from consumers where name <> ${sql.lit(FORGOTTEN_CONSUMER)})`,
    )
    // The newest event stays, because the next position is computed from it.
    .where(positionColumn(d), '<', sql<number>`(select max(${positionColumn(d)}) from outbox)`)
    .orderBy(positionColumn(d))
    .limit(p.most),
)
const forget = statement<{ upTo: number }>()((q, p, d) => q.deleteFrom('outbox').where(positionColumn(d), '<=', p.upTo))
const noteForgotten = statement<{ upTo: number }>()((q, p) =>
  q
    .insertInto('consumers')
    .values({ name: FORGOTTEN_CONSUMER, position: p.upTo, lease: '', leased_until: '' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ position: p.upTo })),
)

/**
 * Deletes a batch of the oldest events that every consumer has read and that are older than `before`. Returns whether there were any.
 */
export function forgetSome(db: Db, before: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const last = (await tx.all(oldest, { before, most: MOST_FORGOTTEN_AT_ONCE })).at(-1)
    if (last === undefined) return false
    await tx.all(forget, { upTo: last.position })
    await tx.all(noteForgotten, { upTo: last.position })
    return true
  })
}

const forgotten = statement<object>()((q) =>
  q.selectFrom('consumers').select('position').where('name', '=', FORGOTTEN_CONSUMER),
)

/** The position up to which events are deleted; 0 if none is. */
export async function forgottenPosition(db: Db): Promise<number> {
  return (await db.first(forgotten, {}))?.position ?? 0
}
