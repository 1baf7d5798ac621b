import type { ServerResponse } from 'node:http'
import { siteNameIn } from '../../shared/look.ts'
import { scopesFor } from '../../shared/mcp/tool.ts'
import { toolNamed } from '../../shared/mcp/tools.ts'
import { authenticate } from '../access/authentication/authenticate.ts'
import type { AuthenticatedRequest } from '../access/authentication/authenticated-request.ts'
import { takeCredentials } from '../access/authentication/credentials.ts'
import type { Call } from '../access/call.ts'
import type { OpenRequest } from '../access/open-request.ts'
import { isServed, metadataAddress } from '../people/oauth/resources.ts'
import { SCOPES_SUPPORTED } from '../people/oauth/scopes.ts'
import { release } from '../platform/config/release.ts'
import { errors } from '../platform/errors.ts'
import { runAs } from '../platform/queues/current-caller.ts'
import {
  type Answer,
  COMMON_HEADERS,
  forOwnPages,
  isApiError,
  type ResponseFormat,
} from '../platform/wire/http/answer.ts'
import type { HttpServer, Request } from '../platform/wire/http/http-server.ts'
import { isJson, readBody } from '../platform/wire/http/read-body.ts'
import type { Routes } from '../platform/wire/http/routes.ts'
import type { RequestParams } from '../platform/wire/params.ts'
import { originOf } from '../serving/authenticate-call.ts'
import { openRequest, refusal, sendResponse } from '../serving/send-response.ts'
import type { Service } from '../serving/service.ts'
import { InnerTracker } from './inner-tracker.ts'
import { challenge, rpcError } from './rpc-errors.ts'

const PATH = '/mcp'
/** More than the calls of one tool add. */
const MOST_LISTENERS = 60

/**
 * The endpoint of MCP (streamable HTTP). Only a key in a header counts here: an access token of OAuth for it, or an API key; no cookie, no
 * password, nothing in the address. Each message is a request of its own.
 */
export function serveMcp(service: Service, http: HttpServer, routes: Routes<Call>) {
  const count = service.metrics.of('POST', PATH)
  http.on('POST', PATH, async (request, response) => {
    const opened = openRequest(service, request, PATH, response)
    response.setMaxListeners(MOST_LISTENERS)
    const answered = () => answerTo(service, routes, request, { response, opened })
    const it = await runAs(opened.client, answered).catch((fault) => faultAnswer(service, fault))
    sendResponse(service, count, opened, response, it)
  })
}

interface Arrived {
  response: ServerResponse
  opened: OpenRequest
}

async function answerTo(service: Service, routes: Routes<Call>, request: Request, arrived: Arrived): Promise<Answer> {
  const { opened } = arrived
  const known = await authenticate(service.authenticator, {}, originOf(request))
  opened.address = known.address
  if (!isServed('mcp', known.settings)) throw errors.no_such_resource({ method: 'POST', path: PATH })
  if (isOfOtherOrigin(service, request)) return rpcError(403, 'Requests of pages of other sites are not accepted.')
  const { apiKey } = takeCredentials({}, undefined, request.headers)
  const caller = apiKey === undefined ? undefined : await findCaller(service, request, apiKey, known)
  if (caller === undefined || apiKey === undefined) {
    service.authenticator.rateLimit.count({ id: null, address: known.address }, known.settings)
    return unauthorized(service, apiKey !== undefined)
  }
  opened.userId = caller.caller.id
  const who = { id: caller.caller.id, address: caller.address }
  service.authenticator.rateLimit.count(who, caller.settings)
  opened.limitHeaders = service.authenticator.rateLimit.headersFor(who, caller.settings)
  const body = await bodyOf(service, request)
  const { scopes } = caller.caller
  const missing = missingScopes(body, scopes)
  if (missing !== undefined) return insufficientScope(service, missing, body.id)
  // Streams are not served: without subscriptions there is nothing to listen to.
  if (body.method === 'subscriptions/listen') return rpcError(404, 'Method not found', { code: -32601, id: body.id })
  const outer = { request, response: arrived.response, apiKey, scopes }
  const tracker = new InnerTracker(service, routes, outer)
  const facts = {
    title: siteNameIn({ site_name: caller.settings.site_name }),
    version: release,
    report: (fault: unknown) => void refusal(service, fault, plainFormat(service)),
  }
  const { answerMessage } = await import('./run-mcp.ts')
  const signal = opened.readLimits.signal
  const answered = await answerMessage(tracker, facts, { headers: headersOf(request), body, signal })
  const it = await answerOf(answered)
  Object.assign(it.headers, opened.limitHeaders)
  return it
}

/** Browsers name the origin of the page that sends a request: only our own pages may, as MCP says, because of DNS rebinding. */
function isOfOtherOrigin(service: Service, { headers }: Request): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined) return origin !== new URL(service.baseUrl()).origin
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** Undefined if the key is not valid here. */
async function findCaller(
  service: Service,
  request: Request,
  apiKey: string,
  known: AuthenticatedRequest,
): Promise<AuthenticatedRequest | undefined> {
  try {
    return await authenticate(service.authenticator, { apiKey, resource: 'mcp' }, originOf(request))
  } catch (fault) {
    if (!isApiError(fault) || fault.status >= 500) throw fault
    // Wrong keys count as requests of their address, as in the REST API.
    service.authenticator.rateLimit.requireRoom(known.address, known.settings)
    return undefined
  }
}

async function bodyOf(service: Service, { raw }: Request): Promise<RequestParams> {
  const { bodyBytes } = service.limits
  if (!isJson(raw)) throw errors.not_json()
  return (await readBody(raw, { bytes: bodyBytes, refusal: () => errors.body_too_large({ limit: bodyBytes }) })) ?? {}
}

/** What a tool needs that the key lacks; undefined if it can be used, or if the message is about something else. */
function missingScopes({ method, params }: RequestParams, scopes: ReadonlySet<string>): readonly string[] | undefined {
  const needed =
    method === 'tools/call' && typeof params === 'object' && params !== null && 'name' in params
      ? toolNamed(params.name)
      : undefined
  const enough = needed === undefined ? undefined : scopesFor(needed)
  if (enough === undefined || enough.some((scope) => scopes.has(scope))) return undefined
  return enough.filter((scope) => SCOPES_SUPPORTED.includes(scope)).slice(0, 1)
}

function unauthorized(service: Service, wasSent: boolean): Answer {
  const it = rpcError(
    401,
    wasSent ? 'The access token or API key is not valid.' : 'Log in first: this needs an access token or an API key.',
  )
  it.headers['WWW-Authenticate'] = challenge(metadataAddress(service.baseUrl(), 'mcp'), {
    ...(wasSent && { error: 'invalid_token' }),
    scope: SCOPES_SUPPORTED.join(' '),
  })
  return it
}

function insufficientScope(service: Service, scopes: readonly string[], id: unknown): Answer {
  const it = rpcError(403, 'The access does not include this tool.', { id })
  it.headers['WWW-Authenticate'] = challenge(metadataAddress(service.baseUrl(), 'mcp'), {
    error: 'insufficient_scope',
    scope: ['read', ...scopes].join(' '),
  })
  return it
}

/** The headers that the protocol reads. */
const PASSED_ON = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']

function headersOf({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const { [name]: value } = headers
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

async function answerOf(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type')
  const headers = { ...COMMON_HEADERS, ...(type !== null && { 'Content-Type': type }) }
  return forOwnPages({ status: response.status, headers, body: await response.text() })
}

/** Errors of the server in the form of the protocol. */
function faultAnswer(service: Service, fault: unknown): Answer {
  const { status, headers, body } = refusal(service, fault, plainFormat(service))
  const { message } = JSON.parse(String(body)) as { message: string }
  const it = rpcError(status, message, { code: status === 400 ? PARSE_ERROR : SERVER_ERROR })
  for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy']) {
    const { [name]: value } = headers
    if (value !== undefined) it.headers[name] = value
  }
  return it
}

const PARSE_ERROR = -32700
const SERVER_ERROR = -32000

function plainFormat({ root }: Service): ResponseFormat {
  return { form: 'json', callback: undefined, title: '', root }
}
