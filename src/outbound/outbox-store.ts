import { sql } from 'kysely'
import type { EventKind } from '../changes/outbox.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statement.ts'
import type { Dialect } from '../platform/dialects/dialect.ts'
import type { OutboundEvent } from './event.ts'

/** Where ids follow the commits they are the positions. Elsewhere positions are given to what is committed; see `givePositions`. */
function position(dialect: Dialect) {
  return dialect.idsFollowCommits ? sql.ref<number>('outbox.id') : sql.ref<number>('outbox.position')
}

const eventsAfter = statement<{ after: number; most: number }>()((q, p, d) =>
  q
    .selectFrom('outbox')
    .select((row) => [position(d).as('position'), 'kind', 'bug_id', 'user_id', 'at', row.ref('facts').as('facts')])
    .where(position(d), '>', p.after)
    .orderBy(position(d))
    .limit(p.most),
)

/** The events that follow a position, in order. */
export async function listEventsAfter(db: Db, after: number, most: number): Promise<OutboundEvent[]> {
  const rows = await db.all(eventsAfter, { after, most })
  return rows.map((row) => ({
    position: row.position,
    kind: row.kind as EventKind,
    bugId: row.bug_id,
    userId: row.user_id,
    at: row.at,
    facts: JSON.parse(row.facts),
  }))
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
