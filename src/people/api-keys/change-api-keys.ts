import { queueAccountNotices } from '../../access/account-notice.ts'
import type { CallContext } from '../../access/call.ts'
import type { SignedIn } from '../../access/caller.ts'
import { requireLiveCredential } from '../../access/live-credential.ts'
import { type Changes, recordAudit, recordCreation } from '../../changes/audit.ts'
import { errors } from '../../platform/errors.ts'
import { randomWord } from '../../platform/secrets/secrets.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { endMadeWith } from '../credentials/end-credentials.ts'
import { limitMadeWith, noteWidenedWith } from '../credentials/made-with-keys.ts'
import { requireRoomForKey } from '../own-limits.ts'
import { lockEnabledUser } from '../users/user-store.ts'
import {
  type ApiKey,
  changesInKey,
  isWidened,
  KEY_LENGTH,
  limitsAdded,
  requireDescription,
  requireFuture,
  requireScopes,
  requireWithin,
} from './api-key.ts'
import { getApiKey, insertApiKey, updateApiKey } from './api-key-store.ts'

export interface RequestedKey {
  description: string | undefined
  scopes: string[] | undefined
  expires_at: string | undefined
}

/** The owner of the keys. */
export interface KeyOwner {
  id: number
  login: string
}

type KeyContext = Pick<CallContext, 'db' | 'caller' | 'credentials'>

/**
 * Creates a key within the limits of the credentials in use. The secret is returned once; only its digest is stored.
 */
export async function createApiKey(
  context: KeyContext,
  caller: SignedIn,
  owner: KeyOwner,
  requested: RequestedKey,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = randomWord(KEY_LENGTH)
  const description = requireDescription(requested.description ?? '')
  const scopes = requireScopes(requested.scopes, caller)
  const expiresAt = requested.expires_at === undefined ? caller.expiresAt : requireFuture(requested.expires_at)
  requireWithin({ scopes, expires_at: expiresAt }, caller)
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    if (owner.id === caller.id) await lockEnabledUser(tx, owner.id)
    await requireRoomForKey(tx, owner.id)
    const id = await insertApiKey(tx, {
      userId: owner.id,
      secret,
      description,
      scopes,
      expiresAt,
      madeWithKeyId: caller.keyId,
    })
    if (owner.id !== caller.id) {
      const audited = { who: caller.id, class: 'User::APIKey', objectId: id } as const
      await recordCreation(tx, audited, `${description} (${scopes}) of ${owner.login}`)
    }
    await queueAccountNotices(tx, { what: 'key_made', userId: owner.id, who: caller.id, keyId: id, at: timeNow() })
    return { key: await getApiKey(tx, owner.id, String(id)), secret }
  }, 'accounts')
}

type KeyChange = Partial<RequestedKey> & { is_revoked: boolean | undefined }

export async function changeApiKey(
  context: KeyContext,
  caller: SignedIn,
  owner: KeyOwner,
  ref: string,
  requested: KeyChange,
): Promise<{ id: number; changes: Changes }> {
  return context.db.transaction(async (tx) => {
    const before = await getApiKey(tx, owner.id, ref)
    const after = edited(before, caller, requested)
    if (isWidened(before, after)) {
      requireWithin(after, caller)
      await requireLiveCredential(tx, context)
      if (caller.keyId !== null) await noteWidenedWith(tx, before.id, caller.keyId)
      const notice = { what: 'key_widened', userId: owner.id, who: caller.id, keyId: before.id } as const
      await queueAccountNotices(tx, { ...notice, keyInUse: caller.keyId, at: timeNow() })
    }
    const changes = changesInKey(before, after)
    await updateApiKey(tx, after)
    if (before.revoked_at === null && after.revoked_at !== null) await endMadeWith(tx, [before.id])
    else await limitMadeWith(tx, { id: before.id, ...limitsAdded(before, after) })
    if (owner.id !== caller.id)
      await recordAudit(tx, { who: caller.id, class: 'User::APIKey', objectId: before.id }, changes)
    return { id: before.id, changes }
  }, 'accounts')
}

function edited(key: ApiKey, caller: SignedIn, requested: KeyChange): ApiKey {
  if (requested.is_revoked === false && key.revoked_at !== null) throw errors.api_key_revoked()
  const { description, scopes, expires_at } = requested
  if (key.resource !== null && (description ?? scopes ?? expires_at) !== undefined)
    throw errors.not_allowed({
      need: 'a program got this key from its owner with OAuth, so that it can only be revoked',
    })
  return {
    ...key,
    description: requested.description === undefined ? key.description : requireDescription(requested.description),
    scopes: requested.scopes === undefined ? key.scopes : requireScopes(requested.scopes, caller),
    expires_at: requested.expires_at === undefined ? key.expires_at : requireFuture(requested.expires_at),
    revoked_at: requested.is_revoked ? (key.revoked_at ?? timeNow()) : key.revoked_at,
  }
}

/** Every key can revoke itself, so that its finder can disable a leaked key without other credentials. */
export async function revokeApiKey(
  context: KeyContext,
  caller: SignedIn,
  owner: KeyOwner,
  ref: string,
): Promise<ApiKey> {
  const { db } = context
  const { id } = await getApiKey(db, owner.id, ref)
  if (id !== caller.keyId && !caller.scopes.has('admin'))
    throw errors.scope_required({ scope: 'admin', hint: ', so it can only revoke itself' })
  await changeApiKey(context, caller, owner, ref, { is_revoked: true })
  return getApiKey(db, owner.id, ref)
}
