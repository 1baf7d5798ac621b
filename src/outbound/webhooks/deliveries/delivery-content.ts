import { readStateVersions } from '../../../access/installation.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import type { DeliveryContext } from '../../delivery/delivery-context.ts'
import { listEventsAt } from '../../events/outbox-store.ts'
import { type VisibleEvent, visibleEvents } from '../../events/visible-events.ts'
import { actAsUsers } from '../../receivers/act-as.ts'
import { mayHaveWebhooks } from '../webhook-permission.ts'
import { batchReads } from './batch-reads.ts'
import { listSendableHooks, type SendableHook } from './receiving-hooks.ts'
import { isTest, type LoggedEvent, TEST_KIND, testEvent } from './test-message.ts'
import type { WebhookJob } from './webhook-job.ts'

/** What is sent to a webhook, limited to what its owner may see now; or why nothing is sent. */
export interface DeliveryContent {
  hook: SendableHook
  event: LoggedEvent
  body: string
  networks: string
  why?: string
}

/** The version of the body format. What a version contains never changes. */
const VERSION = 1

/** Returns a function that writes deliveries. Those requested at the same moment are read together. */
export function deliveryContentReader(
  context: DeliveryContext,
): (job: WebhookJob) => Promise<DeliveryContent | undefined> {
  const { db, installation } = context
  const hookOf = batchReads(async (ids: readonly number[]) => {
    const hooks = await listSendableHooks(db, ids)
    return new Map(hooks.map((hook) => [hook.id, hook]))
  })
  const eventAt = batchReads(async (positions: readonly number[]) => {
    const events = await listEventsAt(db, positions)
    return new Map(events.map((event) => [event.position, event]))
  })
  const networksNow = batchReads(async (whenever: readonly 'now'[]) => {
    const { webhook_networks } = await installation.settingsAt(await readStateVersions(db))
    return new Map(whenever.map((now) => [now, webhook_networks]))
  })
  const eventFor = batchReads((keys: readonly string[]) => visibleEventsByOwner(context, keys))

  return async ({ webhook, event: position }) => {
    const [hook, event, networks = ''] = await Promise.all([
      hookOf(webhook),
      isTest(position) ? testEvent(position) : eventAt(position),
      networksNow('now'),
    ])
    if (hook === undefined || event === undefined) return undefined
    const message = { hook, event, body: '', networks }
    const why = whyNot(hook)
    if (why !== undefined) return { ...message, why }
    const visible = await eventFor(keyOf(hook.user_id, position))
    if (visible === OWNER_NOT_ALLOWED)
      return { ...message, why: 'its owner is not in the group of the parameter webhookgroup' }
    return visible && { ...message, body: bodyOf(visible) }
  }
}

function whyNot({ is_active, expires_at }: SendableHook): string | undefined {
  if (is_active === 0) return 'the webhook is off'
  return expires_at !== null && expires_at <= timeNow() ? `the webhook expired at ${expires_at}` : undefined
}

function keyOf(userId: number, position: number) {
  return `${userId} ${position}`
}

/** Stands for the events of a webhook whose owner may not have one. */
const OWNER_NOT_ALLOWED = 'owner_not_allowed'

interface TestMessage {
  id: number
  type: typeof TEST_KIND
  time: string
  /** Login of the owner. */
  user: string
}

type OwnerEvent = VisibleEvent | TestMessage | typeof OWNER_NOT_ALLOWED

/** What each owner may see of each requested event; nothing for owners whose accounts are disabled. */
async function visibleEventsByOwner(
  context: DeliveryContext,
  keys: readonly string[],
): Promise<Map<string, OwnerEvent>> {
  const requested = keys.map((key) => key.split(' ').map(Number) as [userId: number, position: number])
  const people = await actAsUsers(
    context,
    requested.map(([userId]) => userId),
  )
  const events = await listEventsAt(
    context.db,
    requested.map(([, position]) => position),
  )
  const visible = new Map<string, OwnerEvent>()
  for (const [userId, own] of Map.groupBy(requested, ([userId]) => userId)) {
    const person = people.get(userId)
    const positions = new Set(own.map(([, position]) => position))
    if (person === undefined) continue
    if (!mayHaveWebhooks(person.settings, person.caller)) {
      for (const position of positions) visible.set(keyOf(userId, position), OWNER_NOT_ALLOWED)
      continue
    }
    for (const id of [...positions].filter(isTest))
      visible.set(keyOf(userId, id), { id, type: TEST_KIND, time: timeNow(), user: person.caller.login })
    const theirs = events.filter(({ position }) => positions.has(position))
    for (const event of await visibleEvents(person, theirs)) visible.set(keyOf(userId, event.id), event)
  }
  return visible
}

function bodyOf({ id, type, time, ...data }: VisibleEvent | TestMessage): string {
  return JSON.stringify({ version: VERSION, id, type, timestamp: time, data })
}
