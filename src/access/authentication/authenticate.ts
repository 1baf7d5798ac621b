import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import type { Credentials, Scope } from '../../platform/wire/call.ts'
import { anonymous } from '../caller.ts'
import { readStateVersions, VERSION_COLUMNS } from '../installation.ts'
import {
  ACCOUNT_COLUMNS,
  type AuthenticatedRequest,
  type Authenticator,
  authenticatedRequest,
  callerFrom,
  MEMBER_GROUPS,
  type RequestOrigin,
  UNLIMITED,
} from './authenticated-request.ts'
import { checkPassword, type PasswordCredentials } from './check-password.ts'
import { isSessionOver } from './session-lifetime.ts'

/** Wrong credentials are an error on every call that reads them; the caller is never treated as anonymous instead. */
export async function authenticate(
  authenticator: Authenticator,
  credentials: Credentials,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest> {
  const known = authenticator.known.recall(credentials, origin)
  if (known !== undefined) return known
  const freshness = authenticator.db.freshness()
  const request = await lookUpCaller(authenticator, credentials, origin)
  authenticator.known.remember(credentials, origin, freshness, request)
  return request
}

function lookUpCaller(
  authenticator: Authenticator,
  credentials: Credentials,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest> {
  if (credentials.login !== undefined && credentials.password !== undefined)
    return byPasswordAlone(
      authenticator,
      { ...credentials, login: credentials.login, password: credentials.password },
      origin,
    )
  if (credentials.token !== undefined) return byToken(authenticator, credentials.token, origin)
  if (credentials.apiKey !== undefined) return byApiKey(authenticator, credentials.apiKey, credentials, origin)
  return anonymousRequest(authenticator, origin)
}

async function anonymousRequest(authenticator: Authenticator, origin: RequestOrigin): Promise<AuthenticatedRequest> {
  return authenticatedRequest(authenticator, await readStateVersions(authenticator.db), origin, () => anonymous)
}

// Each of these is one query: the credential, its owner, the groups the owner is directly in, and the versions of the
// caches.

const ownerOfKey = statement<{ digest: string }>()((q, p, d) =>
  q
    .selectFrom('state_versions')
    .leftJoin('api_keys', (join) => join.on('api_keys.digest', '=', p.digest))
    .leftJoin('users', 'users.id', 'api_keys.user_id')
    .select(VERSION_COLUMNS)
    .select([
      'api_keys.id as credential_id',
      'api_keys.scopes',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'api_keys.last_used_at',
      'api_keys.resource',
    ])
    .select(ACCOUNT_COLUMNS)
    .select(d.jsonListOf(MEMBER_GROUPS).as('group_ids')),
)

async function byApiKey(
  authenticator: Authenticator,
  key: string,
  { resource = 'rest', isKeyInParameters }: Credentials,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest> {
  const keyDigest = digest(key)
  const row = await authenticator.db.firstCached(ownerOfKey, keyDigest, { digest: keyDigest })
  if (row?.credential_id == null || row.revoked_at !== null || isPast(row.expires_at)) throw errors.api_key_invalid()
  // An access token of OAuth is for one resource, and only in a header.
  if (row.resource !== null && (row.resource !== resource || isKeyInParameters)) throw errors.api_key_invalid()
  // The reason that the administrator entered is shown only to callers who know the password.
  if (row.disabled_text !== '') throw errors.account_disabled({ reason: 'ask the administrator.' })
  authenticator.usage.noteKey(row.credential_id, row.last_used_at)
  const { credential_id: keyId, expires_at: expiresAt } = row
  const means = {
    source: 'api_key',
    scopes: scopesIn(row.scopes ?? ''),
    expiresAt,
    keyId,
    provenAt: null,
    mustAddFactor: false,
  } as const
  return authenticatedRequest(authenticator, row, origin, (groups) => callerFrom(authenticator, groups, row, means))
}

/** There are only a few combinations of scopes, so each set is created once. */
function scopesIn(text: string): ReadonlySet<Scope> {
  const scopes = scopeSets.get(text) ?? new Set(text.split(',') as Scope[])
  scopeSets.set(text, scopes)
  return scopes
}

const scopeSets = new Map<string, ReadonlySet<Scope>>()

const ownerOfToken = statement<{ digest: string }>()((q, p, d) =>
  q
    .selectFrom('state_versions')
    .leftJoin('login_tokens', (join) => join.on('login_tokens.digest', '=', p.digest))
    .leftJoin('users', 'users.id', 'login_tokens.user_id')
    .select(VERSION_COLUMNS)
    .select([
      'login_tokens.id as credential_id',
      'login_tokens.address',
      'login_tokens.created_at',
      'login_tokens.last_used_at',
      'login_tokens.proven_at',
      'login_tokens.must_add_factor',
    ])
    .select(ACCOUNT_COLUMNS)
    .select(d.jsonListOf(MEMBER_GROUPS).as('group_ids')),
)

async function byToken(
  authenticator: Authenticator,
  token: string,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest> {
  const tokenDigest = digest(token)
  const row = await authenticator.db.firstCached(ownerOfToken, tokenDigest, { digest: tokenDigest })
  if (row?.credential_id == null) throw errors.token_invalid()
  const { credential_id, proven_at: provenAt } = row
  const session = { last_used_at: row.last_used_at ?? '', created_at: row.created_at ?? '' }
  return authenticatedRequest(authenticator, row, origin, (groups, address, settings) => {
    if (isSessionOver(session, settings)) throw errors.token_invalid()
    if (row.disabled_text !== '') throw errors.account_disabled({ reason: 'ask the administrator.' })
    if (row.address !== null && row.address !== address) throw errors.token_invalid()
    authenticator.usage.noteToken(credential_id, session.last_used_at, address)
    const mustAddFactor = row.must_add_factor === 1
    return callerFrom(authenticator, groups, row, {
      source: 'token',
      ...UNLIMITED,
      provenAt: provenAt ?? '',
      mustAddFactor,
    })
  })
}

/** A password that is sent with a request is not enough for an account with a second factor. */
async function byPasswordAlone(
  authenticator: Authenticator,
  credentials: PasswordCredentials,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest> {
  const { hasFactor, ...request } = await checkPassword(authenticator, credentials, origin)
  if (hasFactor) throw errors.code_needed()
  return request
}

function isPast(moment: string | null) {
  return moment !== null && moment <= secondsAgo(0)
}
