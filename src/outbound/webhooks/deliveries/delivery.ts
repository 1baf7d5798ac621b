import { errors } from '../../../platform/errors.ts'
import type { WebhookDelivery } from './delivery-store.ts'
import { isTest } from './test-message.ts'

const OUTCOMES = ['delivered', 'failed', 'given_up', 'dropped'] as const

/** The same for every attempt to deliver one event to one webhook, so that the receiver can recognize duplicates. */
export function messageIdOf(webhookId: number, position: number): string {
  return isTest(position) ? `msg_${webhookId}_test_${-position}` : `msg_${webhookId}_${position}`
}

export function presentDelivery(it: WebhookDelivery) {
  return {
    id: it.id,
    message_id: messageIdOf(it.webhook_id, it.event_position),
    event_id: isTest(it.event_position) ? null : it.event_position,
    event: it.kind,
    bug_id: isTest(it.event_position) ? null : it.bug_id,
    attempt: it.attempt,
    time: it.at,
    milliseconds: it.milliseconds,
    status: it.status,
    fault: it.fault,
    outcome: it.outcome,
  }
}

export function requireOutcome(input: string | undefined): string | undefined {
  if (input === undefined || OUTCOMES.some((outcome) => outcome === input)) return input
  throw errors.bad_value({ name: 'outcome', value: input, right: `it must be one of ${OUTCOMES.join(', ')}` })
}
