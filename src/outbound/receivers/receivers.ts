import { codeReceivers } from '../code/code-receivers.ts'
import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import { inboxReceivers } from '../inbox/note-events.ts'
import { mailReceivers, mailTransportsFor } from '../mail/mail-queue.ts'
import { scheduledReceivers } from '../scheduled/scheduled-receivers.ts'
import { webhookReceivers } from '../webhooks/webhook-receivers.ts'
import { contentReceivers } from './content-receivers.ts'
import { deletedBugReceivers } from './deleted-bug-receivers.ts'
import { removalReceivers } from './removal-receivers.ts'

/** All receivers of events except the feed, whose clients pull them. */
export function receiversIn(context: DeliveryContext): Receivers {
  const transports = mailTransportsFor(context)
  const all = [
    inboxReceivers(context),
    mailReceivers(context, transports),
    scheduledReceivers(context, transports.bugs),
    webhookReceivers(context),
    codeReceivers(context),
    contentReceivers(context),
    deletedBugReceivers(context),
    removalReceivers(context),
  ]
  return { consumers: all.flatMap(({ consumers }) => consumers), queues: all.flatMap(({ queues }) => queues) }
}
