import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { jobConsumer } from '../../consumers/consumer.ts'
import type { OutboundEvent } from '../../events/event.ts'
import { factsOf } from '../../events/event-facts.ts'
import { deletedFactsOf } from '../../receivers/deleted-bug.ts'
import { laneOfWebhook, WEBHOOK_QUEUE } from '../webhook-queue.ts'
import { type ListeningHook, listListeningHooks } from './receiving-hooks.ts'
import type { WebhookJob } from './webhook-job.ts'

/** Finds the webhooks for each event. What their owners may see is checked when a delivery is sent. */
export const webhookConsumer = jobConsumer('webhooks', async (db, events) => {
  const hooks = await listListeningHooks(db)
  if (hooks.length === 0) return []
  const locationsOf = await bugLocations(db, events)
  return events.flatMap((event) => {
    const matches = event.kind === 'bug.delete' ? matchesDeletedBug(event) : matchesLocations(locationsOf(event))
    return hooks
      .filter((hook) => hook.events.split(',').includes(event.kind) && matches(hook))
      .map((hook) => ({
        queue: WEBHOOK_QUEUE,
        lane: laneOfWebhook(hook.id),
        payload: { webhook: hook.id, event: event.position } satisfies WebhookJob,
      }))
  })
})

/** The product and component of a bug at the time of the event, by name; for a move, also the old ones. */
interface BugLocations {
  product: ReadonlySet<string>
  component: ReadonlySet<string>
}

/** Whether the filter of a webhook matches these products and components. */
function matchesLocations(locations: BugLocations | undefined) {
  return (hook: ListeningHook): boolean =>
    locations !== undefined &&
    (hook.product_id === null || locations.product.has(hook.product ?? '')) &&
    (hook.component_id === null || locations.component.has(hook.component ?? ''))
}

/** The same for a deleted bug, perhaps of a deleted product. */
function matchesDeletedBug(event: OutboundEvent) {
  const { product_id, component_id } = deletedFactsOf(event)
  return (hook: ListeningHook): boolean =>
    (hook.product_id === null || hook.product_id === product_id) &&
    (hook.component_id === null || hook.component_id === component_id)
}

const current = statement<{ ids: string }>()((q, p, d) =>
  bugsUnfiltered(
    q,
    'Webhooks are chosen by product and component; what their owners may see is checked when a delivery is sent.',
  )
    .innerJoin('products', 'products.id', 'bugs.product_id')
    .innerJoin('components', 'components.id', 'bugs.component_id')
    .select(['bugs.id', 'products.name as product', 'components.name as component'])
    .where('bugs.id', 'in', d.integersIn(p.ids)),
)

const moves = statement<{ ids: string; since: string }>()((q, p, d) =>
  q
    .selectFrom('bug_changes')
    .select(['bug_id', 'field', 'removed', 'added', 'at'])
    .where('bug_id', 'in', d.integersIn(p.ids))
    .where('field', 'in', ['product', 'component'])
    .where('at', '>=', p.since)
    .orderBy('id'),
)

type Move = (typeof moves)['row']

/** Undefined for a bug that is gone. For older events the history is read, because the bug may have moved since. */
async function bugLocations(db: Db, events: readonly OutboundEvent[]) {
  const ids = JSON.stringify([...new Set(events.map(({ bugId }) => bugId))])
  const [since = ''] = events.map(({ at }) => at).sort()
  const now = new Map((await db.all(current, { ids })).map((row) => [row.id, row]))
  const moved = Map.groupBy(await db.all(moves, { ids, since }), (row) => row.bug_id)
  return (event: OutboundEvent): BugLocations | undefined => {
    const location = now.get(event.bugId)
    if (location === undefined) return undefined
    const own = moved.get(event.bugId) ?? []
    return {
      product: namesAt(event, 'product', location.product, own),
      component: namesAt(event, 'component', location.component, own),
    }
  }
}

/** A change in the same second may have been before or after: then both names count. */
function namesAt(event: OutboundEvent, field: 'product' | 'component', now: string, moved: readonly Move[]) {
  const change = factsOf(event).changes.get(field)
  if (change !== undefined) return new Set([change.removed, change.added])
  const own = moved.filter((move) => move.field === field)
  const later = own.find(({ at }) => at > event.at)
  const meanwhile = own.filter(({ at }) => at === event.at).flatMap(({ removed, added }) => [removed, added])
  return new Set([later?.removed ?? now, ...meanwhile])
}
