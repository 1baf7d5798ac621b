import { sql } from 'kysely'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { type Caller, EVERY_SCOPE } from '../caller.ts'
import { type Catalogue, type Installation, noteOldestWriter, type StateVersions } from '../installation.ts'
import type { Usage } from '../usage.ts'
import type { GroupGraph } from '../visibility/group-graph.ts'
import type { KnownCallers } from './known-callers.ts'
import type { PasswordCheck } from './password-check.ts'
import type { RateLimit } from './rate-limit.ts'
import { realAddress } from './real-address.ts'

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

/** Completes a request whose credential was looked up: `callerIn` checks it and returns the caller. */
export async function authenticatedRequest(
  authenticator: Authenticator,
  versions: StateVersions,
  origin: RequestOrigin,
  callerIn: (groups: GroupGraph, address: string, settings: Settings) => Caller | Promise<Caller>,
): Promise<AuthenticatedRequest> {
  noteOldestWriter(authenticator.db, versions)
  const settings = await authenticator.installation.settingsAt(versions)
  const groups = await authenticator.installation.groupsAt(versions)
  const catalogue = authenticator.installation.catalogueAt(versions)
  const address = realAddress(origin.peer, origin.forwardedFor, settings.inbound_proxies)
  return { settings, groups, catalogue, versions, address, caller: await callerIn(groups, address, settings) }
}

/** The columns of `users` that a caller is made from. */
export const ACCOUNT_COLUMNS = [
  'users.id',
  'users.login',
  'users.real_name',
  'users.disabled_text',
  'users.last_seen_on',
  'users.joined_at',
] as const

/** Ids of the groups that the user of a table `users` is directly in. */
export const MEMBER_GROUPS = sql`select group_id as value from user_group_grants where user_id = users.id and "right" = 'member'`

interface OwnerRow {
  id: number | null
  login: string | null
  real_name: string | null
  last_seen_on: string | null
  joined_at: string | null
  group_ids: string
}

/** What the credential allows: its kind, scopes and expiry. */
type CredentialFacts = Pick<Caller, 'source' | 'scopes' | 'expiresAt' | 'keyId' | 'provenAt' | 'mustAddFactor'>

export const UNLIMITED = { scopes: EVERY_SCOPE, expiresAt: null, keyId: null, provenAt: null, mustAddFactor: false }

/** The caller that a row of a credential and its owner stands for. Throws 300 if there is no such account. */
export function callerFrom(
  authenticator: Authenticator,
  graph: GroupGraph,
  row: OwnerRow,
  means: CredentialFacts,
): Caller {
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
