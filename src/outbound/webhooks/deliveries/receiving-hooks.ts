import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'

/** Active webhooks, with their filters. */
const listening = statement<object>()((q) =>
  q
    .selectFrom('webhooks')
    .leftJoin('products', 'products.id', 'webhooks.product_id')
    .leftJoin('components', 'components.id', 'webhooks.component_id')
    .select(['webhooks.id', 'webhooks.events', 'webhooks.product_id', 'webhooks.component_id'])
    .select(['products.name as product', 'components.name as component'])
    .where('webhooks.is_active', '=', 1)
    .orderBy('webhooks.id'),
)

export type ListeningHook = (typeof listening)['row']

export function listListeningHooks(db: Db): Promise<ListeningHook[]> {
  return db.all(listening, {})
}

/** What is needed to send deliveries to webhooks. */
const sendable = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('webhooks')
    .select(['id', 'user_id', 'url', 'secret', 'old_secret', 'old_secret_until', 'is_active', 'expires_at', 'failures'])
    .where('id', 'in', d.integersIn(p.ids)),
)

export type SendableHook = (typeof sendable)['row']

export function listSendableHooks(db: Db, ids: readonly number[]): Promise<SendableHook[]> {
  return db.all(sendable, { ids: JSON.stringify(ids) })
}
