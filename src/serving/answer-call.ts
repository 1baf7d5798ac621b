import type { AuthenticatedRequest } from '../access/authentication/authenticated-request.ts'
import { secretsAmong, takeCredentials } from '../access/authentication/credentials.ts'
import { isFromOwnPage } from '../access/authentication/session-cookie.ts'
import type { Call, CallContext } from '../access/call.ts'
import { sourceOfCaller } from '../access/change-source.ts'
import type { Catalogue } from '../access/installation.ts'
import type { OpenRequest } from '../access/open-request.ts'
import { shownQuery, slowSearches } from '../access/slow-searches.ts'
import type { Db } from '../platform/database/db.ts'
import { errors } from '../platform/errors.ts'
import { laterTurn } from '../platform/monitoring/event-loop.ts'
import { runAs } from '../platform/queues/current-caller.ts'
import { maskedOf } from '../platform/text/masked.ts'
import { selectionOf } from '../platform/wire/field-selection.ts'
import {
  type Answer,
  answer,
  forOwnPages,
  isApiError,
  type ResponseFormat,
  requireCallback,
  withEtag,
} from '../platform/wire/http/answer.ts'
import type { Request, Serve } from '../platform/wire/http/http-server.ts'
import { formFor } from '../platform/wire/http/negotiate.ts'
import { lengthOf } from '../platform/wire/http/read-body.ts'
import { requireKnownParams } from '../platform/wire/known-params.ts'
import { mergeParams, requireStorable } from '../platform/wire/merge-params.ts'
import type { RequestParams } from '../platform/wire/params.ts'
import { readParams } from '../platform/wire/read-params.ts'
import { refusalOfOverload, refuseAnonymous } from './admit-call.ts'
import { authenticateCall, hasCredentials, isLinkOfOwnPage, useCookie } from './authenticate-call.ts'
import { compressedForPages } from './compress-answer.ts'
import { readCallBody } from './read-call-body.ts'
import { NOTHING_RAW, readRaw } from './read-raw.ts'
import { runCall } from './run-call.ts'
import { openRequest, refusal, responseFormatFor, sendResponse } from './send-response.ts'
import type { Service } from './service.ts'

/** Serves one call: everything that is the same for all calls happens here, in this order. */
export function handlerOf(service: Service, call: Call): Serve {
  const count = service.metrics.of(call.method, call.path)
  const path = `/rest${call.path}`
  return async (request, response) => {
    const opened = openRequest(service, request, path, response)
    const it = compressedForPages(await answerTo(service, call, request, opened), request, opened)
    sendResponse(service, count, opened, response, it instanceof Promise ? await it : it)
  }
}

/** The response of a call to a request, also if it is an error. */
export function answerTo(service: Service, call: Call, request: Request, opened: OpenRequest): Promise<Answer> {
  const refused = refusalOfOverload(service, call, request, opened)
  if (refused !== undefined) return Promise.resolve(refused)
  return runAs(opened.client, () => answerAsCaller(service, call, request, opened))
}

function answerAsCaller(service: Service, call: Call, request: Request, opened: OpenRequest): Promise<Answer> {
  opened.isFromOwnPage = isFromOwnPage(request.headers, service.sessionCookie())
  if (opened.isFromOwnPage) return resultOrError(service, call, request, opened).then(forOwnPages)
  // Few calls return files, and an await would cost every other one time.
  if (call.linkedFile === undefined) return resultOrError(service, call, request, opened)
  return fileOfLink(service, call, request, opened)
}

async function fileOfLink(service: Service, call: Call, request: Request, opened: OpenRequest): Promise<Answer> {
  opened.isFromOwnPage = await isLinkOfOwnPage(service, call, request)
  const it = await resultOrError(service, call, request, opened)
  return opened.isFromOwnPage ? forOwnPages(it) : it
}

async function resultOrError(service: Service, call: Call, request: Request, opened: OpenRequest): Promise<Answer> {
  const format = responseFormatFor(service, request, `${call.method} /rest${call.path}`)
  try {
    const result = await resultOf(service, call, request, opened, format)
    const it = answer(result.status ?? call.status ?? 200, result.value, format)
    Object.assign(it.headers, opened.limitHeaders, result.headers)
    const fresh = withEtag(it, result.headers.ETag, request)
    return fresh.file === undefined ? fresh : await withOpenFile(fresh, request)
  } catch (fault) {
    const it = refusal(service, silenced(fault, opened), format)
    Object.assign(it.headers, opened.limitHeaders)
    return it
  } finally {
    if (call.isSearch) noteSlowSearch(service, opened)
  }
}

/** Also one that was refused in the end, because it took too long. */
function noteSlowSearch({ serverParts }: Service, { started, slowAfter, sent, path, userId }: OpenRequest) {
  const milliseconds = Math.round(performance.now() - started)
  if (slowAfter === 0 || milliseconds < slowAfter || sent === undefined) return
  const params = { ...sent.query, ...sent.body }
  const secrets = secretsAmong(sent.credentials, params)
  serverParts.get(slowSearches).note({ userId, path: path ?? '', query: shownQuery(params, secrets), milliseconds })
}

/** A message may repeat what was sent, but no secret of the same request, wherever it stands. */
function silenced(fault: unknown, { sent }: OpenRequest): unknown {
  if (!isApiError(fault) || sent === undefined) return fault
  const secrets = secretsAmong(sent.credentials, { ...sent.query, ...sent.body })
  fault.rewrite((text) => maskedOf(text, secrets))
  return fault
}

/** A file is opened before the status is sent, so that a failure can be reported. HEAD needs no file. */
async function withOpenFile(it: Answer, request: Request): Promise<Answer> {
  if (it.file !== undefined && request.method !== 'HEAD') it.stream = await it.file.open()
  return it
}

async function resultOf(service: Service, call: Call, request: Request, opened: OpenRequest, format: ResponseFormat) {
  const { query, path } = request
  const form = otherFormFor(call, request)
  const hasParams = call.method !== 'GET' && call.takesBytes === undefined
  const body = hasParams ? await bodyOf(service, call, request, opened) : undefined
  const raw = call.takesBytes === undefined ? NOTHING_RAW : await readRaw(request, call.takesBytes)
  const isScript = query.callback !== undefined
  if (isScript) {
    requireCallback(query.callback)
    delete query.callback
  }
  const credentials = credentialsOf(service, call, request, { isFromOwnPage: opened.isFromOwnPage, isScript }, body)
  opened.sent = { credentials, query, body }
  const { apiKey, token, login } = credentials
  let authenticated: AuthenticatedRequest
  try {
    opened.client.unchecked = apiKey ?? token ?? login ?? ''
    opened.client.provenUserId = service.provenCallers.userOf(apiKey ?? token)
    const pending = authenticateCall(service.authenticator, call, request, credentials)
    authenticated = pending instanceof Promise ? await pending : pending
    service.provenCallers.note(apiKey ?? token, authenticated.caller.id)
  } catch (fault) {
    // Not by an overload or a rate limit, which say nothing about the credentials.
    if (isApiError(fault) && fault.status < 429) service.provenCallers.forget(apiKey ?? token)
    throw fault
  } finally {
    opened.client.unchecked = ''
  }
  opened.userId = authenticated.caller.id
  if (call.method !== 'GET') opened.client.source = sourceOfCaller(authenticated.caller, opened.isFromOwnPage)
  opened.address = authenticated.address
  if (service.admission.isShedding) refuseAnonymous(service, call, opened, authenticated.caller, credentials)
  opened.slowAfter = authenticated.settings.slow_search_milliseconds
  const who = { id: authenticated.caller.id, address: authenticated.address, isSearch: call.isSearch }
  opened.limitHeaders = service.authenticator.rateLimit.headersFor(who, authenticated.settings)
  const isPage = format.form === 'html' && format.callback === undefined && form === undefined
  if (isPage) format.notice = authenticated.settings.announcehtml
  if (isLongInput(request, body, raw.bytes)) await laterTurn(opened.readLimits.caller)
  for (const name in path) requireStorable(name, path[name])
  const rawParams = mergeParams(query, body)
  if (call.unknownParams === 'refused') requireKnownParams(call, rawParams)
  const db =
    service.replicas !== undefined && call.method === 'GET' ? await service.replicas.reader() : service.authenticator.db
  // Without spreading: V8 defines each name after a spread by itself, which took a tenth of the time of a small request.
  const context: CallContext = {
    caller: authenticated.caller,
    groups: authenticated.groups,
    settings: authenticated.settings,
    versions: authenticated.versions,
    address: authenticated.address,
    db,
    catalogue: db === service.authenticator.db ? authenticated.catalogue : catalogueIn(db, authenticated.catalogue),
    request: opened,
    contents: service.contents,
    serverParts: service.serverParts,
    config: service.config,
    authenticator: service.authenticator,
    params: readParams(call.params, rawParams),
    bytes: raw.bytes,
    headers: raw.headers,
    rawParams,
    path,
    form,
    isPage,
    select: selectionOf(call.selectsFields ? rawParams : {}),
    credentials,
    baseUrl: service.baseUrl(),
    ifMatch: request.headers['if-match'],
    lastEventId: request.headers['last-event-id']?.toString(),
    userAgent: request.headers['user-agent'],
    cookies: request.headers.cookie,
    isFromOwnPage: opened.isFromOwnPage,
    answerHeaders: {},
  }
  const { value, status } = await runCall(call, context, request)
  return { value, status, headers: context.answerHeaders }
}

/** What is not in memory is read where the bugs are: rights that are newer than the bugs could show what the caller never might see. */
function catalogueIn(db: Db, catalogue: Catalogue): Catalogue {
  return (part, tx) => catalogue(part, tx ?? db)
}

/** From this length on, in characters, an input may take long to check and to work on. */
const LONG_INPUT = 4000

/** The work on a long input begins in a turn of its own, so that many such requests at once do not add up to one long turn. */
function isLongInput({ url, raw }: Request, body: RequestParams | undefined, bytes: Buffer): boolean {
  return url.length + bytes.length + (body === undefined ? 0 : (lengthOf(raw) ?? LONG_INPUT)) > LONG_INPUT
}

/** The cookie counts for our own pages, and never for a script, which pages of other sites can run. */
function credentialsOf(
  service: Service,
  call: Call,
  request: Request,
  { isFromOwnPage, isScript }: { isFromOwnPage: boolean; isScript: boolean },
  body: RequestParams | undefined,
) {
  const credentials = call.ignoresCredentials ? {} : takeCredentials(request.query, body, request.headers)
  if (isFromOwnPage && !isScript && !call.ignoresCookie && !hasCredentials(credentials))
    useCookie(credentials, request, service.sessionCookie())
  if (request.within !== undefined) credentials.resource = request.within.resource
  return credentials
}

const OVER_LIMITS: ReadonlySet<string> = new Set(['body_too_large', 'attachment_too_large', 'body_over_limits'])

/** Callers who have to log in learn that first, also if their body is over the limits and was not read. */
async function bodyOf(
  service: Service,
  call: Call,
  request: Request,
  { isFromOwnPage }: OpenRequest,
): Promise<RequestParams | undefined> {
  try {
    return await readCallBody(service, call, request)
  } catch (fault) {
    if (!isApiError(fault) || !OVER_LIMITS.has(fault.reason)) throw fault
    const isScript = request.query.callback !== undefined
    const credentials = credentialsOf(service, call, request, { isFromOwnPage, isScript }, undefined)
    try {
      await authenticateCall(service.authenticator, call, request, credentials)
    } catch (refusal) {
      throw isApiError(refusal) && refusal.reason === 'login_required' ? errors.login_unread() : refusal
    }
    throw fault
  }
}

/** The other form that a request asks for, if the call has it. A callback is always a script; `ctype` wins over Accept. */
function otherFormFor({ otherForms }: Call, { headers, query }: Request): string | undefined {
  if (otherForms === undefined || query.callback !== undefined) return undefined
  const { ctype } = query
  if (typeof ctype === 'string') return Object.hasOwn(otherForms, ctype) ? ctype : undefined
  const forms = new Map(Object.entries(otherForms).map(([name, mediaType]) => [mediaType, name]))
  const wanted = formFor(headers.accept, forms)
  return Object.hasOwn(otherForms, wanted) ? wanted : undefined
}
