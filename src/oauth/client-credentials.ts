import type { AuthMethod } from '../people/oauth/clients/client-store.ts'
import { OAuthError } from '../people/oauth/oauth-error.ts'
import type { FormFields } from './form.ts'

export interface ClientCredentials {
  id: string
  secret: string | undefined
  method: AuthMethod
}

/** Who a client says that it is, in one of the three ways, not in two at once. */
export function clientCredentialsIn(
  authorization: string | undefined,
  { client_id: id, client_secret: secret }: FormFields,
): ClientCredentials {
  if (authorization !== undefined) {
    const basic = basicIn(authorization)
    if (basic === undefined || secret !== undefined || (id !== undefined && id !== basic.id)) throw unclear()
    return { ...basic, method: 'client_secret_basic' }
  }
  if (id === undefined) throw unclear()
  return { id, secret, method: secret === undefined ? 'none' : 'client_secret_post' }
}

/** RFC 6749, 2.3.1: both parts are encoded as in a form. */
function basicIn(authorization: string): { id: string; secret: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined) return undefined
  const [idIn, secretIn] = [decoded(id), decoded(secret)]
  return idIn === undefined || secretIn === undefined ? undefined : { id: idIn, secret: secretIn }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function unclear() {
  return new OAuthError('invalid_client', 'The client must say who it is, in one way.')
}
