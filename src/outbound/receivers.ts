import { mailReceivers } from './mail/mail-queue.ts'
import type { Receivers, Surroundings } from './surroundings.ts'
import { webhookReceivers } from './webhooks/webhook-receivers.ts'

/** Everybody who is told of what happens, but for the feed, which is asked. */
export function receiversIn(surroundings: Surroundings): Receivers {
  const all = [mailReceivers(surroundings), webhookReceivers(surroundings)]
  return { consumers: all.flatMap(({ consumers }) => consumers), queues: all.flatMap(({ queues }) => queues) }
}
