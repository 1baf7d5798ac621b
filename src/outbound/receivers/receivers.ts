import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import { mailReceivers, postmanFor } from '../mail/mail-queue.ts'
import { scheduledReceivers } from '../scheduled/scheduled-receivers.ts'
import { webhookReceivers } from '../webhooks/webhook-receivers.ts'
import { contentReceivers } from './content-receivers.ts'
import { deletedBugReceivers } from './deleted-bug-receivers.ts'

/** Everybody who is told of what happens, but for the feed, which is asked. */
export function receiversIn(context: DeliveryContext): Receivers {
  const transport = postmanFor(context)
  const all = [
    mailReceivers(context, transport),
    scheduledReceivers(context, transport),
    webhookReceivers(context),
    contentReceivers(context),
    deletedBugReceivers(context),
  ]
  return { consumers: all.flatMap(({ consumers }) => consumers), queues: all.flatMap(({ queues }) => queues) }
}
