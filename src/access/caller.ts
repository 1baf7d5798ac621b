import { errors } from '../platform/errors.ts'
import type { Scope } from '../platform/wire/call.ts'
import type { Membership } from './visibility/group-graph.ts'

/** The user, or anonymous caller, who makes a request. */
export interface Caller {
  readonly id: number | null
  readonly login: string
  readonly realName: string
  readonly groups: Membership
  /** The scopes of the API key in use; all of them with a password or a token. */
  readonly scopes: ReadonlySet<Scope>
  /** When the API key in use expires; null if it does not, and with a password or a token. */
  readonly expiresAt: string | null
  readonly source: 'api_key' | 'token' | 'password' | null
  /** Id of the API key in use; null with a password or a token. */
  readonly keyId: number | null
  /** When the password of the session in use was last checked; null without a session. See recent-proof.ts. */
  readonly provenAt: string | null
  /** When the user created the account themselves; null for other accounts. */
  readonly joinedAt: string | null
  /** A second factor is required of the user, who has none: only calls that serve to add one are allowed. */
  readonly mustAddFactor: boolean
}

export interface SignedIn extends Caller {
  readonly id: number
}

/** Without `propose`, which `write` includes. */
export const EVERY_SCOPE: ReadonlySet<Scope> = new Set<Scope>(['read', 'write', 'admin'])

export const anonymous: Caller = {
  id: null,
  login: '',
  realName: '',
  groups: { ids: new Set(), names: new Set(), list: [] },
  scopes: EVERY_SCOPE,
  expiresAt: null,
  source: null,
  keyId: null,
  provenAt: null,
  joinedAt: null,
  mustAddFactor: false,
}

export function isSignedIn(caller: Caller): caller is SignedIn {
  return caller.id !== null
}

/** Whether the caller is in the group of that name, directly, by regexp or through another group. */
export function isIn(caller: Caller, group: string) {
  return caller.groups.names.has(group)
}

export function requireLogin(caller: Caller): SignedIn {
  if (!isSignedIn(caller)) throw errors.login_required()
  return caller
}

/**
 * What a change gives for good: a password, an address that links to log in are mailed to, an account, or a right. It has every scope and does not
 * expire, so that only credentials without limits may give it; otherwise the holder of a limited key could make an unlimited credential of it.
 */
export function requireUnlimited({ scopes, expiresAt }: Caller, action: string) {
  const missing = [...EVERY_SCOPE].find((scope) => !scopes.has(scope))
  if (missing !== undefined)
    throw errors.scope_required({ scope: missing, hint: `; only a credential with every scope may ${action}` })
  if (expiresAt !== null)
    throw errors.key_expires({ expires: expiresAt, hint: `; only a credential that does not expire may ${action}` })
}

/** Throws 410 for an anonymous caller and 304 for a user who is in none of the groups. */
export function requireGroup(caller: Caller, ...groups: string[]): SignedIn {
  const signedIn = requireLogin(caller)
  if (!groups.some((group) => isIn(signedIn, group))) throw errors.group_required({ groups })
  return signedIn
}
