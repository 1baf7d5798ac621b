import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { withLiveCredential } from '../../../access/live-credential.ts'
import { errors } from '../../../platform/errors.ts'
import { requireRoomForKey } from '../../own-limits.ts'
import { lockEnabledUser } from '../../users/user-store.ts'
import type { AuthorizationRequest } from '../authorization-request.ts'
import { findClient } from '../clients/client-store.ts'
import { GRANTS, storedScopes } from '../scopes.ts'
import { insertCode } from './code-store.ts'

/** Returns the code that the program exchanges for its access. A session that ends meanwhile gives nothing. */
export async function allowAccess(
  context: Pick<CallContext, 'db' | 'caller' | 'credentials'>,
  { client, redirectUri, challenge, resource, offered }: AuthorizationRequest,
  chosen: string | undefined,
): Promise<string> {
  const { id: userId } = requireLogin(context.caller)
  const scope = offered.find((it) => it === chosen)
  const scopes = scope === undefined ? undefined : storedScopes(scope)
  if (scopes === undefined) throw errors.bad_value({ name: 'chosen_scope', value: chosen ?? '', right: rightScope() })
  return withLiveCredential(context, 'accounts', async (tx) => {
    await lockEnabledUser(tx, userId)
    await requireRoomForKey(tx, userId)
    // It may have been ended since the request was read.
    if ((await findClient(tx, client.key))?.id !== client.id) throw errors.oauth_client_unknown()
    return insertCode(tx, { clientId: client.id, userId, redirectUri, challenge, resource, scopes })
  })
}

function rightScope() {
  return `it must be one of those that are offered, of ${GRANTS.map(({ scope }) => scope).join(', ')}`
}
