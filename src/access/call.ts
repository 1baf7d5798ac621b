import type { Call as PlatformCall, CallContext as PlatformCallContext } from '../platform/wire/call.ts'
import type { Shape } from '../platform/wire/params.ts'
import type { Authenticator } from './authentication/authenticated-request.ts'
import type { Caller } from './caller.ts'
import type { Catalogue, StateVersions } from './installation.ts'
import type { GroupGraph } from './visibility/group-graph.ts'

/** The caller, with the groups and the catalogue as they are at the time of the request. */
export interface CallerContext {
  caller: Caller
  groups: GroupGraph
  catalogue: Catalogue
  /** The versions of the configuration that these were read from; see write-bugs.ts. */
  versions: StateVersions
  authenticator: Authenticator
}

/** A call as the layers above define it; see platform/wire/call.ts. */
export type Call = PlatformCall<CallerContext>
export type CallContext<Params extends Shape = Shape> = PlatformCallContext<Params> & CallerContext

/** Infers the types of the parameters where a call is defined; the list of all calls does not need them. */
export function call<Params extends Shape, Ahead>(definition: PlatformCall<CallerContext, Params, Ahead>): Call {
  return definition as unknown as Call
}
