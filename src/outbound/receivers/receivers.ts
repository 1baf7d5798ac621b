import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import { mailReceivers, mailTransportFor } from '../mail/mail-queue.ts'
import { scheduledReceivers } from '../scheduled/scheduled-receivers.ts'
import { webhookReceivers } from '../webhooks/webhook-receivers.ts'
import { contentReceivers } from './content-receivers.ts'
import { deletedBugReceivers } from './deleted-bug-receivers.ts'

/** All receivers of events except the feed, whose clients pull them. */
export function receiversIn(context: DeliveryContext): Receivers {
  const transport = mailTransportFor(context)
  const all = [
    mailReceivers(context, transport),
    scheduledReceivers(context, transport),
    webhookReceivers(context),
    contentReceivers(context),
    deletedBugReceivers(context),
  ]
  return { consumers: all.flatMap(({ consumers }) => consumers), queues: all.flatMap(({ queues }) => queues) }
}
