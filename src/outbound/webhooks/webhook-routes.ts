import { setTimeout as sleep } from 'node:timers/promises'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { EVENT_KINDS } from '../../changes/outbox.ts'
import { getTarget } from '../../people/users/user-targets.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { Deleted } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integer, secret, text, texts } from '../../platform/wire/params.ts'
import { changeWebhook, createWebhook, getOwn, mayManageAllWebhooks, removeWebhook } from './change-webhooks.ts'
import { presentDelivery, requireOutcome } from './deliveries/delivery.ts'
import { type Delivery, type DeliveryFilter, getDelivery, listDeliveries } from './deliveries/delivery-store.ts'
import { redeliver } from './deliveries/redeliver.ts'
import { presentWebhook } from './webhook.ts'
import { withOwnersRights } from './webhook-permission.ts'
import { Deliveries, NewWebhook, Redelivered, UpdatedWebhooks, Webhooks } from './webhook-schema.ts'
import { listWebhooks } from './webhook-store.ts'

const resource = 'webhook'
const pathParams = { id: 'Id of a webhook; one’s own, or anybody’s for members of admin.' }
const deliveryPath = { ...pathParams, delivery: 'Id of a delivery.' }

const params = {
  url: text('Where to post to: begins with http:// or https://.'),
  secret: secret('What messages are signed with: whsec_ and 24 to 64 bytes as base64. Made up when missing.'),
  events: texts(`What to tell: some of ${EVENT_KINDS.join(', ')}. All by default.`),
  product: text('Only of bugs in this product. Empty is every product.'),
  component: text('Only of bugs in this component of the product. Empty is every component.'),
  is_active: flag('Whether it is told anything.'),
}

const getWebhooks = call({
  method: 'GET',
  path: '/webhook',
  resource,
  summary: 'List webhooks.',
  about: 'The caller’s own. Secrets are not told again.',
  params: { user: text('Whose webhooks: id or login name, for members of admin.') },
  answers: Webhooks,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const hooks = await withOwnersRights(
      context,
      await listWebhooks(context.db, await ownerIn(context, context.params.user)),
    )
    return { webhooks: hooks.map((hook) => context.select.pick(presentWebhook(hook))) }
  },
})

const getWebhook = call({
  method: 'GET',
  path: '/webhook/:id',
  pathParams,
  resource,
  summary: 'Get one webhook.',
  params: {},
  answers: Webhooks,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const hooks = await withOwnersRights(context, [
      await getOwn(context, requireLogin(context.caller), context.path.id ?? ''),
    ])
    return { webhooks: hooks.map((hook) => context.select.pick(presentWebhook(hook))) }
  },
})

const postWebhook = call({
  method: 'POST',
  path: '/webhook',
  resource,
  summary: 'Register a webhook.',
  about:
    'It is told what its owner may see at the moment when it is told. The secret is answered once. A webhook that is made with a key ends with that key.',
  params: { ...params, url: documentedAsRequired(params.url) },
  answers: NewWebhook,
  status: 201,
  scope: 'write',
  async run(context) {
    const { hook, secret } = await createWebhook(context, requireLogin(context.caller), context.params)
    return { ...presentWebhook(hook), secret }
  },
})

const putWebhook = call({
  method: 'PUT',
  path: '/webhook/:id',
  pathParams,
  resource,
  summary: 'Change a webhook.',
  about:
    'What waits for it is tried at once when it gets another address or is_active. After a change of the secret, messages are signed with the old one as well for a day.',
  params: { ...params, new_secret: flag('true makes up a new secret, which is answered.') },
  unknownParams: 'refused',
  answers: UpdatedWebhooks,
  scope: 'write',
  run: async (context) => ({
    webhooks: [await changeWebhook(context, requireLogin(context.caller), context.path.id ?? '', context.params)],
  }),
})

const deleteWebhook = call({
  method: 'DELETE',
  path: '/webhook/:id',
  pathParams,
  resource,
  summary: 'Delete a webhook.',
  about: 'With its log and with what waits for it. Its address is answered as its name.',
  params: {},
  answers: Deleted,
  scope: 'write',
  async run(context) {
    const { id, url } = await removeWebhook(context, requireLogin(context.caller), context.path.id ?? '')
    return { id, name: url }
  },
})

const MOST_DELIVERIES = 1000
const MOST_WAIT_SECONDS = 30
const USUAL_DELIVERIES = 100

const getDeliveries = call({
  method: 'GET',
  path: '/webhook/:id/delivery',
  pathParams,
  resource,
  summary: 'List the attempts to tell a webhook something.',
  about: 'Newest first. They are kept for two weeks.',
  params: {
    outcome: text('Only these: delivered, failed, given_up or dropped.'),
    bug_id: integer('Only about this bug.'),
    before: integer('Only those with a smaller id, for the next page.'),
    limit: integer(`How many: ${USUAL_DELIVERIES} when missing, at most ${MOST_DELIVERIES}.`),
    wait: integer(`Seconds to wait for an attempt when there is none to answer; at most ${MOST_WAIT_SECONDS}.`),
  },
  answers: Deliveries,
  scope: 'read',
  async run(context) {
    const { outcome, bug_id, before, limit = USUAL_DELIVERIES, wait = 0 } = context.params
    const hook = await getOwn(context, requireLogin(context.caller), context.path.id ?? '')
    const wanted = {
      webhookId: hook.id,
      outcome: requireOutcome(outcome),
      bugId: bug_id,
      before,
      limit: Math.min(Math.max(limit, 1), MOST_DELIVERIES),
    }
    const deliveries = await awaitDeliveries(context.db, wanted, Math.min(wait, MOST_WAIT_SECONDS))
    return { deliveries: deliveries.map(presentDelivery) }
  },
})

const postRedeliver = call({
  method: 'POST',
  path: '/webhook/:id/delivery/:delivery/redeliver',
  pathParams: deliveryPath,
  resource,
  summary: 'Send a message again.',
  about:
    'At once, without waiting for others, with what the owner may see now, and under the same message id. What comes of it stands in the log.',
  params: {},
  answers: Redelivered,
  status: 201,
  scope: 'write',
  async run(context) {
    const hook = await getOwn(context, requireLogin(context.caller), context.path.id ?? '')
    return redeliver(context.db, hook, await getDelivery(context.db, hook.id, context.path.delivery ?? ''))
  },
})

/** For whoever sets up a hook and wants to see it work. */
async function awaitDeliveries(db: Db, wanted: DeliveryFilter, seconds: number): Promise<Delivery[]> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const found = await listDeliveries(db, wanted)
    if (found.length > 0 || Date.now() >= end) return found
    await sleep(LOOK_EVERY_MILLISECONDS)
  }
}

const LOOK_EVERY_MILLISECONDS = 100

/** Whose hooks these are. Members of admin may look after everybody's. */
async function ownerIn(context: CallContext, user: string | undefined): Promise<number> {
  const caller: SignedIn = requireLogin(context.caller)
  if (user === undefined || user === '') return caller.id
  if (!mayManageAllWebhooks(caller))
    throw errors.not_allowed({ need: 'these webhooks may be somebody else’s, which needs membership in admin' })
  return (await getTarget(context.db, user)).id
}

export const webhookRoutes = [
  getWebhooks,
  getWebhook,
  postWebhook,
  putWebhook,
  deleteWebhook,
  getDeliveries,
  postRedeliver,
]
