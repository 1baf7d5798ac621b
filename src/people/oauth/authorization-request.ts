import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { findClient, type OAuthClient } from './clients/client-store.ts'
import { isOwnAddress, isRegistered, withAnswer } from './clients/redirect-uri.ts'
import type { OAuthErrorName } from './oauth-error.ts'
import { isServed, issuerOf, type Resource, resourceAt } from './resources.ts'
import { type OfferedScopes, offeredScopes } from './scopes.ts'

/** What a program sends with the browser of a user. All of it comes from an address that anybody can write. */
export interface AuthorizationParams {
  client_id: string | undefined
  redirect_uri: string | undefined
  response_type: string | undefined
  code_challenge: string | undefined
  code_challenge_method: string | undefined
  scope: string | undefined
  state: string | undefined
  resource: string | undefined
}

/** A request to which the user can say yes or no. */
export interface AuthorizationRequest extends OfferedScopes {
  client: OAuthClient
  redirectUri: string
  challenge: string
  resource: Resource
  /** The address at which the program gets this answer. */
  answer(values: Readonly<Record<string, string | undefined>>): string
}

/** A request that is wrong, of a client that is known, so that the program can get the error. */
interface WrongRequest {
  client: OAuthClient
  redirectUri: string
  error: OAuthErrorName
  description: string
  /** The address at which the program learns of it. */
  url: string
}

/**
 * Checks a request. Throws if it is not known who sent it and where the answer may go: then nothing is sent anywhere. What else is wrong is
 * returned, and sent to the program if the user follows the link: an unknown program must not lead browsers on by itself.
 */
export async function readAuthorization(
  db: Db,
  settings: Settings,
  baseUrl: string,
  params: AuthorizationParams,
): Promise<AuthorizationRequest | WrongRequest> {
  const client = await findClient(db, params.client_id ?? '')
  if (client === undefined) throw errors.oauth_client_unknown()
  const { redirect_uri: redirectUri = '', state } = params
  if (!isRegistered(redirectUri, client.redirectUris) || isOwnAddress(redirectUri, baseUrl))
    throw errors.oauth_redirect_unknown()
  const answer = (values: Readonly<Record<string, string | undefined>>) =>
    withAnswer(redirectUri, { ...values, state, iss: issuerOf(baseUrl) })
  const wrong = (error: OAuthErrorName, description: string): WrongRequest => ({
    ...{ client, redirectUri, error, description },
    url: answer({ error, error_description: description }),
  })
  if (params.response_type !== 'code') return wrong('unsupported_response_type', 'The response_type must be code.')
  if (params.code_challenge === undefined || params.code_challenge_method !== 'S256')
    return wrong('invalid_request', 'PKCE is required: a code_challenge with the code_challenge_method S256.')
  if (!/^[\w-]{43}$/.test(params.code_challenge))
    return wrong('invalid_request', 'The code_challenge must be a SHA-256 in base64url: 43 characters.')
  const resource = resourceAt(params.resource, baseUrl)
  if (resource === undefined || !isServed(resource, settings))
    return wrong('invalid_target', 'The resource is not one of this server.')
  const scopes = offeredScopes(params.scope)
  if (scopes === undefined) return wrong('invalid_scope', 'None of the scopes can be given.')
  return { client, redirectUri, challenge: params.code_challenge, resource, ...scopes, answer }
}

export function isWrong(request: AuthorizationRequest | WrongRequest): request is WrongRequest {
  return 'error' in request
}
