import type { Receivers, Surroundings } from '../surroundings.ts'
import { webhookConsumer } from './plan-webhooks.ts'
import { webhookQueue } from './send-webhooks.ts'

/** The hooks that people have registered. */
export function webhookReceivers(surroundings: Surroundings): Receivers {
  return { consumers: [webhookConsumer], queues: [webhookQueue(surroundings)] }
}
