import { sql } from 'kysely'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { fold } from '../../platform/text/fold.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import type { Credentials, Scope } from '../../platform/wire/call.ts'
import { anonymous, type Caller, EVERY_SCOPE } from '../caller.ts'
import {
  type Catalogue,
  type Installation,
  readVersions,
  type StateVersions,
  VERSION_COLUMNS,
} from '../installation.ts'
import type { Usage } from '../usage.ts'
import type { GroupGraph } from '../visibility/group-graph.ts'
import type { KnownCallers } from './known-callers.ts'
import type { PasswordCheck } from './password-check.ts'
import type { RateLimit } from './rate-limit.ts'
import { networkOf, realAddress } from './real-address.ts'
import { isSessionOver } from './session-lifetime.ts'

/** The network address of a request, not yet checked against the trusted proxies. */
export interface RequestOrigin {
  peer: string
  forwardedFor: string | undefined
}

/** The caller, their address, and the settings at the time of the request. */
export interface AuthenticatedRequest {
  caller: Caller
  groups: GroupGraph
  catalogue: Catalogue
  settings: Settings
  /** The versions of the configuration that these values were read from. */
  versions: StateVersions
  address: string
}

export interface Authenticator {
  db: Db
  installation: Installation
  usage: Usage
  passwords: PasswordCheck
  rateLimit: RateLimit
  known: KnownCallers<AuthenticatedRequest>
}

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
    return byPassword(authenticator, credentials.login, credentials.password, origin, credentials.countedAs)
  if (credentials.token !== undefined) return byToken(authenticator, credentials.token, origin)
  if (credentials.apiKey !== undefined) return byApiKey(authenticator, credentials.apiKey, origin)
  return anonymousRequest(authenticator, origin)
}

async function anonymousRequest(authenticator: Authenticator, origin: RequestOrigin): Promise<AuthenticatedRequest> {
  return authenticatedRequest(authenticator, await readVersions(authenticator.db), origin, () => anonymous)
}

async function authenticatedRequest(
  authenticator: Authenticator,
  versions: StateVersions,
  origin: RequestOrigin,
  callerIn: (groups: GroupGraph, address: string, settings: Settings) => Caller | Promise<Caller>,
): Promise<AuthenticatedRequest> {
  const settings = await authenticator.installation.settingsAt(versions)
  const groups = await authenticator.installation.groupsAt(versions)
  const catalogue = authenticator.installation.catalogueAt(versions)
  const address = realAddress(origin.peer, origin.forwardedFor, settings.inbound_proxies)
  return { settings, groups, catalogue, versions, address, caller: await callerIn(groups, address, settings) }
}

// Each of these is one query: the credential, its owner, the groups the owner is directly in, and the versions of the
// caches.

/** Ids of the groups that the user of a table `users` is directly in. */
export const MEMBER_GROUPS = sql`select group_id as value from user_group_grants where user_id = users.id and "right" = 'member'`

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
    ])
    .select([
      'users.id',
      'users.login',
      'users.real_name',
      'users.disabled_text',
      'users.last_seen_on',
      'users.joined_at',
    ])
    .select(d.jsonListOf(MEMBER_GROUPS).as('group_ids')),
)

async function byApiKey(
  authenticator: Authenticator,
  key: string,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest> {
  const keyDigest = digest(key)
  const row = await authenticator.db.firstCached(ownerOfKey, keyDigest, { digest: keyDigest })
  if (row?.credential_id == null || row.revoked_at !== null || isPast(row.expires_at)) throw errors.api_key_invalid()
  // The reason that the administrator entered is shown only to callers who know the password.
  if (row.disabled_text !== '') throw errors.account_disabled({ reason: 'ask the administrator.' })
  authenticator.usage.noteKey(row.credential_id, row.last_used_at)
  const { credential_id: keyId, expires_at: expiresAt } = row
  const means = { source: 'api_key', scopes: scopesIn(row.scopes ?? ''), expiresAt, keyId, provenAt: null } as const
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
    ])
    .select([
      'users.id',
      'users.login',
      'users.real_name',
      'users.disabled_text',
      'users.last_seen_on',
      'users.joined_at',
    ])
    .select(d.jsonListOf(MEMBER_GROUPS).as('group_ids')),
)

async function byToken(
  authenticator: Authenticator,
  token: string,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest> {
  const tokenDigest = digest(token)
  const row = await authenticator.db.firstCached(ownerOfToken, tokenDigest, { digest: tokenDigest })
  const { credential_id, last_used_at, created_at, proven_at: provenAt } = row ?? {}
  if (row === undefined || credential_id == null || last_used_at == null || created_at == null)
    throw errors.token_invalid()
  return authenticatedRequest(authenticator, row, origin, (groups, address, settings) => {
    if (isSessionOver({ last_used_at, created_at }, settings)) throw errors.token_invalid()
    if (row.disabled_text !== '') throw errors.account_disabled({ reason: 'ask the administrator.' })
    if (row.address !== null && row.address !== address) throw errors.token_invalid()
    authenticator.usage.noteToken(credential_id, last_used_at, address)
    return callerFrom(authenticator, groups, row, { source: 'token', ...UNLIMITED, provenAt: provenAt ?? '' })
  })
}

const accountOf = statement<{ loginKey: string }>()((q, p, d) =>
  q
    .selectFrom('state_versions')
    .leftJoin('users', (join) => join.on('users.login_key', '=', p.loginKey))
    .select(VERSION_COLUMNS)
    .select([
      'users.id',
      'users.login',
      'users.real_name',
      'users.disabled_text',
      'users.last_seen_on',
      'users.joined_at',
      'users.password_hash',
    ])
    .select(d.jsonListOf(MEMBER_GROUPS).as('group_ids')),
)

async function byPassword(
  authenticator: Authenticator,
  login: string,
  password: string,
  origin: RequestOrigin,
  countedAs: string | undefined,
): Promise<AuthenticatedRequest> {
  const loginKey = fold(login.trim())
  const row = await authenticator.db.first(accountOf, { loginKey })
  if (!row) throw new Error('The row of state_versions is missing')
  return authenticatedRequest(authenticator, row, origin, async (groups, address, settings) => {
    const attempt = { loginKey: shortKey(loginKey), address: countedAs ?? networkOf(address) }
    await authenticator.passwords.requireRight(attempt, password, row.password_hash, () =>
      authenticator.rateLimit.requireRoom(address, settings),
    )
    if (row.disabled_text) throw errors.account_disabled({ reason: row.disabled_text })
    return callerFrom(authenticator, groups, row, { source: 'password', ...UNLIMITED })
  })
}

/**
 * A login name has at most 127 characters. An attempt with a longer one is counted, but its name is not stored whole.
 */
function shortKey(loginKey: string) {
  return loginKey.length <= 127 ? loginKey : digest(loginKey)
}

interface OwnerRow {
  id: number | null
  login: string | null
  real_name: string | null
  last_seen_on: string | null
  joined_at: string | null
  group_ids: string
}

/** What the credential allows: its kind, scopes and expiry. */
type CredentialFacts = Pick<Caller, 'source' | 'scopes' | 'expiresAt' | 'keyId' | 'provenAt'>

const UNLIMITED = { scopes: EVERY_SCOPE, expiresAt: null, keyId: null, provenAt: null }

function callerFrom(authenticator: Authenticator, graph: GroupGraph, row: OwnerRow, means: CredentialFacts): Caller {
  if (row.id === null) throw errors.wrong_credentials()
  authenticator.usage.notePerson(row.id, row.last_seen_on)
  const known = callers.get(row)
  if (known) return known
  const groups = graph.membership(JSON.parse(row.group_ids) as number[])
  const { id, joined_at: joinedAt } = row
  const caller = { id, login: row.login ?? '', realName: row.real_name ?? '', groups, joinedAt, ...means }
  callers.set(row, caller)
  return caller
}

/** The callers made of cached rows (see Db.firstCached), so that a row is turned into a caller only once. */
const callers = new WeakMap<OwnerRow, Caller>()

function isPast(moment: string | null) {
  return moment !== null && moment <= secondsAgo(0)
}
