import type { Answer, NameOf } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'

export type Webhook = Answer<NameOf<'GET', '/webhook'>>['webhooks'][number]
export type Delivery = Answer<NameOf<'GET', '/webhook/:id/delivery'>>['deliveries'][number]

export const WEBHOOKS_CALL = addressOf('/webhook')

/** The events that a webhook can get, in words. */
export const EVENTS: Readonly<Record<string, string>> = {
  'bug.create': 'A bug is filed',
  'bug.update': 'A bug is changed',
  'bug.delete': 'A bug is deleted',
  'comment.create': 'A comment is written',
  'comment.update': 'A comment is edited, marked or reacted to',
  'attachment.create': 'A file is attached',
  'attachment.update': 'An attachment is changed',
}

const STATES: Readonly<Record<string, string>> = {
  active: 'Active',
  failing: 'Failing',
  off: 'Off',
  expired: 'Expired',
  owner_disabled: 'Account disabled',
  owner_not_allowed: 'Not allowed',
  filter_gone: 'Product or component deleted',
}

export function stateInWords({ state }: Webhook): string {
  return STATES[state] ?? state
}

const OUTCOMES: Readonly<Record<string, string>> = {
  delivered: 'Delivered',
  failed: 'Failed',
  given_up: 'Given up',
  dropped: 'Not sent',
}

export function outcomeInWords({ outcome }: Delivery): string {
  return OUTCOMES[outcome] ?? outcome
}
