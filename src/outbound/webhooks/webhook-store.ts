import { sql } from 'kysely'
import type { Db, LimitedDb } from '../../platform/database/db.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { dropLane, retryLaneNow } from '../jobs/job-store.ts'
import type { Webhook, WebhookEdit } from './webhook.ts'
import { laneOfWebhook, replayLaneOfWebhook, WEBHOOK_QUEUE } from './webhook-queue.ts'

/** Webhooks with their owners and what waits. */
function shownRows(q: Builder) {
  return q
    .selectFrom('webhooks')
    .innerJoin('users', 'users.id', 'webhooks.user_id')
    .leftJoin('products', 'products.id', 'webhooks.product_id')
    .leftJoin('components', 'components.id', 'webhooks.component_id')
    .leftJoin('lanes', (join) =>
      join.on('lanes.queue', '=', sql.lit(WEBHOOK_QUEUE)).on('lanes.lane', '=', sql<string>`cast(webhooks.id as text)`),
    )
    .selectAll('webhooks')
    .select(['users.login as owner', 'users.disabled_text', 'products.name as product'])
    .select(['components.name as component', 'lanes.due_at'])
    .select(
      sql<number>`(select count(*) from jobs where jobs.queue = ${sql.lit(WEBHOOK_QUEUE)}
        and jobs.lane = cast(webhooks.id as text) and jobs.died_at is null)`.as('waiting'),
    )
    .select((hook) =>
      hook
        .selectFrom('webhook_deliveries')
        .select('webhook_deliveries.at')
        .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
        .where('webhook_deliveries.outcome', '=', 'delivered')
        .orderBy('webhook_deliveries.id', 'desc')
        .limit(1)
        .as('last_delivery_at'),
    )
}

const shown = statement<{ userId: number; id: number }>()((q, p) =>
  shownRows(q)
    .where((hook) => hook.or([hook('webhooks.user_id', '=', p.userId), hook('webhooks.id', '=', p.id)]))
    .orderBy('webhooks.id'),
)

type Row = (typeof shown)['row']

/** No webhook and no user has this id. */
const NONE = 0

export async function listWebhooks(db: Db, userId: number): Promise<Webhook[]> {
  return (await db.all(shown, { userId, id: NONE })).map(webhookIn)
}

export interface WebhookFilter {
  /** In the login name of the owner or in the address. */
  text: string | undefined
  isActive: boolean | undefined
  isFailing: boolean | undefined
  /** Only webhooks with a larger id. */
  after: number
  limit: number
}

/** The webhooks of all users, by id. */
export async function searchWebhooks(db: LimitedDb, filter: WebhookFilter): Promise<Webhook[]> {
  const { text, isActive, isFailing } = filter
  const rows = await db.querySlowly((q, d) => {
    let query = shownRows(q).where('webhooks.id', '>', filter.after)
    if (text !== undefined)
      query = query.where((hook) =>
        hook.or([d.contains(sql`users.login_key`, fold(text)), d.contains(sql`webhooks.url`, text)]),
      )
    if (isActive !== undefined) query = query.where('webhooks.is_active', '=', isActive ? 1 : 0)
    if (isFailing !== undefined) query = query.where('webhooks.failing_since', isFailing ? 'is not' : 'is', null)
    return query.orderBy('webhooks.id').limit(filter.limit)
  })
  return rows.map(webhookIn)
}

export async function findWebhook(db: Db, ref: string): Promise<Webhook | undefined> {
  const [row] = await db.all(shown, { userId: NONE, id: idIn(ref) ?? NONE })
  return row && webhookIn(row)
}

export function noSuchWebhook(ref: string) {
  return errors.no_such_object({ what: 'webhook', ref })
}

function webhookIn(row: Row): Webhook {
  return {
    id: row.id,
    userId: row.user_id,
    owner: row.owner,
    url: row.url,
    events: row.events.split(','),
    product: row.product_id === null ? null : { id: row.product_id, name: row.product },
    component: row.component_id === null ? null : { id: row.component_id, name: row.component },
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    isOwnerDisabled: row.disabled_text !== '',
    isOwnerAllowed: true,
    failingSince: row.failing_since,
    lastFault: row.last_fault,
    lastDeliveryAt: row.last_delivery_at,
    waiting: row.waiting,
    nextTryAt: row.waiting > 0 ? row.due_at : null,
  }
}

interface Written {
  url: string
  events: string
  productId: number | null
  componentId: number | null
  isActive: Flag
}

const insert = statement<Written & NewWebhook & { createdAt: string }>()((q, p) =>
  q
    .insertInto('webhooks')
    .values({
      user_id: p.userId,
      url: p.url,
      secret: p.secret,
      events: p.events,
      product_id: p.productId,
      component_id: p.componentId,
      is_active: p.isActive,
      created_at: p.createdAt,
      expires_at: p.expiresAt,
      key_id: p.keyId,
    })
    .returning('id'),
)

export interface NewWebhook {
  userId: number
  secret: string
  expiresAt: string | null
  /** The API key in use. */
  keyId: number | null
}

export async function insertWebhook(tx: Db, hook: WebhookEdit, more: NewWebhook): Promise<number> {
  const row = await tx.first(insert, { ...written(hook), ...more, createdAt: timeNow() })
  return row?.id as number
}

const update = statement<Written & { id: number }>()((q, p) =>
  q
    .updateTable('webhooks')
    .set({
      url: p.url,
      events: p.events,
      product_id: p.productId,
      component_id: p.componentId,
      is_active: p.isActive,
    })
    .where('id', '=', p.id),
)

export async function updateWebhook(tx: Db, id: number, hook: WebhookEdit) {
  await tx.all(update, { id, ...written(hook) })
}

const setKey = statement<{ id: number; keyId: number }>()((q, p) =>
  q.updateTable('webhooks').set({ key_id: p.keyId }).where('id', '=', p.id),
)

/** The webhook now sends what a key has decided, so that it ends with the key. */
export async function noteChangedWithKey(tx: Db, id: number, keyId: number) {
  await tx.all(setKey, { id, keyId })
}

function written({ url, events, product, component, isActive }: WebhookEdit): Written {
  return {
    url,
    events: events.join(','),
    productId: product?.id ?? null,
    componentId: component?.id ?? null,
    isActive: isActive ? 1 : 0,
  }
}

/** A webhook that its owner changes is retried at once. */
export async function retryWebhookNow(tx: Db, id: number) {
  await forgetFaults(tx, id)
  await retryLaneNow(tx, WEBHOOK_QUEUE, laneOfWebhook(id))
}

const forget = statement<{ id: number }>()((q, p) =>
  q.updateTable('webhooks').set({ failures: 0, failing_since: null, last_fault: null }).where('id', '=', p.id),
)

export async function forgetFaults(tx: Db, id: number) {
  await tx.all(forget, { id })
}

const note = statement<{ id: number; at: string; fault: string; isOver: Flag }>()((q, p) =>
  q
    .updateTable('webhooks')
    .set((hook) => ({
      failures: hook('failures', '+', 1),
      failing_since: hook.fn.coalesce('failing_since', sql<string>`cast(${p.at} as text)`),
      last_fault: p.fault,
      is_active: sql<Flag>`case when cast(${p.isOver} as integer) = 1 then 0 else is_active end`,
    }))
    .where('id', '=', p.id),
)

/**
 * Records that a delivery failed. `isOver` means that the receiver wants no more deliveries, which switches the webhook
 * off.
 */
export async function noteFault(tx: Db, id: number, at: string, fault: string, isOver: boolean) {
  await tx.all(note, { id, at, fault, isOver: isOver ? 1 : 0 })
}

const changeSecret = statement<{ id: number; secret: string; until: string }>()((q, p) =>
  q
    .updateTable('webhooks')
    .set((hook) => ({ old_secret: hook.ref('secret'), old_secret_until: p.until, secret: p.secret }))
    .where('id', '=', p.id),
)

/** The old secret also signs for a day, so that the receiver has time to change. */
export async function replaceSecret(tx: Db, id: number, secret: string) {
  await tx.all(changeSecret, { id, secret, until: secondsAgo(-OLD_SECRET_SECONDS) })
}

const OLD_SECRET_SECONDS = 86_400

const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('webhooks').where('id', '=', p.id))

export async function deleteWebhook(tx: Db, id: number) {
  await tx.all(remove, { id })
  for (const lane of [laneOfWebhook(id), replayLaneOfWebhook(id)]) await dropLane(tx, WEBHOOK_QUEUE, lane)
}
