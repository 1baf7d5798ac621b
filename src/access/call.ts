import type { TSchema } from '@sinclair/typebox'
import type { Method, Call as PlatformCall, CallContext as PlatformCallContext } from '../platform/wire/call.ts'
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

/** What a client must know of a call. It exists only as a type: client/ is derived from it. */
export interface CallType<Verb extends Method, Path extends string, Params, Answers extends TSchema, Unknown> {
  method: Verb
  path: Path
  params: Params
  answers: Answers
  unknownParams: Unknown
}

/** Keeps the types of what a client must know, and infers those of the parameters where a call is defined. */
export function call<
  const Verb extends Method,
  const Path extends string,
  Params extends Shape,
  Answers extends TSchema,
  Ahead,
  const Unknown extends Call['unknownParams'] = undefined,
>(
  definition: PlatformCall<CallerContext, Params, Ahead> & {
    method: Verb
    path: Path
    answers: Answers
    unknownParams?: Unknown
  },
): Call & { readonly type?: CallType<Verb, Path, Params, Answers, Unknown> } {
  return definition as unknown as Call
}
