import { sql } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import { storableReason } from '../../jobs/storable-reason.ts'

/** `waiting` until the delivery thread has applied it; `failed` and `stopped` ones may be sent again. */
export type DeliveryOutcome = 'waiting' | 'linked' | 'ignored' | 'left out' | 'stopped' | 'failed'

/** The newest of a source are kept, so that a replay is known. */
const MOST_KEPT = 10_000

const insert = statement<{ sourceId: number; digest: string; delivery: string; event: string; at: string }>()((q, p) =>
  q
    .insertInto('code_deliveries')
    .values({
      source_id: p.sourceId,
      digest: p.digest,
      delivery: p.delivery,
      event: p.event,
      at: p.at,
      outcome: 'waiting',
      note: '',
    })
    .onConflict((conflict) =>
      conflict
        .columns(['source_id', 'digest'])
        .doUpdateSet({ at: sql`excluded.at`, outcome: 'waiting', note: '' })
        .where('code_deliveries.outcome', 'in', ['failed', 'stopped']),
    )
    .returning('id'),
)
const removeOldest = statement<{ sourceId: number }>()((q, p) =>
  q
    .deleteFrom('code_deliveries')
    .where('source_id', '=', p.sourceId)
    .where(
      'id',
      '<=',
      sql<number>`(select max(id) from code_deliveries where source_id = ${p.sourceId}) - ${sql.lit(MOST_KEPT)}`,
    ),
)

/** Notes a delivery. Returns undefined if the same body arrived before and was applied, or is about to be. */
export async function noteDelivery(
  tx: Db,
  delivery: { sourceId: number; digest: string; delivery: string; event: string },
): Promise<number | undefined> {
  const noted = await tx.first(insert, { ...delivery, at: timeNow() })
  if (noted !== undefined) await tx.all(removeOldest, { sourceId: delivery.sourceId })
  return noted?.id
}

const settle = statement<{ id: number; outcome: string; note: string }>()((q, p) =>
  q.updateTable('code_deliveries').set({ outcome: p.outcome, note: p.note }).where('id', '=', p.id),
)

export async function settleDelivery(db: Db, id: number, outcome: DeliveryOutcome, note: string) {
  await db.all(settle, { id, outcome, note: storableReason(note) })
}

const settleOne = statement<{ id: number; outcome: string; note: string }>()((q, p) =>
  q
    .updateTable('code_deliveries')
    .set({ outcome: p.outcome, note: p.note })
    .where('id', '=', p.id)
    .where('outcome', '=', 'waiting'),
)

/** The same, unless it is settled already. */
export async function settleWaiting(tx: Db, id: number, outcome: DeliveryOutcome, note: string) {
  await tx.all(settleOne, { id, outcome, note })
}

const removeOlder = statement<{ at: string }>()((q, p) => q.deleteFrom('code_deliveries').where('at', '<', p.at))

export async function deleteCodeDeliveriesBefore(db: Db, at: string) {
  await db.all(removeOlder, { at })
}

const waiting = statement<{ sourceId: number }>()((q, p) =>
  q
    .selectFrom('code_deliveries')
    .select((it) => it.fn.countAll<number>().as('count'))
    .where('source_id', '=', p.sourceId)
    .where('outcome', '=', 'waiting'),
)

export async function countWaiting(db: Db, sourceId: number): Promise<number> {
  return Number((await db.first(waiting, { sourceId }))?.count ?? 0)
}

const newest = statement<{ sourceId: number; before: number; most: number }>()((q, p) =>
  q
    .selectFrom('code_deliveries')
    .select(['id', 'delivery', 'event', 'at', 'outcome', 'note'])
    .where('source_id', '=', p.sourceId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.most),
)

/** The newest deliveries of a source, newest first. */
export function listDeliveries(db: Db, sourceId: number, before: number, most: number) {
  return db.all(newest, { sourceId, before, most })
}

const lastOfEach = statement<object>()((q) =>
  q
    .selectFrom('code_deliveries')
    .select(['source_id', 'at', 'outcome'])
    .where('id', 'in', (it) =>
      it
        .selectFrom('code_deliveries')
        .select((row) => row.fn.max('id').as('id'))
        .groupBy('source_id'),
    ),
)

/** The last delivery of each source. */
export async function listLastDeliveries(db: Db) {
  const rows = await db.all(lastOfEach, {})
  return new Map(rows.map(({ source_id, at, outcome }) => [source_id, { at, outcome }]))
}
