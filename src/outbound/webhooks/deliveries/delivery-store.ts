import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Database } from '../../../platform/database/tables.ts'
import { errors } from '../../../platform/errors.ts'
import { idIn } from '../../../platform/wire/reference.ts'
import { TEST_KIND } from './test-message.ts'

export type DeliveryOutcome = Database['webhook_deliveries']['outcome']

/** One attempt of a delivery to a webhook. */
export type WebhookDelivery = Selectable<Database['webhook_deliveries']>

export interface DeliveryFilter {
  webhookId: number
  outcome: string | undefined
  bugId: number | undefined
  before: number | undefined
  limit: number
}

/** Newest first. */
export function listDeliveries(db: Db, filter: DeliveryFilter): Promise<WebhookDelivery[]> {
  return db.query((q) =>
    q
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', filter.webhookId)
      .$if(filter.outcome !== undefined, (it) => it.where(sql`outcome`, '=', filter.outcome))
      .$if(filter.bugId !== undefined, (it) => it.where('bug_id', '=', filter.bugId ?? 0))
      .$if(filter.before !== undefined, (it) => it.where('id', '<', filter.before ?? 0))
      .orderBy('id', 'desc')
      .limit(filter.limit),
  )
}

const byId = statement<{ webhookId: number; id: number }>()((q, p) =>
  q.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', p.webhookId).where('id', '=', p.id),
)

export async function getDelivery(db: Db, webhookId: number, ref: string): Promise<WebhookDelivery> {
  const found = await db.first(byId, { webhookId, id: idIn(ref) ?? 0 })
  if (!found) throw errors.no_such_object({ what: 'delivery', ref })
  return found
}

const COLUMNS = {
  webhook_id: 'integer',
  event_position: 'integer',
  kind: 'text',
  bug_id: 'integer',
  attempt: 'integer',
  at: 'text',
  milliseconds: 'integer',
  status: 'integer',
  fault: 'text',
  outcome: 'text',
} as const

// The webhook or the bug may have been deleted while the delivery was sent.
const insert = statement<{ rows: string }>()((q, p, d) =>
  q
    .insertInto('webhook_deliveries')
    .columns([
      'webhook_id',
      'event_position',
      'kind',
      'bug_id',
      'attempt',
      'at',
      'milliseconds',
      'status',
      'fault',
      'outcome',
    ])
    .expression(
      sql`select webhook_id, event_position, kind, bug_id, attempt, at, milliseconds, status, fault, outcome
        from ${d.recordsIn(p.rows, COLUMNS)} as attempts
        where exists (select 1 from webhooks where webhooks.id = attempts.webhook_id)
          and (kind in ('bug.delete', ${sql.lit(TEST_KIND)}) or exists (select 1 from bugs where bugs.id = attempts.bug_id)) order by at, event_position`,
    ),
)

export async function insertDeliveries(tx: Db, attempts: readonly Omit<WebhookDelivery, 'id'>[]) {
  if (attempts.length > 0) await tx.all(insert, { rows: JSON.stringify(attempts) })
}

const removeOlder = statement<{ at: string }>()((q, p) => q.deleteFrom('webhook_deliveries').where('at', '<', p.at))

export async function deleteDeliveriesBefore(db: Db, at: string) {
  await db.all(removeOlder, { at })
}
