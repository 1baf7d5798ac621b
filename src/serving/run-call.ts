import type { Call, CallContext } from '../access/call.ts'
import { type Caller, EVERY_SCOPE, isSignedIn } from '../access/caller.ts'
import { runOnce } from '../access/idempotency.ts'
import { wayOf } from '../access/scopes.ts'
import type { Proposed, ProposingPart } from '../platform/wire/call.ts'
import type { Request } from '../platform/wire/http/http-server.ts'

/** The result of a call, with the status if it is not the usual one of the call. */
export interface CallResult {
  value: unknown
  status?: number
}

const ACCEPTED = 202

/** Runs a call, or stores what it would do as a proposal. One that can be repeated runs once with an Idempotency-Key, however often it is sent. */
export function runCall(call: Call, context: CallContext, request: Request): CallResult | Promise<CallResult> {
  const { proposes } = call
  if (proposes !== undefined && wayOf(call, context.caller) === 'propose')
    return runParts(call, context, request, partsOf(proposes)).then(resultOfProposing)
  const result = runParts(call, context, request, call)
  return result instanceof Promise ? result.then(asResult) : { value: result }
}

function asResult(value: unknown): CallResult {
  return { value }
}

function resultOfProposing(result: unknown): CallResult {
  const { isStored, value } = result as Proposed
  return isStored ? { value, status: ACCEPTED } : { value }
}

type Parts = Pick<Call, 'ahead' | 'run'>

function partsOf({ draft, store }: ProposingPart<CallContext>) {
  return { ahead: draft, run: store } satisfies Parts
}

function runParts(call: Call, context: CallContext, request: Request, parts: Required<Parts>): Promise<unknown>
function runParts(call: Call, context: CallContext, request: Request, parts: Parts): unknown
function runParts(call: Call, context: CallContext, request: Request, parts: Parts): unknown {
  const key = request.headers['idempotency-key']
  if (call.idempotency === 'once' && typeof key === 'string' && isSignedIn(context.caller))
    return runCallOnce(call, context, parts, { userId: context.caller.id, key })
  return parts.ahead === undefined
    ? parts.run(context, undefined)
    : parts.ahead(context).then((it) => parts.run(context, it))
}

async function runCallOnce(
  call: Call,
  context: CallContext,
  parts: Parts,
  { userId, key }: { userId: number; key: string },
): Promise<unknown> {
  const content = [call.path, context.path, context.rawParams, ...limitsOf(context.caller)]
  let keepCatalogue = () => {}
  const { value, isRepeated } = await runOnce(
    context.db,
    { userId, key, content },
    {
      ahead: async () => parts.ahead?.(context),
      run: async (tx, ahead) => {
        const { catalogue, keep } = context.authenticator.installation.catalogueWithin(tx, context.versions)
        keepCatalogue = keep
        return parts.run({ ...context, db: tx, catalogue }, ahead)
      },
    },
  )
  keepCatalogue()
  if (isRepeated) context.answerHeaders['Idempotent-Replayed'] = 'true'
  return value
}

/** A stored response may contain a secret, so it is repeated only to credentials with the same limits. */
function limitsOf({ scopes, expiresAt }: Caller): unknown[] {
  const isLimited = expiresAt !== null || [...EVERY_SCOPE].some((scope) => !scopes.has(scope))
  return isLimited ? [[...scopes].sort(), expiresAt] : []
}
