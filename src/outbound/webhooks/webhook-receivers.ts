import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import { webhookConsumer } from './deliveries/plan-webhooks.ts'
import { webhookQueue } from './deliveries/send-webhooks.ts'

export function webhookReceivers(context: DeliveryContext): Receivers {
  return { consumers: [webhookConsumer], queues: [webhookQueue(context)] }
}
