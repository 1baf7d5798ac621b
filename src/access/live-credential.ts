import type { Db, TransactionOf } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'
import { digest } from '../platform/secrets/secrets.ts'
import type { CallContext } from './call.ts'

const liveKey = statement<{ id: number }>()((q, p) =>
  q.selectFrom('api_keys').select('id').where('id', '=', p.id).where('revoked_at', 'is', null),
)
const liveToken = statement<{ digest: string }>()((q, p) =>
  q.selectFrom('login_tokens').select('id').where('digest', '=', p.digest),
)

/** To be called when a key or session ends. Clients that listen to the feed are asked again who they are, in every process. */
export async function noteCredentialsEnded(db: Db) {
  await db.signalEverywhere('events')
}

/**
 * To be called in a transaction of the kind `accounts` or `configuration` that makes something which acts or listens for the caller: the
 * key or session may have been ended since the request began, together with everything that was made with it.
 */
export async function requireLiveCredential(
  tx: Db,
  { caller, credentials }: Pick<CallContext, 'caller' | 'credentials'>,
) {
  if (caller.keyId !== null && (await tx.first(liveKey, { id: caller.keyId })) === undefined)
    throw errors.api_key_invalid()
  if (caller.source !== 'token') return
  if ((await tx.first(liveToken, { digest: digest(credentials.token ?? '') })) === undefined)
    throw errors.token_invalid()
}

/**
 * Opens the transaction of a change that gives something for good, such as a right or an account: a key that is revoked meanwhile no
 * longer gives it.
 */
export function withLiveCredential<Result, Kind extends 'accounts' | 'configuration'>(
  context: Pick<CallContext, 'db' | 'caller' | 'credentials'>,
  kind: Kind,
  work: (tx: TransactionOf<Kind>) => Promise<Result>,
): Promise<Result> {
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    return work(tx)
  }, kind)
}
