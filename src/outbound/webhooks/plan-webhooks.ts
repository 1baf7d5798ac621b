import { bugsWhoeverAsks } from '../../access/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Consumer } from '../consumer.ts'
import type { OutboundEvent } from '../event.ts'
import type { WebhookJob } from './webhook-job.ts'
import { type ListeningHook, laneOf, listListeningHooks, WEBHOOK_QUEUE } from './webhook-store.ts'

/** Finds out which hooks want to hear of which events. What their owners may see is asked when it is sent. */
export const webhookConsumer: Consumer = {
  name: 'webhooks',
  async plan(db, events) {
    const hooks = await listListeningHooks(db)
    if (hooks.length === 0) return []
    const places = await placesOf(db, events)
    return events.flatMap((event) =>
      hooks
        .filter((hook) => hears(hook, event, places.get(event.bugId)))
        .map((hook) => ({
          queue: WEBHOOK_QUEUE,
          lane: laneOf(hook.id),
          payload: { webhook: hook.id, event: event.position } satisfies WebhookJob,
        })),
    )
  },
}

/** Where a bug is. */
interface Place {
  product_id: number
  component_id: number
  product: string
  component: string
}

function hears(hook: ListeningHook, event: OutboundEvent, place: Place | undefined): boolean {
  if (place === undefined || !hook.events.split(',').includes(event.kind)) return false
  return isIn(hook, place) || hasLeft(hook, event, place)
}

function isIn(hook: ListeningHook, place: Place) {
  return (
    (hook.product_id === null || hook.product_id === place.product_id) &&
    (hook.component_id === null || hook.component_id === place.component_id)
  )
}

/** Whoever follows a product hears of a bug that is moved out of it, once. */
function hasLeft(hook: ListeningHook, { facts }: OutboundEvent, place: Place) {
  const changes = (facts.changes ?? {}) as Readonly<Record<string, { removed?: string } | undefined>>
  const { product, component } = changes
  if (product === undefined && component === undefined) return false
  const left = { product: product?.removed ?? place.product, component: component?.removed ?? place.component }
  return (
    (hook.product_id === null || hook.product === left.product) &&
    (hook.component_id === null || hook.component === left.component)
  )
}

const places = statement<{ ids: string }>()((q, p, d) =>
  bugsWhoeverAsks(q, 'Hooks are chosen by where a bug is; whether their owners see it is asked when it is sent.')
    .innerJoin('products', 'products.id', 'bugs.product_id')
    .innerJoin('components', 'components.id', 'bugs.component_id')
    .select(['bugs.id', 'bugs.product_id', 'bugs.component_id'])
    .select(['products.name as product', 'components.name as component'])
    .where('bugs.id', 'in', d.integersIn(p.ids)),
)

async function placesOf(db: Db, events: readonly OutboundEvent[]): Promise<Map<number, Place>> {
  const ids = [...new Set(events.map(({ bugId }) => bugId))]
  return new Map((await db.all(places, { ids: JSON.stringify(ids) })).map((row) => [row.id, row]))
}
