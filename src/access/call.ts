import type { Asked as AskedOf, Call as CallOf } from '../platform/wire/call.ts'
import type { Shape } from '../platform/wire/params.ts'
import type { Doorkeeper } from './authenticate.ts'
import type { Caller } from './caller.ts'
import type { GroupGraph } from './group-graph.ts'
import type { Catalogue, StateVersions } from './installation.ts'

/** Who is asking, and how groups belong together and the catalogue stands at this moment. */
export interface Scene {
  caller: Caller
  groups: GroupGraph
  catalogue: Catalogue
  /** The state of the configuration that these were read from; see write-bugs.ts. */
  versions: StateVersions
  door: Doorkeeper
}

/** A call as the rooms above write it; see platform/wire/call.ts. */
export type Call = CallOf<Scene>
export type Asked<Params extends Shape = Shape> = AskedOf<Params> & Scene

/** Gives the parameters of a call their types, and forgets them again where all calls are listed. */
export function call<Params extends Shape, Ahead>(definition: CallOf<Scene, Params, Ahead>): Call {
  return definition as unknown as Call
}
