import { queueAccountNotices } from '../../access/account-notice.ts'
import type { CallContext } from '../../access/call.ts'
import { isIn, type SignedIn } from '../../access/caller.ts'
import { requireLiveCredential } from '../../access/live-credential.ts'
import { requireOwnRoom } from '../../access/own-limits.ts'
import { findProduct } from '../../access/visibility/visible-products.ts'
import { findComponent, findComponentId } from '../../catalogue/components/component-store.ts'
import { type Audited, type Changes, recordAudit, recordRemoval } from '../../changes/audit.ts'
import { EVENT_KINDS } from '../../changes/outbox.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { isSecret, newSecret } from './http/signature.ts'
import {
  addressWithoutSecrets,
  changesInWebhook,
  type Webhook,
  type WebhookEdit,
  type WebhookScope,
} from './webhook.ts'
import { requireMayHaveWebhooks } from './webhook-permission.ts'
import { webhookRules } from './webhook-rules.ts'
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  noSuchWebhook,
  noteChangedWithKey,
  replaceSecret,
  retryWebhookNow,
  updateWebhook,
} from './webhook-store.ts'

type WebhookContext = Pick<CallContext, 'db' | 'caller' | 'settings' | 'credentials'>

export interface RequestedWebhook {
  url: string | undefined
  secret: string | undefined
  events: string[] | undefined
  product: string | undefined
  component: string | undefined
  is_active: boolean | undefined
}

const NEW: WebhookEdit = { url: '', events: EVENT_KINDS, product: null, component: null, isActive: true }

/** Creates a webhook of the caller. The secret is returned once. */
export async function createWebhook(
  context: WebhookContext,
  caller: SignedIn,
  requested: RequestedWebhook,
): Promise<{ hook: Webhook; secret: string }> {
  requireMayRead(caller)
  requireMayHaveWebhooks(context.settings, caller)
  const secret =
    requested.secret === undefined || requested.secret === '' ? newSecret() : requireSecret(requested.secret)
  const edit = await changedWebhook(context, NEW, requested)
  enforce(webhookRules, edit)
  edit.url = new URL(edit.url).href
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    requireOwnRoom('webhooks', (await listWebhooks(tx, caller.id)).length)
    const id = await insertWebhook(tx, edit, {
      userId: caller.id,
      secret,
      expiresAt: caller.expiresAt,
      keyId: caller.keyId,
    })
    const notice = { what: 'webhook_made', userId: caller.id, who: caller.id, webhookId: id, at: timeNow() } as const
    await queueAccountNotices(tx, notice)
    return { hook: (await findWebhook(tx, String(id))) as Webhook, secret }
  }, 'accounts')
}

/** Changes a webhook. A generated secret is returned. */
export async function changeWebhook(
  context: WebhookContext,
  caller: SignedIn,
  ref: string,
  requested: RequestedWebhook & { new_secret: boolean | undefined },
): Promise<{ id: number; changes: Changes; secret?: string }> {
  requireMayRead(caller)
  // Owners who have left the group may still switch a webhook off, or delete it.
  if (requested.is_active !== false) requireMayHaveWebhooks(context.settings, caller)
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    const before = await getOwn({ ...context, db: tx }, caller, ref)
    requireLastsAsLong(caller, before)
    const after = await changedWebhook({ ...context, db: tx }, before, requested)
    enforce(webhookRules, after)
    after.url = new URL(after.url).href
    const changes: Changes = changesInWebhook(before, after)
    await updateWebhook(tx, before.id, after)
    const secret = requested.new_secret ? newSecret() : secretIn(requested)
    if (secret !== undefined) {
      await replaceSecret(tx, before.id, secret)
      changes.secret = { removed: HIDDEN, added: HIDDEN }
    }
    if (caller.keyId !== null && Object.keys(changes).length > 0) await noteChangedWithKey(tx, before.id, caller.keyId)
    if (changes.url !== undefined) {
      const notice = { what: 'webhook_made', userId: before.userId, who: caller.id, webhookId: before.id } as const
      await queueAccountNotices(tx, { ...notice, at: timeNow() })
    }
    if (requested.is_active || changes.url !== undefined) await retryWebhookNow(tx, before.id)
    if (before.userId !== caller.id) await recordAudit(tx, audited(caller, before), withoutAddresses(changes))
    return { id: before.id, changes, ...(requested.new_secret && secret !== undefined && { secret }) }
  }, 'accounts')
}

export async function removeWebhook(context: WebhookContext, caller: SignedIn, ref: string): Promise<Webhook> {
  return context.db.transaction(async (tx) => {
    const hook = await getOwn({ ...context, db: tx }, caller, ref)
    await deleteWebhook(tx, hook.id)
    const name = `${addressWithoutSecrets(hook.url)} of ${hook.owner}`
    if (hook.userId !== caller.id) await recordRemoval(tx, audited(caller, hook), name)
    return hook
  }, 'accounts')
}

/** A webhook that the caller may manage. Others get the same error whether it exists or not. */
export async function getOwn({ db }: Pick<CallContext, 'db'>, caller: SignedIn, ref: string): Promise<Webhook> {
  const hook = await findWebhook(db, ref)
  if (hook === undefined || (hook.userId !== caller.id && !mayManageAllWebhooks(caller))) throw noSuchWebhook(ref)
  return hook
}

export function mayManageAllWebhooks(caller: SignedIn) {
  return isIn(caller, 'admin') && caller.scopes.has('admin')
}

const HIDDEN = '********'

function audited(caller: SignedIn, hook: Webhook): Audited {
  return { who: caller.id, class: 'Webhook', objectId: hook.id }
}

/** The audit log outlives the webhook, and keeps no secret. */
function withoutAddresses({ url, ...changes }: Changes): Changes {
  if (url === undefined) return changes
  const [removed, added] = [addressWithoutSecrets(url.removed), addressWithoutSecrets(url.added)]
  return { ...changes, url: { removed, added } }
}

/** A webhook gets what its owner may read, so a key without the scope read may not decide where it is sent. */
function requireMayRead(caller: SignedIn) {
  if (!caller.scopes.has('read')) throw errors.scope_required({ scope: 'read' })
}

/** Otherwise a key that expires could keep reading through a webhook that does not. */
function requireLastsAsLong({ expiresAt }: SignedIn, hook: Webhook) {
  if (expiresAt === null || (hook.expiresAt !== null && hook.expiresAt <= expiresAt)) return
  throw errors.key_expires({
    expires: expiresAt,
    hint: ', before the webhook; use a credential that does not expire earlier',
  })
}

function secretIn({ secret }: RequestedWebhook) {
  return secret === undefined || secret === '' ? undefined : requireSecret(secret)
}

function requireSecret(secret: string): string {
  if (isSecret(secret)) return secret
  throw errors.bad_value({
    name: 'secret',
    value: '…',
    right: 'it must be whsec_ followed by 24 to 64 bytes in base64',
  })
}

async function changedWebhook(
  context: WebhookContext,
  before: WebhookEdit,
  requested: RequestedWebhook,
): Promise<WebhookEdit> {
  const product = await productIn(context, before, requested)
  return {
    url: requested.url?.trim() ?? before.url,
    events: requested.events === undefined ? before.events : inOrder(requested.events),
    product,
    component: await componentIn(context, before, product, requested),
    isActive: requested.is_active ?? before.isActive,
  }
}

function inOrder(events: readonly string[]): string[] {
  const known = EVENT_KINDS.filter((kind) => events.includes(kind))
  return [...known, ...events.filter((event) => !EVENT_KINDS.some((kind) => kind === event))]
}

/** Empty means every product. */
async function productIn({ db, caller, settings }: WebhookContext, before: WebhookEdit, { product }: RequestedWebhook) {
  if (product === undefined) return before.product
  if (product === '') return null
  const found = await findProduct(db, caller, settings, product)
  if (found === undefined) throw errors.product_not_accessible({ ref: product })
  return found
}

/** Empty means every component, and so does a new product. */
async function componentIn(
  { db }: WebhookContext,
  before: WebhookEdit,
  product: WebhookScope | null,
  { component }: RequestedWebhook,
): Promise<WebhookScope | null> {
  if (component === '') return null
  if (component === undefined) return product?.id === before.product?.id ? before.component : null
  if (product === null)
    throw errors.parameter_required({
      name: 'product',
      hint: 'a component can only be chosen together with its product',
    })
  const id = await findComponentId(db, product.id, component)
  const found = id === undefined ? undefined : await findComponent(db, id)
  if (found === undefined) throw errors.no_such_component({ product: product.name ?? '', name: component })
  return { id: found.id, name: found.name }
}
