import type { Selectable } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { hasScope } from '../../access/scopes.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { Database } from '../../platform/database/tables.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { Scope } from '../../platform/wire/call.ts'
import { NO_PROPOSALS, type ProposalCounts } from './proposal-counts.ts'

export const SCOPES: readonly Scope[] = ['read', 'write', 'admin', 'propose']
export const KEY_LENGTH = 40
const LONGEST_DESCRIPTION = 255

export type ApiKey = Omit<
  Selectable<Database['api_keys']>,
  'user_id' | 'digest' | 'made_with_key_id' | 'knows_mail_address' | 'client_id'
>

/** The limits of the credentials in use. A key created with them must stay within these limits. */
type CredentialLimits = Pick<Caller, 'scopes' | 'expiresAt'>

/** The scopes as they are stored. By default those of the credentials in use. */
export function requireScopes(requested: readonly string[] | undefined, own: CredentialLimits): string {
  const scopes = requested ?? SCOPES.filter((scope) => own.scopes.has(scope))
  const wrong = scopes.find((scope) => !SCOPES.includes(scope as Scope))
  if (wrong !== undefined || scopes.length === 0) {
    throw errors.bad_value({
      name: 'scopes',
      value: wrong ?? [],
      right: `it must contain one or more of ${SCOPES.join(', ')}`,
    })
  }
  return SCOPES.filter((scope) => scopes.includes(scope)).join(',')
}

export function requireFuture(end: string): string {
  if (end <= timeNow()) throw errors.bad_value({ name: 'expires_at', value: end, right: 'it must be in the future' })
  return end
}

/** The scopes and the expiry of a key. */
type KeyLimits = Pick<ApiKey, 'scopes' | 'expires_at'>

/** A new or widened key has no scope that the credentials in use lack, and expires no later. */
export function requireWithin(key: KeyLimits, own: CredentialLimits) {
  const missing = scopesIn(key).find((scope) => !hasScope(own.scopes, scope))
  if (missing !== undefined) throw errors.scope_required({ scope: missing })
  if (endsLater(key.expires_at, own.expiresAt))
    throw errors.key_expires({ expires: own.expiresAt, hint: ', so the other key must expire by then' })
}

/** Whether the change gives the key a new scope or a later expiry. */
export function isWidened(before: KeyLimits, after: KeyLimits) {
  return endsLater(after.expires_at, before.expires_at) || hasMore(after, before)
}

/** What a change takes from a key. */
export function limitsAdded(before: KeyLimits, after: KeyLimits) {
  return {
    hasLostScope: hasMore(before, after),
    earlierEnd: endsLater(before.expires_at, after.expires_at) ? after.expires_at : null,
  }
}

function hasMore(one: KeyLimits, other: KeyLimits) {
  const scopes = new Set(scopesIn(other))
  return scopesIn(one).some((scope) => !hasScope(scopes, scope))
}

/** null means that the key does not expire. */
function endsLater(end: string | null, other: string | null) {
  return other !== null && (end === null || end > other)
}

function scopesIn({ scopes }: KeyLimits) {
  return scopes.split(',') as Scope[]
}

export function requireDescription(input: string): string {
  const description = input.replace(/\p{Cc}+/gu, ' ').trim()
  if (description.length > LONGEST_DESCRIPTION) {
    throw errors.bad_value({
      name: 'description',
      value: description,
      right: `it must have at most ${LONGEST_DESCRIPTION} characters`,
    })
  }
  return description
}

export function presentApiKey(key: ApiKey, proposals?: ProposalCounts) {
  const counts = proposals ?? (key.scopes.split(',').includes('propose') ? NO_PROPOSALS : undefined)
  return {
    id: key.id,
    description: key.description,
    scopes: key.scopes.split(','),
    created_at: key.created_at,
    expires_at: key.expires_at,
    is_revoked: key.revoked_at !== null,
    last_used: key.last_used_at,
    resource: key.resource,
    renewable_until: key.grant_ends_at,
    ...(counts !== undefined && { proposals: counts }),
  }
}

export function changesInKey(before: ApiKey, after: ApiKey) {
  return changesBetween(visibleForm(before), visibleForm(after))
}

function visibleForm({ description, scopes, expires_at, revoked_at }: ApiKey) {
  return { description, scopes: scopes.replaceAll(',', ', '), expires_at, is_revoked: revoked_at !== null }
}
