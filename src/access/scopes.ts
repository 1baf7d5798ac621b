import { errors } from '../platform/errors.ts'
import type { Scope } from '../platform/wire/call.ts'
import type { Call } from './call.ts'
import type { Caller } from './caller.ts'

/** Whether a credential with these scopes has this one. A key that may write may also propose, and withdraw what was proposed. */
export function hasScope(scopes: ReadonlySet<string>, scope: Scope): boolean {
  return scopes.has(scope) || (scope === 'propose' && scopes.has('write'))
}

/** Carrying out a call, or storing what it would do as a proposal. */
export type Way = 'run' | 'propose'

/** What a call does for the caller; undefined if it is refused. The only place that compares calls with scopes. */
export function wayOf({ scope, proposes }: Pick<Call, 'scope' | 'proposes'>, { scopes }: Caller): Way | undefined {
  if (hasScope(scopes, scope)) return 'run'
  return proposes !== undefined && hasScope(scopes, 'propose') ? 'propose' : undefined
}

export function requireScope(call: Pick<Call, 'scope' | 'proposes'>, caller: Caller) {
  if (wayOf(call, caller) !== undefined) return
  const hint = call.scope === 'write' && caller.scopes.has('propose') ? PROPOSES_ONLY : undefined
  throw errors.scope_required({ scope: call.scope, ...(hint !== undefined && { hint }) })
}

const PROPOSES_ONLY = '; with the scope propose it can propose only to file, change, comment on and attach to bugs'
