import type { DeliveryContext, Receivers } from '../delivery-context.ts'
import { webhookConsumer } from './plan-webhooks.ts'
import { webhookQueue } from './send-webhooks.ts'

/** The hooks that people have registered. */
export function webhookReceivers(context: DeliveryContext): Receivers {
  return { consumers: [webhookConsumer], queues: [webhookQueue(context)] }
}
