import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import {
  type CallOptions,
  isReservedName,
  type Tracker,
  type TrackerAnswer,
  TrackerRefusal,
} from '../../shared/mcp/tracker.ts'
import { addressOf, fillPath, type Parameters } from '../../shared/rest-address.ts'
import type { Call } from '../access/call.ts'
import { isTurnLong, laterTurn } from '../platform/monitoring/event-loop.ts'
import type { Answer } from '../platform/wire/http/answer.ts'
import type { Request } from '../platform/wire/http/http-server.ts'
import type { Routes } from '../platform/wire/http/routes.ts'
import { answerTo } from '../serving/answer-call.ts'
import { openRequest, record } from '../serving/send-response.ts'
import type { Service } from '../serving/service.ts'

/** A longer answer is not read for a tool. */
const MOST_BYTES = 6 * 1024 * 1024
/** Parsing a longer one begins in a turn of its own. */
const LONG_TEXT = 64 * 1024

interface Outer {
  request: Request
  response: ServerResponse
  apiKey: string
  scopes: ReadonlySet<string>
}

/**
 * The tracker as the tools of one request use it: each call goes through the list of calls like a request from outside, with the key of the
 * caller. So rights, scopes, limits, errors, log lines and metrics are those of the REST API.
 */
export class InnerTracker implements Tracker {
  readonly url: string
  readonly isLacewing = true
  readonly scopes: ReadonlySet<string>
  private readonly service: Service
  private readonly routes: Routes<Call>
  private readonly outer: Outer

  constructor(service: Service, routes: Routes<Call>, outer: Outer) {
    this.url = service.baseUrl().replace(/\/$/, '')
    this.scopes = outer.scopes
    this.service = service
    this.routes = routes
    this.outer = outer
  }

  async call(method: string, path: string, params: Parameters = {}, options: CallOptions = {}): Promise<TrackerAnswer> {
    const reserved = Object.keys(params).find(isReservedName)
    if (reserved !== undefined) throw refused(400, 'A parameter has a name that is reserved.')
    const { service } = this
    const { request: outer, response } = this.outer
    const isRead = method === 'GET'
    const { address, rest } = fillPath(path, params)
    const url = isRead ? addressOf(path, params) : address
    if (url.length > service.limits.addressCharacters) throw refused(414, 'The arguments are too long.')
    const found = this.routes.find(method as Call['method'], url)
    if (!found?.target) throw new Error(`There is no call ${method} ${path}`)
    const { target: call, query, path: variables } = found
    if (isTurnLong()) await laterTurn()
    const request: Request = {
      ...{ raw: outer.raw, peer: outer.peer, method, url, query, path: variables },
      headers: headersFor(outer.headers, this.outer.apiKey, options),
      within: { body: isRead ? undefined : { ...rest }, resource: 'mcp' },
    }
    const opened = openRequest(service, request, `/rest${call.path}`, response)
    const answer = await answerTo(service, call, request, opened)
    const text = await textOf(answer)
    record(service, service.metrics.of(call.method, call.path), opened, answer.status, Buffer.byteLength(text))
    if (text.length > LONG_TEXT) await laterTurn()
    const body: unknown = JSON.parse(text)
    if (answer.status >= 400) throw refusalIn(answer.status, body)
    return { status: answer.status, body, etag: answer.headers.ETag?.toString() }
  }
}

/** Only what a call reads: no cookie, and no other credentials than the key that was checked. */
function headersFor(outer: IncomingHttpHeaders, apiKey: string, { headers = {} }: CallOptions): IncomingHttpHeaders {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const { 'x-forwarded-for': forwardedFor, 'user-agent': agent } = outer
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    'x-tracker-api-key': apiKey,
    ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    ...(agent !== undefined && { 'user-agent': agent }),
    ...Object.fromEntries(own),
  }
}

async function textOf({ body, stream }: Answer): Promise<string> {
  if (stream === undefined) return String(body)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    // Leaving the loop ends the stream.
    if (bytes > MOST_BYTES) throw refused(413, 'The answer is too long for a tool: ask for less at once.')
    chunks.push(buffer)
  }
  return Buffer.concat(chunks, bytes).toString('utf8')
}

function refusalIn(status: number, body: unknown) {
  const { code = 0, message = 'Refused.', reason } = body as { code?: number; message?: string; reason?: string }
  return new TrackerRefusal({ status, code, message, reason })
}

function refused(status: number, message: string) {
  return new TrackerRefusal({ status, code: 0, message })
}
