import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import {
  type AuthenticatedRequest,
  type Authenticator,
  authenticate,
  type RequestOrigin,
} from './access/authentication/authenticate.ts'
import { takeCredentials } from './access/authentication/credentials.ts'
import { isFromOwnPage, type SessionCookie, tokenInCookie } from './access/authentication/session-cookie.ts'
import type { Call, CallContext } from './access/call.ts'
import { type Caller, EVERY_SCOPE, isSignedIn } from './access/caller.ts'
import { runOnce } from './access/idempotency.ts'
import { readVersions } from './access/installation.ts'
import { OpenRequest } from './access/open-request.ts'
import type { Config } from './platform/config/config.ts'
import type { Contents } from './platform/contents/contents.ts'
import { type ApiError, errors } from './platform/errors.ts'
import type { Log } from './platform/monitoring/log.ts'
import type { Metrics, RequestCount } from './platform/monitoring/metrics.ts'
import { reasonOf } from './platform/monitoring/outage.ts'
import { stackOf } from './platform/monitoring/uncaught.ts'
import type { ServerParts } from './platform/server-parts.ts'
import type { Credentials } from './platform/wire/call.ts'
import { selectionOf } from './platform/wire/field-selection.ts'
import {
  type Answer,
  answer,
  errorBody,
  etagOf,
  isApiError,
  isKnownTo,
  type ResponseFormat,
  requireCallback,
  responseFormatOf,
} from './platform/wire/http/answer.ts'
import type { Request, Serve } from './platform/wire/http/http-server.ts'
import { formFor } from './platform/wire/http/negotiate.ts'
import { type BodyLimit, isJson, lengthOf, readBody } from './platform/wire/http/read-body.ts'
import { mergeParams, requireStorable } from './platform/wire/merge-params.ts'
import { type RequestParams, readParams } from './platform/wire/params.ts'

/** What every call needs to be served. */
export interface Service {
  door: Authenticator
  contents: Contents
  serverParts: ServerParts
  log: Log
  metrics: Metrics
  baseUrl: () => string
  /** The cookie of the pages. */
  sessionCookie: () => SessionCookie
  /** The path of the base address. */
  root: string
  limits: Config['limits']
}

/** Serves one call: everything that is common to all calls happens here, in this order. */
export function handlerOf(service: Service, call: Call): Serve {
  const count = service.metrics.of(call.method, call.path)
  const path = `/rest${call.path}`
  return async (request, response) => {
    const visit = openRequest(request, path, response)
    const it = await answerTo(service, call, request, visit)
    deliver(service, count, visit, response, it)
  }
}

export function openRequest(request: Request, path: string | null, response: ServerResponse): OpenRequest {
  return new OpenRequest(request.method, path, request.peer, response)
}

/** Sends a response, counts it, and writes the log line of the request. */
export function deliver(
  service: Service,
  count: RequestCount,
  visit: OpenRequest,
  response: ServerResponse,
  it: Answer,
) {
  const size = it.file === undefined ? Buffer.byteLength(it.body) : it.file.size
  if (it.status !== NOT_MODIFIED && size !== undefined) it.headers['Content-Length'] = String(size)
  response.writeHead(it.status, it.headers)
  tell(service, count, visit, visit.started, it)
  // If every character is one byte, Latin-1 is the same and faster to write.
  if (it.stream === undefined) response.end(it.body, size === it.body.length ? 'latin1' : 'utf8')
  else pipeline(it.stream, response).catch((fault) => noteCutShort(service, visit, fault))
}

/**
 * The status was already sent, so the client only notices the closed connection. Usually the client has disconnected.
 */
function noteCutShort({ log }: Service, { method, path }: OpenRequest, fault: NodeJS.ErrnoException) {
  if (CLIENT_LEFT.has(fault.code ?? '') || isApiError(fault)) log.info('response cut short', { why: String(fault) })
  else log.error('response cut short', { method, path, stack: stackOf(fault) })
}

const CLIENT_LEFT = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE'])

/** Counts a request, and writes its log line. */
function tell(service: Service, count: RequestCount, visit: OpenRequest, started: number, it: Answer) {
  const milliseconds = performance.now() - started
  count(it.status, milliseconds / 1000)
  service.log.info('request', {
    method: visit.method,
    path: visit.path,
    status: it.status,
    ms: Math.round(milliseconds * 100) / 100,
    bytes: Number(it.headers['Content-Length'] ?? 0),
    user: visit.userId,
    address: visit.address,
  })
}

/** What a call answers to a request, or why it refuses. */
export async function answerTo(service: Service, call: Call, request: Request, visit: OpenRequest): Promise<Answer> {
  const format = responseFormatFor(service, request, `${call.method} /rest${call.path}`)
  try {
    const done = await run(service, call, request, visit, format)
    const it = finished(answer(call.status ?? 200, done.value, format), done.headers, request)
    return it.file === undefined ? it : await opened(it, request)
  } catch (fault) {
    return refusal(service, fault, format)
  }
}

/** Opens the file of a response before anything is sent, so that a failure is an error response. HEAD needs no file. */
async function opened(it: Answer, request: Request): Promise<Answer> {
  if (it.file !== undefined && request.method !== 'HEAD') it.stream = await it.file.open()
  return it
}

const NOT_MODIFIED = 304

export function responseFormatFor({ root }: Pick<Service, 'root'>, request: Request, title: string): ResponseFormat {
  return responseFormatOf(request.headers.accept, request.query.callback, title, root)
}

async function run(service: Service, call: Call, request: Request, visit: OpenRequest, format: ResponseFormat) {
  const { query, path } = request
  const form = otherFormFor(call, request)
  const body = call.method === 'GET' ? undefined : await bodyOf(service, call, request)
  const isScript = query.callback !== undefined
  if (isScript) {
    requireCallback(query.callback)
    delete query.callback
  }
  const cookie = service.sessionCookie()
  const isOwnPage = isFromOwnPage(request.headers, cookie)
  const credentials = call.ignoresCredentials ? {} : takeCredentials(query, body, request.headers)
  if (isOwnPage && !isScript && !hasCredentials(credentials)) useCookie(credentials, request, cookie)
  const asking = call.ignoresCredentials
    ? withoutCredentials(service, call, request)
    : whoIsAsking(service, call, request, credentials)
  const found = asking instanceof Promise ? await asking : asking
  visit.userId = found.caller.id
  visit.address = found.address
  const isPage = format.form === 'html' && format.callback === undefined && form === undefined
  if (isPage) format.notice = found.settings.announcehtml
  for (const name in path) requireStorable(name, path[name])
  const given = mergeParams(query, body)
  if (call.unknownParams === 'refused') requireKnownParams(call, given)
  const context: CallContext = {
    ...found,
    db: service.door.db,
    request: visit,
    contents: service.contents,
    serverParts: service.serverParts,
    authenticator: service.door,
    params: readParams(call.params, given),
    given,
    path,
    form,
    isPage,
    select: selectionOf(call.selectsFields ? given : {}),
    credentials,
    baseUrl: service.baseUrl(),
    ifMatch: request.headers['if-match'],
    lastEventId: request.headers['last-event-id']?.toString(),
    isFromOwnPage: isOwnPage,
    answerHeaders: {},
  }
  return { value: await carriedOut(call, context, request), headers: context.answerHeaders }
}

/**
 * The pages of this server send no credentials but the cookie, which counts only where nothing else does. A page of another site cannot
 * use it, because the browser says where a request comes from.
 */
function useCookie(credentials: Credentials, { headers }: Request, cookie: SessionCookie) {
  const token = tokenInCookie(headers, cookie)
  if (token !== undefined) credentials.token = token
}

function hasCredentials({ apiKey, token, login, password }: Credentials) {
  return apiKey !== undefined || token !== undefined || login !== undefined || password !== undefined
}

/**
 * A callback always gets a script. Otherwise the parameter takes precedence over the header, which a browser cannot
 * choose.
 */
function otherFormFor({ otherForms }: Call, { headers, query }: Request): string | undefined {
  if (otherForms === undefined || query.callback !== undefined) return undefined
  const { ctype } = query
  if (typeof ctype === 'string') return Object.hasOwn(otherForms, ctype) ? ctype : undefined
  const forms = new Map(Object.entries(otherForms).map(([name, mediaType]) => [mediaType, name]))
  const wanted = formFor(headers.accept, forms)
  return Object.hasOwn(otherForms, wanted) ? wanted : undefined
}

async function bodyOf(service: Service, call: Call, { raw }: Request): Promise<Record<string, unknown> | undefined> {
  const isWrite = call.method === 'POST' || call.method === 'PUT'
  if (isWrite && !isJson(raw)) throw errors.not_json()
  const { bodyBytes } = service.limits
  const length = lengthOf(raw)
  const usual = { bytes: bodyBytes, refusal: () => errors.body_too_large({ limit: bodyBytes }) }
  if (call.takesFile === undefined) return readBody(raw, usual)
  const isShort = length !== undefined && length <= bodyBytes
  const limit = isShort ? usual : await fileLimit(service, call.takesFile.limit)
  return readBody(raw, { ...limit, fileIn: call.takesFile.in })
}

/**
 * Credentials may be in the body, so it is read before the caller is known. A large body is therefore read only as far
 * as it could contain a file of the permitted size.
 */
async function fileLimit(
  { door, limits }: Service,
  limitFor: NonNullable<Call['takesFile']>['limit'],
): Promise<BodyLimit> {
  const { bytes, refusal } = limitFor(await door.installation.settingsAt(await readVersions(door.db)))
  if (bytes <= limits.fileBodyBytes) return { bytes: Math.max(bytes, limits.bodyBytes), refusal }
  return { bytes: limits.fileBodyBytes, refusal: () => errors.body_too_large({ limit: limits.fileBodyBytes }) }
}

/** A POST with an Idempotency-Key is carried out once, however often it is sent. */
function carriedOut(call: Call, context: CallContext, request: Request): unknown {
  const key = request.headers['idempotency-key']
  if (call.method === 'POST' && typeof key === 'string' && isSignedIn(context.caller))
    return carriedOutOnce(call, context, context.caller.id, key)
  return call.ahead === undefined
    ? call.run(context, undefined)
    : call.ahead(context).then((it) => call.run(context, it))
}

async function carriedOutOnce(call: Call, context: CallContext, userId: number, key: string): Promise<unknown> {
  const asksFor = [call.path, context.path, context.given, ...limitsOf(context.caller)]
  let keepWhatWasRead = () => {}
  const { value, isRepeated } = await runOnce(
    context.db,
    { userId, key, asksFor },
    {
      ahead: async () => call.ahead?.(context),
      run: async (tx, ahead) => {
        const { catalogue, keep } = context.authenticator.installation.catalogueWithin(tx, context.versions)
        keepWhatWasRead = keep
        return call.run({ ...context, db: tx, catalogue }, ahead)
      },
    },
  )
  keepWhatWasRead()
  if (isRepeated) context.answerHeaders['Idempotent-Replayed'] = 'true'
  return value
}

/** A response may contain a secret, so a key does not get one that was stored for credentials with other limits. */
function limitsOf({ scopes, expiresAt }: Caller): unknown[] {
  const isLimited = expiresAt !== null || scopes.size < EVERY_SCOPE.size
  return isLimited ? [[...scopes].sort(), expiresAt] : []
}

/** Looks up the caller and checks whether they may make this call. */
function whoIsAsking(
  service: Service,
  call: Call,
  request: Request,
  given: Credentials,
): AuthenticatedRequest | Promise<AuthenticatedRequest> {
  const found = recognised(service, call, call.readsCredentials ? keyIn(given) : given, originOf(request))
  if (found instanceof Promise) return found.then((found) => requireMayCall(service, call, found))
  return requireMayCall(service, call, found)
}

/** Credentials are read only if the parameter requirelogin makes them necessary. */
function withoutCredentials(
  service: Service,
  call: Call,
  request: Request,
): AuthenticatedRequest | Promise<AuthenticatedRequest> {
  const anonymous = recognised(service, call, {}, originOf(request))
  const checked = (found: AuthenticatedRequest) =>
    found.settings.requirelogin && !call.isOpen
      ? whoIsAsking(service, call, request, takeCredentials(request.query, undefined, request.headers))
      : requireMayCall(service, call, found)
  return anonymous instanceof Promise ? anonymous.then(checked) : checked(anonymous)
}

function requireMayCall(service: Service, call: Call, found: AuthenticatedRequest): AuthenticatedRequest {
  requireWithinLimit(service.door, found)
  if (needsLogin(call, found) && !isSignedIn(found.caller)) throw errors.login_required()
  if (!found.caller.scopes.has(call.scope))
    throw errors.not_allowed({ need: `this API key lacks the scope ${call.scope}` })
  return found
}

/** Anonymous callers may read, unless the parameter requirelogin is on; they may write only through open calls. */
function needsLogin({ isOpen, scope }: Call, { settings }: AuthenticatedRequest) {
  return !isOpen && (settings.requirelogin || scope !== 'read')
}

function recognised(
  service: Service,
  call: Call,
  given: Credentials,
  origin: RequestOrigin,
): AuthenticatedRequest | Promise<AuthenticatedRequest> {
  return service.door.known.recall(given, origin) ?? lookedUp(service, call, given, origin)
}

/** Failed credentials count against the rate limit of their address, like anonymous requests. */
async function lookedUp(
  service: Service,
  call: Call,
  given: Credentials,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest> {
  try {
    return await authenticate(service.door, given, origin)
  } catch (fault) {
    if (!isApiError(fault) || fault.status >= 500) throw fault
    const { token: _, ...rest } = given
    if (call.takesDeadTokens && isDeadToken(fault))
      return recognised(service, { ...call, takesDeadTokens: false }, rest, origin)
    requireWithinLimit(service.door, await authenticate(service.door, {}, origin))
    throw fault
  }
}

function keyIn({ apiKey }: Credentials): Credentials {
  return apiKey === undefined ? {} : { apiKey }
}

function isDeadToken(fault: unknown) {
  return isApiError(fault) && fault.reason === 'token_invalid'
}

export function originOf({ peer, headers }: Request): RequestOrigin {
  const forwarded = headers['x-forwarded-for']
  return { peer, forwardedFor: typeof forwarded === 'string' ? forwarded : undefined }
}

function requireWithinLimit({ rateLimit }: Authenticator, { caller, settings, address }: AuthenticatedRequest) {
  rateLimit.count({ id: caller.id, address }, settings)
}

function requireKnownParams(call: Call, given: RequestParams) {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(call.params, name) && !SELECTION.includes(name))
  if (unknown !== undefined)
    throw errors.unknown_parameter({ name: unknown, known: Object.keys(call.params).sort().join(', ') })
}

/** Every call accepts these, even one without fields to select. */
const SELECTION = ['include_fields', 'exclude_fields']

/** Adds the ETag of a read, and answers If-None-Match with 304. */
function finished(it: Answer, headers: Answer['headers'], request: Request): Answer {
  Object.assign(it.headers, headers)
  if (request.method !== 'GET' && request.method !== 'HEAD') return it
  const isEndless = it.file !== undefined && it.file.size === undefined
  if (isEndless) {
    if (headers.ETag !== undefined) it.headers.ETag = `"${headers.ETag}."`
    return it
  }
  const etag = headers.ETag === undefined ? etagOf(it) : `"${headers.ETag}.${etagOf(it).slice(1)}`
  it.headers.ETag = etag
  const known = request.headers['if-none-match']
  if (known === undefined || !isKnownTo(known, etag)) return it
  const { 'Content-Type': _, ...rest } = it.headers
  return { status: 304, headers: rest, body: '' }
}

/**
 * Any failure as the REST API returns it. An internal error is logged in full, and the client gets an id to look for in
 * the log.
 */
export function refusal(service: Pick<Service, 'log' | 'baseUrl'>, fault: unknown, format: ResponseFormat): Answer {
  const error = isApiError(fault) ? fault : internal(service.log, fault)
  if (error.cause !== undefined) service.log.error('not served', { why: reasonOf(error) })
  const it = answer(error.status, errorBody(error, service.baseUrl()), format)
  Object.assign(it.headers, error.headers)
  return it
}

function internal(log: Log, fault: unknown): ApiError {
  const id = randomUUID()
  log.error('internal failure', { id, stack: stackOf(fault) })
  return errors.internal({ id })
}
