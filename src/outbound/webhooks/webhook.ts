import { changesBetween } from '../../changes/changes-between.ts'
import { masked } from '../../platform/text/masked.ts'
import { timeNow } from '../../platform/time/clock.ts'

/** The part of a webhook that its owner sets. */
export interface WebhookEdit {
  url: string
  events: readonly string[]
  product: WebhookScope | null
  component: WebhookScope | null
  isActive: boolean
}

/** A product or a component. A deleted one has no name. */
export interface WebhookScope {
  id: number
  name: string | null
}

export interface Webhook extends WebhookEdit {
  id: number
  userId: number
  owner: string
  createdAt: string
  expiresAt: string | null
  isOwnerDisabled: boolean
  /** Whether the owner is in the group that may have webhooks. */
  isOwnerAllowed: boolean
  failingSince: string | null
  lastFault: string | null
  lastDeliveryAt: string | null
  waiting: number
  /** When the waiting deliveries are tried; null if none waits. */
  nextTryAt: string | null
}

/** The state of a webhook, with the reason if nothing is sent to it. */
export type WebhookState =
  | 'active'
  | 'failing'
  | 'off'
  | 'expired'
  | 'owner_disabled'
  | 'owner_not_allowed'
  | 'filter_gone'

export function stateOf(hook: Webhook): WebhookState {
  if (!hook.isActive) return 'off'
  if (hook.isOwnerDisabled) return 'owner_disabled'
  if (!hook.isOwnerAllowed) return 'owner_not_allowed'
  if (hook.expiresAt !== null && hook.expiresAt <= timeNow()) return 'expired'
  if ([hook.product, hook.component].some((filter) => filter?.name === null)) return 'filter_gone'
  return hook.failingSince === null ? 'active' : 'failing'
}

export function presentWebhook(hook: Webhook) {
  return {
    id: hook.id,
    owner: hook.owner,
    url: hook.url,
    events: [...hook.events],
    product: hook.product?.name ?? null,
    component: hook.component?.name ?? null,
    is_active: hook.isActive,
    state: stateOf(hook),
    failing_since: hook.failingSince,
    last_fault: hook.lastFault,
    last_delivery_time: hook.lastDeliveryAt,
    waiting: hook.waiting,
    next_try_time: hook.nextTryAt,
    creation_time: hook.createdAt,
    expires_at: hook.expiresAt,
  }
}

export function changesInWebhook(before: WebhookEdit, after: WebhookEdit) {
  return changesBetween(visibleForm(before), visibleForm(after))
}

function visibleForm({ url, events, product, component, isActive }: WebhookEdit) {
  return {
    url,
    events: events.join(', '),
    product: product?.name ?? null,
    component: component?.name ?? null,
    is_active: isActive,
  }
}

/** Many services trust every sender who knows the address: the secret is in its path or query. */
export function addressWithoutSecrets(address: string): string {
  const url = new URL(address)
  return `${url.origin}${masked(url.pathname)}${url.search === '' ? '' : '?…'}`
}
