import type { Db } from '../platform/database/db.ts'
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

/**
 * To be called in a transaction of the kind `accounts` that makes something which acts or listens for the caller: the
 * key or session may have been ended since the request began, together with everything that was made with it.
 */
export async function requireLiveCredential(
  tx: Db,
  { caller, credentials }: Pick<CallContext, 'caller' | 'credentials'>,
) {
  if (caller.keyId !== null && (await tx.first(liveKey, { id: caller.keyId })) === undefined)
    throw errors.api_key_invalid()
  if (caller.source !== 'token' || credentials.token === undefined) return
  if ((await tx.first(liveToken, { digest: digest(credentials.token) })) === undefined) throw errors.token_invalid()
}
