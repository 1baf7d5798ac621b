import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { realAddress } from '../access/authentication/real-address.ts'
import { OpenRequest } from '../access/open-request.ts'
import { type ApiError, errors } from '../platform/errors.ts'
import type { Log } from '../platform/monitoring/log.ts'
import type { RequestCount } from '../platform/monitoring/metrics.ts'
import { loggedCause } from '../platform/monitoring/outage.ts'
import { stackOf } from '../platform/monitoring/uncaught.ts'
import {
  type Answer,
  answer,
  errorBody,
  isApiError,
  type ResponseFormat,
  responseFormatOf,
} from '../platform/wire/http/answer.ts'
import type { Request } from '../platform/wire/http/http-server.ts'
import { sendLongBody, sendStream } from '../platform/wire/http/send-body.ts'
import { writeHead } from '../platform/wire/http/write-head.ts'
import { originOf } from './authenticate-call.ts'
import type { Service } from './service.ts'

/** Until the request is authenticated, its address is the one that the settings of the last request show. */
export function openRequest(
  { unread: budget, authenticator }: Pick<Service, 'unread' | 'authenticator'>,
  request: Request,
  path: string | null,
  response: ServerResponse,
): OpenRequest {
  const { peer, forwardedFor } = originOf(request)
  const proxies = authenticator.installation.lastSettings?.inbound_proxies ?? ''
  const address = forwardedFor === undefined ? peer : realAddress(peer, forwardedFor, proxies)
  return new OpenRequest(request.method, path, address, { response, budget })
}

export function responseFormatFor({ root }: Pick<Service, 'root'>, request: Request, title: string): ResponseFormat {
  return responseFormatOf(request.headers.accept, request.query.callback, title, root)
}

/** Sends a response, or 503 if too many of this caller or of all wait to be read. Counts it, and writes the one log line of the request. */
export function sendResponse(
  service: Service,
  count: RequestCount,
  opened: OpenRequest,
  response: ServerResponse,
  it: Answer,
) {
  const size = it.file === undefined ? Buffer.byteLength(it.body) : it.file.size
  const held = heldBytes(it, size)
  try {
    if (it.isAlwaysSent) opened.memory.count(held)
    else if (held > SHORT_BODY) opened.memory.hold(Math.max(held, it.stream === undefined ? 0 : opened.memory.bytes))
  } catch (fault) {
    it.stream?.destroy()
    return sendResponse(service, count, opened, response, refusal(service, fault, plainFormat(service)))
  }
  if (it.status === NOT_MODIFIED || size === undefined) response.writeHead(it.status, it.headers)
  else writeHead(response, it.status, it.headers, size)
  record(service, count, opened, it.status, it.status === NOT_MODIFIED ? 0 : (size ?? 0))
  // A text with one byte per character is written faster as latin1.
  const encoding = size === it.body.length ? 'latin1' : 'utf8'
  if (it.stream !== undefined) sendStream(response, it.stream).catch((fault) => logCutResponse(service, opened, fault))
  else if (held > SHORT_BODY && opened.method !== 'HEAD') sendLongBody(response, it.body, encoding)
  else response.end(it.body, encoding)
  if (response.writableLength === 0 && it.stream === undefined) return
  if (held <= SHORT_BODY) opened.memory.count(held)
  service.unread.watch(response, opened.memory)
}

const SHORT_BODY = 64 * 1024

/** The memory that a response takes until its client has read it. */
function heldBytes({ file, stream }: Answer, size = 0) {
  if (file === undefined) return size
  return stream === undefined ? 0 : file.heldBytes
}

function plainFormat({ root }: Service): ResponseFormat {
  return { form: 'json', callback: undefined, title: '', root }
}

const NOT_MODIFIED = 304
const UNAUTHORIZED = 401

/** The status is already sent, so only the closed connection shows the failure. Most often the client has disconnected. */
function logCutResponse({ log }: Service, { method, path }: OpenRequest, fault: NodeJS.ErrnoException) {
  if (CLIENT_LEFT.has(fault.code ?? '') || isApiError(fault)) log.info('response cut short', { why: String(fault) })
  else log.error('response cut short', { method, path, stack: stackOf(fault) })
}

const CLIENT_LEFT = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE'])

/** Counts a request and writes its log line. */
export function record({ log }: Service, count: RequestCount, opened: OpenRequest, status: number, bytes: number) {
  const milliseconds = performance.now() - opened.started
  count(status, milliseconds / 1000)
  if (!opened.isLogged) return
  log.info('request', {
    method: opened.method,
    path: opened.path,
    status,
    ms: Math.round(milliseconds * 100) / 100,
    bytes,
    user: opened.userId,
    address: opened.address,
  })
}

/** Any failure as the REST API returns it. An internal error is logged in full, and the client gets an id to look for in the log. */
export function refusal(service: Pick<Service, 'log' | 'baseUrl'>, fault: unknown, format: ResponseFormat): Answer {
  const error = isApiError(fault) ? fault : internalError(service.log, fault)
  if (error.cause !== undefined) service.log.error('not served', { why: loggedCause(error) })
  const it = answer(error.status, errorBody(error, service.baseUrl()), format)
  if (error.status === UNAUTHORIZED) it.headers['WWW-Authenticate'] = 'Bearer realm="Lacewing"'
  Object.assign(it.headers, error.headers)
  return it
}

function internalError(log: Log, fault: unknown): ApiError {
  const id = randomUUID()
  log.error('internal failure', { id, stack: stackOf(fault) })
  return errors.internal({ id })
}
