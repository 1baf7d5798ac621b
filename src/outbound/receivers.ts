import { contentReceivers } from './content-receivers.ts'
import { deletedBugReceivers } from './deleted-bug-receivers.ts'
import { mailReceivers, postmanFor } from './mail/mail-queue.ts'
import { scheduledReceivers } from './scheduled/scheduled-receivers.ts'
import type { Receivers, Surroundings } from './surroundings.ts'
import { webhookReceivers } from './webhooks/webhook-receivers.ts'

/** Everybody who is told of what happens, but for the feed, which is asked. */
export function receiversIn(surroundings: Surroundings): Receivers {
  const postman = postmanFor(surroundings)
  const all = [
    mailReceivers(surroundings, postman),
    scheduledReceivers(surroundings, postman),
    webhookReceivers(surroundings),
    contentReceivers(surroundings),
    deletedBugReceivers(surroundings),
  ]
  return { consumers: all.flatMap(({ consumers }) => consumers), queues: all.flatMap(({ queues }) => queues) }
}
