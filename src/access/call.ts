import type { CallContext as AskedOf, Call as CallOf } from '../platform/wire/call.ts'
import type { Shape } from '../platform/wire/params.ts'
import type { Authenticator } from './authentication/authenticate.ts'
import type { Caller } from './caller.ts'
import type { Catalogue, StateVersions } from './installation.ts'
import type { GroupGraph } from './visibility/group-graph.ts'

/** Who is asking, and how groups belong together and the catalogue stands at this moment. */
export interface CallerContext {
  caller: Caller
  groups: GroupGraph
  catalogue: Catalogue
  /** The state of the configuration that these were read from; see write-bugs.ts. */
  versions: StateVersions
  authenticator: Authenticator
}

/** A call as the rooms above write it; see platform/wire/call.ts. */
export type Call = CallOf<CallerContext>
export type CallContext<Params extends Shape = Shape> = AskedOf<Params> & CallerContext

/** Gives the parameters of a call their types, and forgets them again where all calls are listed. */
export function call<Params extends Shape, Ahead>(definition: CallOf<CallerContext, Params, Ahead>): Call {
  return definition as unknown as Call
}
