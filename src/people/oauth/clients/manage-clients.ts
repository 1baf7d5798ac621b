import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { withLiveCredential } from '../../../access/live-credential.ts'
import { recordAudit, recordCreation, recordRemoval } from '../../../changes/audit.ts'
import { errors } from '../../../platform/errors.ts'
import { idIn } from '../../../platform/wire/reference.ts'
import { endedInWords } from '../../credentials/end-credentials.ts'
import { endClient } from '../grants/end-grant.ts'
import { OAuthError } from '../oauth-error.ts'
import { findClientById, insertClient } from './client-store.ts'
import { newClient } from './register-client.ts'

type ManagingContext = Pick<CallContext, 'db' | 'caller' | 'credentials'>

interface WantedClient {
  name: string
  redirect_uris: string[]
  auth_method: string | undefined
}

/** Adds a client for a program that cannot, or may not, register itself. */
export async function addClient(context: ManagingContext, { name, redirect_uris, auth_method = 'none' }: WantedClient) {
  const who = requireLogin(context.caller).id
  const { made, ...client } = checked({
    client_name: name,
    redirect_uris,
    token_endpoint_auth_method: auth_method,
  })
  return withLiveCredential(context, 'accounts', async (tx) => {
    const id = await insertClient(tx, { ...client, network: '', isByHand: true })
    await recordCreation(tx, { who, class: 'OAuthClient', objectId: id }, client.name)
    const { client_id, client_secret } = made
    return { id, client_id, ...(client_secret !== undefined && { client_secret }) }
  })
}

/** The errors of OAuth as those of a call. */
function checked(metadata: Readonly<Record<string, unknown>>) {
  try {
    return newClient(metadata)
  } catch (fault) {
    if (!(fault instanceof OAuthError)) throw fault
    const [name, parameter] =
      fault.error === 'invalid_redirect_uri'
        ? ['redirect_uris', metadata.redirect_uris]
        : ['auth_method', metadata.token_endpoint_auth_method]
    throw errors.bad_value({ name: String(name), value: parameter, right: fault.message.replace(/^.*?: |\.$/g, '') })
  }
}

/** Ends a client with all access that users have given it. */
export async function removeClient(context: ManagingContext, ref: string): Promise<{ id: number; name: string }> {
  const who = requireLogin(context.caller).id
  return withLiveCredential(context, 'accounts', async (tx) => {
    const client = await findClientById(tx, idIn(ref) ?? 0)
    if (client === undefined) throw errors.no_such_object({ what: 'program', ref })
    const ended = endedInWords(await endClient(tx, client.id))
    const audited = { who, class: 'OAuthClient', objectId: client.id } as const
    await recordRemoval(tx, audited, client.name)
    await recordAudit(tx, audited, { credentials: { removed: ended, added: '' } })
    return { id: client.id, name: client.name }
  })
}
