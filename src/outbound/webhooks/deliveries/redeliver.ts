import type { SignedIn } from '../../../access/caller.ts'
import { recordAudit } from '../../../changes/audit.ts'
import type { Db } from '../../../platform/database/db.ts'
import { addJobs } from '../../../platform/database/new-jobs.ts'
import { errors } from '../../../platform/errors.ts'
import { listEventsAt } from '../../events/outbox-store.ts'
import type { Webhook } from '../webhook.ts'
import { replayLaneOfWebhook, WEBHOOK_QUEUE } from '../webhook-queue.ts'
import { messageIdOf } from './delivery.ts'
import type { WebhookDelivery } from './delivery-store.ts'
import { isTest, newTestPosition } from './test-message.ts'
import type { WebhookJob } from './webhook-job.ts'

/** Sends a delivery again: one attempt, in a lane of its own. */
export async function redeliver(
  db: Db,
  caller: SignedIn,
  hook: Webhook,
  { id, event_position: position }: WebhookDelivery,
) {
  if (!hook.isActive) throw errors.webhook_off()
  const [event] = await listEventsAt(db, [position])
  if (event === undefined && !isTest(position)) throw errors.event_not_stored({ position })
  await sendOnce(db, caller, hook, { position, what: 'sent_again' })
  return { id, message_id: messageIdOf(hook.id, position) }
}

/** Sends a message that is about no bug, in the same lane. */
export async function sendTest(db: Db, caller: SignedIn, hook: Webhook) {
  if (!hook.isActive) throw errors.webhook_off()
  const position = newTestPosition()
  await sendOnce(db, caller, hook, { position, what: 'test_sent' })
  return { id: hook.id, message_id: messageIdOf(hook.id, position) }
}

interface SentOnce {
  position: number
  /** What the audit log calls it. */
  what: string
}

/** The audit log has what administrators do with the webhook of another user. */
async function sendOnce(db: Db, { id: who }: SignedIn, hook: Webhook, { position, what }: SentOnce) {
  const payload: WebhookJob = { webhook: hook.id, event: position, isReplay: true }
  await db.transaction(async (tx) => {
    await addJobs(tx, [{ queue: WEBHOOK_QUEUE, lane: replayLaneOfWebhook(hook.id), payload }])
    if (hook.userId === who) return
    const message = { removed: '', added: messageIdOf(hook.id, position) }
    await recordAudit(tx, { who, class: 'Webhook', objectId: hook.id }, { [what]: message })
  }, 'accounts')
}
