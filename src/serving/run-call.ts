import type { Call, CallContext } from '../access/call.ts'
import { type Caller, EVERY_SCOPE, isSignedIn } from '../access/caller.ts'
import { runOnce } from '../access/idempotency.ts'
import type { Request } from '../platform/wire/http/http-server.ts'

/** Runs a call. One that can be repeated runs once with an Idempotency-Key, however often it is sent. */
export function runCall(call: Call, context: CallContext, request: Request): unknown {
  const key = request.headers['idempotency-key']
  if (call.idempotency === 'once' && typeof key === 'string' && isSignedIn(context.caller))
    return runCallOnce(call, context, context.caller.id, key)
  return call.ahead === undefined
    ? call.run(context, undefined)
    : call.ahead(context).then((it) => call.run(context, it))
}

async function runCallOnce(call: Call, context: CallContext, userId: number, key: string): Promise<unknown> {
  const content = [call.path, context.path, context.rawParams, ...limitsOf(context.caller)]
  let keepCatalogue = () => {}
  const { value, isRepeated } = await runOnce(
    context.db,
    { userId, key, content },
    {
      ahead: async () => call.ahead?.(context),
      run: async (tx, ahead) => {
        const { catalogue, keep } = context.authenticator.installation.catalogueWithin(tx, context.versions)
        keepCatalogue = keep
        return call.run({ ...context, db: tx, catalogue }, ahead)
      },
    },
  )
  keepCatalogue()
  if (isRepeated) context.answerHeaders['Idempotent-Replayed'] = 'true'
  return value
}

/** A stored response may contain a secret, so it is repeated only to credentials with the same limits. */
function limitsOf({ scopes, expiresAt }: Caller): unknown[] {
  const isLimited = expiresAt !== null || scopes.size < EVERY_SCOPE.size
  return isLimited ? [[...scopes].sort(), expiresAt] : []
}
