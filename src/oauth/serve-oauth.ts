import { authenticate } from '../access/authentication/authenticate.ts'
import type { AuthenticatedRequest } from '../access/authentication/authenticated-request.ts'
import type { OpenRequest } from '../access/open-request.ts'
import { findClient, type OAuthClient } from '../people/oauth/clients/client-store.ts'
import { registerClient } from '../people/oauth/clients/register-client.ts'
import { exchangeCode, refreshGrant, revokeToken } from '../people/oauth/grants/token-requests.ts'
import { OAuthError } from '../people/oauth/oauth-error.ts'
import { errors } from '../platform/errors.ts'
import { digest } from '../platform/secrets/secrets.ts'
import { type Answer, COMMON_HEADERS, isApiError } from '../platform/wire/http/answer.ts'
import type { HttpServer, Request } from '../platform/wire/http/http-server.ts'
import { isUrlEncoded, readBody, readBytes } from '../platform/wire/http/read-body.ts'
import { originOf } from '../serving/authenticate-call.ts'
import { servePage } from '../serving/server-pages.ts'
import type { Service } from '../serving/service.ts'
import { type ClientCredentials, clientCredentialsIn } from './client-credentials.ts'
import { type FormFields, formIn } from './form.ts'
import { serveMetadata } from './serve-metadata.ts'

const MOST_BYTES = 16 * 1024
const LIMIT = { bytes: MOST_BYTES, refusal: () => errors.body_too_large({ limit: MOST_BYTES }) }

/**
 * What programs use to get and renew access (OAuth 2.1): these are not calls of the REST API, because the standards say what their requests
 * and errors look like. Cookies and keys do not count here, and every request is one of its network.
 */
export function serveOAuth(service: Service, http: HttpServer) {
  serveMetadata(service, http)
  const serve = (path: string, work: (request: Request, known: AuthenticatedRequest) => Promise<Answer>) =>
    servePage(service, http, path, (request, opened) => answered(service, request, opened, work), 'POST')
  const { db } = service.authenticator
  serve('/oauth/register', async ({ raw }, { settings, address }) => {
    const metadata = (await readBody(raw, LIMIT)) ?? {}
    return json(201, await registerClient(db, settings, address, metadata))
  })
  serve('/oauth/token', async (request, { settings }) => {
    const fields = await formOf(request)
    const client = await provenClient(service, request, fields)
    const context = { db, settings, baseUrl: service.baseUrl(), client }
    const grantType = fields.grant_type
    if (grantType === 'authorization_code') return json(200, await exchangeCode(context, fields))
    if (grantType === 'refresh_token') return json(200, await refreshGrant(context, fields))
    throw new OAuthError(
      grantType === undefined ? 'invalid_request' : 'unsupported_grant_type',
      'The grant_type must be authorization_code or refresh_token.',
    )
  })
  serve('/oauth/revoke', async (request) => {
    const fields = await formOf(request)
    await revokeToken({ db, client: await provenClient(service, request, fields) }, fields)
    return json(200, {})
  })
}

/** Counts the request, and answers errors in the form of OAuth. */
async function answered(
  service: Service,
  request: Request,
  opened: OpenRequest,
  work: (request: Request, known: AuthenticatedRequest) => Promise<Answer>,
): Promise<Answer> {
  try {
    const known = await authenticate(service.authenticator, {}, originOf(request))
    opened.address = known.address
    service.authenticator.rateLimit.count({ id: null, address: known.address }, known.settings)
    return await work(request, known)
  } catch (fault) {
    if (fault instanceof OAuthError) return refused(fault, request)
    if (!isApiError(fault) || fault.status >= 500) throw fault
    const error = fault.status === 429 ? 'temporarily_unavailable' : 'invalid_request'
    const it = json(fault.status, { error, error_description: fault.message })
    Object.assign(it.headers, fault.headers)
    return it
  }
}

function refused({ error, message, status }: OAuthError, request: Request): Answer {
  const it = json(status, { error, error_description: message })
  if (status === 401 && request.headers.authorization !== undefined)
    it.headers['WWW-Authenticate'] = 'Basic realm="Lacewing"'
  return it
}

function json(status: number, value: unknown): Answer {
  return {
    status,
    headers: {
      ...COMMON_HEADERS,
      'Content-Type': 'application/json; charset=UTF-8',
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
    },
    body: JSON.stringify(value),
  }
}

async function formOf({ raw }: Request): Promise<FormFields> {
  if (!isUrlEncoded(raw))
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.', 415)
  return formIn((await readBytes(raw, MOST_BYTES)).toString('utf8'))
}

/** The client that sends a request, which proves who it is in the way that it was registered with. */
async function provenClient(service: Service, request: Request, fields: FormFields): Promise<OAuthClient> {
  const shown = clientCredentialsIn(request.headers.authorization, fields)
  const client = await findClient(service.authenticator.db, shown.id)
  if (client === undefined || !isProven(client, shown))
    throw new OAuthError('invalid_client', 'The client is unknown, or has not proven who it is.')
  return client
}

function isProven({ authMethod, secretDigest }: OAuthClient, { method, secret }: ClientCredentials): boolean {
  if (method !== authMethod) return false
  return authMethod === 'none' || (secret !== undefined && digest(secret) === secretDigest)
}
