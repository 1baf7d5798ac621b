import type { CallContext } from '../../access/call.ts'
import type { Caller } from '../../access/caller.ts'
import { listUsersByIds } from '../../people/users/user-store.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { errors } from '../../platform/errors.ts'
import type { Webhook } from './webhook.ts'

/** Whether the user may have webhooks: webhookgroup is empty, or the user is in that group. */
export function mayHaveWebhooks({ webhookgroup }: Settings, caller: Pick<Caller, 'groups'>) {
  return webhookgroup === '' || caller.groups.names.has(webhookgroup)
}

export function requireMayHaveWebhooks(settings: Settings, caller: Caller) {
  if (!mayHaveWebhooks(settings, caller)) throw errors.group_required({ groups: [settings.webhookgroup] })
}

type Reading = Pick<CallContext, 'db' | 'settings' | 'groups'>

/** Marks the webhooks whose owners have left the group of webhookgroup. */
export async function withOwnersRights(
  { db, settings, groups }: Reading,
  hooks: readonly Webhook[],
): Promise<Webhook[]> {
  if (settings.webhookgroup === '' || hooks.length === 0) return [...hooks]
  const owners = await listUsersByIds(db, [...new Set(hooks.map(({ userId }) => userId))])
  const allowed = new Set(
    owners
      .filter(({ group_ids }) => mayHaveWebhooks(settings, { groups: groups.membership(JSON.parse(group_ids)) }))
      .map(({ id }) => id),
  )
  return hooks.map((hook) => ({ ...hook, isOwnerAllowed: allowed.has(hook.userId) }))
}
