import { isLoopback, networkOf } from '../../../access/authentication/real-address.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { digest, randomWord } from '../../../platform/secrets/secrets.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import { OAuthError } from '../oauth-error.ts'
import { cleanName } from './client-name.ts'
import { type AuthMethod, countClientsOfLastDay, forgetClients, insertClient } from './client-store.ts'
import { faultInRedirectUris } from './redirect-uri.ts'

/** How many clients one network may register in a day. Loopback is never limited. */
const MOST_OF_NETWORK = 30
const KEY_LENGTH = 32
const SECRET_LENGTH = 48

const AUTH_METHODS: readonly string[] = ['none', 'client_secret_basic', 'client_secret_post'] satisfies AuthMethod[]

export { AUTH_METHODS }

/** A client as it is answered, in the words of RFC 7591. */
export interface RegisteredClient {
  client_id: string
  client_id_issued_at: number
  client_name: string
  redirect_uris: readonly string[]
  token_endpoint_auth_method: string
  grant_types: readonly string[]
  response_types: readonly string[]
  client_secret?: string
  /** 0: it does not expire. */
  client_secret_expires_at?: number
}

/** Registers a program that asks for it, without knowing who it is. What else it says of itself is ignored, and no address in it is read. */
export async function registerClient(
  db: Db,
  settings: Settings,
  address: string,
  metadata: Readonly<Record<string, unknown>>,
): Promise<RegisteredClient> {
  if (!settings.oauth_registration)
    throw new OAuthError('invalid_request', 'Programs cannot register here: ask an administrator for a client.', 403)
  const { made, ...client } = newClient(metadata)
  const network = networkOf(address)
  await db.transaction(async (tx) => {
    await forgetClients(tx, 1)
    if (!isLoopback(address) && (await countClientsOfLastDay(tx, network)) >= MOST_OF_NETWORK)
      throw new OAuthError('temporarily_unavailable', 'Too many programs were registered from your network today.', 429)
    await insertClient(tx, { ...client, network, isByHand: false })
  }, 'accounts')
  return made
}

/** Checks what a client says of itself, and gives it a name and, if it wants one, a secret. */
export function newClient(metadata: Readonly<Record<string, unknown>>) {
  const { redirect_uris: redirectUris, token_endpoint_auth_method: method = 'client_secret_basic' } = metadata
  const fault = faultInRedirectUris(redirectUris)
  if (fault !== undefined) throw new OAuthError('invalid_redirect_uri', `redirect_uris: ${fault}.`)
  if (typeof method !== 'string' || !AUTH_METHODS.includes(method))
    throw metadataFault(`token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}`)
  requireAmong(metadata, 'response_types', ['code'], 'code')
  requireAmong(metadata, 'grant_types', ['authorization_code', 'refresh_token'], 'authorization_code')
  const authMethod = method as AuthMethod
  const key = randomWord(KEY_LENGTH)
  const secret = authMethod === 'none' ? undefined : randomWord(SECRET_LENGTH)
  const name = cleanName(metadata.client_name)
  const uris = redirectUris as string[]
  const made: RegisteredClient = {
    client_id: key,
    client_id_issued_at: Math.floor(Date.parse(timeNow()) / 1000),
    client_name: name,
    redirect_uris: uris,
    token_endpoint_auth_method: authMethod,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
  }
  const secretDigest = secret === undefined ? null : digest(secret)
  return { key, name, redirectUris: uris, authMethod, secretDigest, made }
}

/** A list in the metadata may be missing. If it is there, what this server needs must be in it; what it does not know is ignored. */
function requireAmong(metadata: Readonly<Record<string, unknown>>, name: string, known: string[], needed: string) {
  const { [name]: list } = metadata
  if (list === undefined) return
  if (!Array.isArray(list) || !list.includes(needed))
    throw metadataFault(`${name} must be a list with ${needed}; known here: ${known.join(', ')}`)
}

function metadataFault(why: string) {
  return new OAuthError('invalid_client_metadata', `${why}.`)
}
