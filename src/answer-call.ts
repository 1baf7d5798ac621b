import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, type Doorkeeper, type Found } from './access/authenticate.ts'
import type { Asked, Call } from './access/call.ts'
import { isSignedIn } from './access/caller.ts'
import { takeCredentials } from './access/credentials.ts'
import type { RateLimit } from './access/rate-limit.ts'
import { isLoopback } from './access/real-address.ts'
import { type ApiError, errors } from './platform/errors.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import {
  type Answer,
  answer,
  errorBody,
  etagOf,
  isApiError,
  isKnownTo,
  type Manner,
  mannerOf,
  mannerOfFault,
} from './platform/wire/answer.ts'
import type { Credentials } from './platform/wire/call.ts'
import { selectionOf } from './platform/wire/field-selection.ts'
import { gather } from './platform/wire/given.ts'
import { type Given, readParams } from './platform/wire/params.ts'

/** What every call is served with. */
export interface Service {
  door: Doorkeeper
  rateLimit: RateLimit
  log: Log
  metrics: Metrics
  baseUrl: () => string
}

/** Serves one call: everything that is the same for all of them happens here, in this order. */
export function handlerOf(service: Service, call: Call) {
  const count = service.metrics.of(call.method, call.path)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now()
    const trace: Trace = { userId: null, address: request.ip }
    const it = await answerTo(service, call, request, trace)
    const milliseconds = performance.now() - started
    count(it.status, milliseconds / 1000)
    service.log.info('request', {
      method: request.method,
      path: call.path,
      status: it.status,
      ms: Math.round(milliseconds * 100) / 100,
      bytes: it.body.length,
      user: trace.userId,
      address: trace.address,
    })
    return reply.code(it.status).headers(it.headers).send(it.body)
  }
}

/** What the log may say about a request once it is known. */
interface Trace {
  userId: number | null
  address: string
}

async function answerTo(service: Service, call: Call, request: FastifyRequest, trace: Trace): Promise<Answer> {
  const title = `${call.method} /rest${call.path}`
  let manner = mannerOfFault(request.headers.accept, title)
  try {
    manner = mannerOf(request.headers.accept, (request.query as Given).callback, title)
    const done = await run(service, call, request, trace)
    return finished(answer(call.status ?? 200, done.value, manner), done.headers, request)
  } catch (fault) {
    return refusal(service, fault, manner)
  }
}

async function run(service: Service, call: Call, request: FastifyRequest, trace: Trace) {
  const isWrite = call.method === 'POST' || call.method === 'PUT'
  if (isWrite && !isJson(request.headers['content-type'])) throw errors.not_json()
  const query = { ...(request.query as Given) }
  const body = request.body === undefined || call.method === 'GET' ? undefined : { ...(request.body as Given) }
  delete query.callback
  const credentials = takeCredentials(query, body, request.headers)
  const given = gather(query, body)
  const found = await whoIsAsking(service, call, request, credentials)
  trace.userId = found.caller.id
  trace.address = found.address
  if (call.unknownParams === 'refused') requireKnownParams(call, given)
  const asked: Asked = {
    ...found,
    db: service.door.db,
    door: service.door,
    params: readParams(call.params, given),
    given,
    path: request.params as Record<string, string>,
    select: selectionOf(call.selectsFields ? given : {}),
    credentials,
    baseUrl: service.baseUrl(),
    answerHeaders: {},
  }
  return { value: await call.run(asked), headers: asked.answerHeaders }
}

/** Finds the caller and holds the call against what this caller may do at all. */
async function whoIsAsking(service: Service, call: Call, request: FastifyRequest, given: Credentials): Promise<Found> {
  const forwarded = request.headers['x-forwarded-for']
  const origin = { peer: request.ip, forwardedFor: typeof forwarded === 'string' ? forwarded : undefined }
  const used = call.readsCredentials ? { ...(given.apiKey !== undefined && { apiKey: given.apiKey }) } : given
  const found = await authenticate(service.door, used, origin).catch(async (fault) => {
    const stranger = await authenticate(service.door, {}, origin)
    requireWithinLimit(service.rateLimit, stranger)
    throw fault
  })
  requireWithinLimit(service.rateLimit, found)
  if (found.settings.requirelogin && !call.isOpen && !isSignedIn(found.caller)) throw errors.login_required()
  if (!found.caller.scopes.has(call.scope))
    throw errors.not_allowed({ need: `the key in use has not the scope ${call.scope}` })
  return found
}

function requireWithinLimit(rateLimit: RateLimit, { caller, settings, address }: Found) {
  if (caller.id !== null) rateLimit.count(`user ${caller.id}`, settings.rate_limit_signed_in)
  else if (!isLoopback(address)) rateLimit.count(`address ${address}`, settings.rate_limit_anonymous)
}

function requireKnownParams(call: Call, given: Given) {
  const unknown = Object.keys(given).find((name) => !(name in call.params))
  if (unknown !== undefined)
    throw errors.unknown_parameter({ name: unknown, known: Object.keys(call.params).sort().join(', ') })
}

function isJson(contentType: string | undefined) {
  return contentType !== undefined && /^application\/json\s*(;|$)/i.test(contentType)
}

/** ETag and the answer to If-None-Match, for what was read. */
function finished(it: Answer, headers: Answer['headers'], request: FastifyRequest): Answer {
  Object.assign(it.headers, headers)
  if (request.method !== 'GET' && request.method !== 'HEAD') return it
  const etag = etagOf(it)
  it.headers.ETag = etag
  const known = request.headers['if-none-match']
  if (known === undefined || !isKnownTo(known, etag)) return it
  const { 'Content-Type': _, ...rest } = it.headers
  return { status: 304, headers: rest, body: '' }
}

/** Any failure as the interface tells it. What is not the client's doing is logged whole and told as a number to look for. */
export function refusal(service: Pick<Service, 'log' | 'baseUrl'>, fault: unknown, manner: Manner): Answer {
  const told = isApiError(fault) ? fault : internal(service.log, fault)
  const it = answer(told.status, errorBody(told, service.baseUrl()), manner)
  Object.assign(it.headers, told.headers)
  return it
}

function internal(log: Log, fault: unknown): ApiError {
  const id = randomUUID()
  const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
  log.error('internal failure', { id, stack })
  return errors.internal({ id })
}
