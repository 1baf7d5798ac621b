import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import type { LimitedDb } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { flag, integer, text } from '../../platform/wire/params.ts'
import { LARGEST_ID } from '../../platform/wire/reference.ts'
import { addressWithoutSecrets, presentWebhook, type Webhook as StoredWebhook } from './webhook.ts'
import { withOwnersRights } from './webhook-permission.ts'
import { Webhook } from './webhook-schema.ts'
import { searchWebhooks, type WebhookFilter } from './webhook-store.ts'

const MOST = 200
const USUAL = 50

export const allWebhooksRoute = call({
  method: 'GET',
  path: '/admin/webhooks',
  resource: 'webhook',
  summary: 'List the webhooks of all users.',
  about: 'For members of admin. By id. What may be a secret in an address (the query, long random words) is shown as …',
  params: {
    text: text('Only webhooks with this text in the login name of their owner or in what is shown of their address.'),
    is_active: flag('Only those that are switched on, or off.'),
    is_failing: flag('Only those whose last attempt failed, or did not.'),
    after: integer('Only webhooks with a larger id: the last one of the page before.'),
    limit: integer(`Maximum number of webhooks; at most ${MOST}, ${USUAL} by default.`),
  },
  answers: Type.Object({ webhooks: Type.Array(Webhook) }, { additionalProperties: false }),
  scope: 'admin',
  async run(context) {
    const { db, request, caller, params } = context
    requireGroup(caller, 'admin')
    const { limit = USUAL, after = 0 } = params
    if (limit < 1 || limit > MOST)
      throw errors.bad_value({ name: 'limit', value: limit, right: `it must be from 1 to ${MOST}` })
    const wanted = params.text?.trim()
    const hooks = await searchShown(db.within(request.readLimits), {
      text: wanted === '' ? undefined : wanted,
      isActive: params.is_active,
      isFailing: params.is_failing,
      after: Math.min(Math.max(after, 0), LARGEST_ID),
      limit,
    })
    const shown = await withOwnersRights(context, hooks)
    return { webhooks: shown.map((hook) => presentWebhook({ ...hook, url: addressWithoutSecrets(hook.url) })) }
  },
})

/** The database compares with whole addresses. What it finds only in the hidden part of one is not found. */
async function searchShown(db: LimitedDb, filter: WebhookFilter): Promise<StoredWebhook[]> {
  const { text, limit } = filter
  const found: StoredWebhook[] = []
  for (let { after } = filter; ; ) {
    const hooks = await searchWebhooks(db, { ...filter, after })
    found.push(...hooks.filter((hook) => text === undefined || isShownIn(hook, text)))
    after = hooks.at(-1)?.id ?? after
    if (hooks.length < limit || found.length >= limit) return found.slice(0, limit)
  }
}

function isShownIn({ owner, url }: StoredWebhook, text: string) {
  return fold(owner).includes(fold(text)) || addressWithoutSecrets(url).includes(text)
}
