import { errors } from '../platform/errors.ts'
import type { Scope } from '../platform/wire/call.ts'
import type { Membership } from './visibility/group-graph.ts'

/** Whoever makes a request. */
export interface Caller {
  readonly id: number | null
  readonly login: string
  readonly realName: string
  readonly groups: Membership
  /** What the key in use may be used for; everything for those who come with a password or a token. */
  readonly scopes: ReadonlySet<Scope>
  /** When the key in use ends; null when it does not, and for those who come with a password or a token. */
  readonly expiresAt: string | null
  readonly source: 'api_key' | 'token' | 'password' | null
  /** Id of the API key in use; null for those who come with a password or a token. */
  readonly keyId: number | null
}

export interface SignedIn extends Caller {
  readonly id: number
}

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
 * A password has every scope and no end, and so has a session that is opened with it: only credentials that have the same may set one.
 * Otherwise a limited key could make itself an unlimited credential.
 */
export function requireMaySetPasswords({ scopes, expiresAt }: Caller) {
  const missing = [...EVERY_SCOPE].find((scope) => !scopes.has(scope))
  if (missing !== undefined)
    throw errors.not_allowed({ need: `this API key lacks the scope ${missing}, which a password would have` })
  if (expiresAt !== null)
    throw errors.not_allowed({ need: `this API key ends at ${expiresAt}, and a password would not` })
}

/** Throws 410 for a stranger and 304 for someone who is in none of the groups. */
export function requireGroup(caller: Caller, ...groups: string[]): SignedIn {
  const signedIn = requireLogin(caller)
  if (!groups.some((group) => isIn(signedIn, group)))
    throw errors.not_allowed({ need: `it needs membership in ${groups.join(' or ')}` })
  return signedIn
}
