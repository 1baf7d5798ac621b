import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Call } from '../access/call.ts'
import type { HttpServer, Request, Serve } from '../platform/wire/http/http-server.ts'
import { answerTo } from '../serving/answer-call.ts'
import { openRequest } from '../serving/send-response.ts'
import type { Service } from '../serving/service.ts'

/** What a call of the REST API answered, as JSON text. */
interface CallAnswer {
  address: string
  status: number
  body: string
}

/** The data that a page comes with. */
export interface FirstData {
  /** As JSON: `{ "/rest/bug/1001": [200, { "bugs": … }], … }`. */
  json: string
  /** The worst status among the calls, which becomes the status of the page. */
  status: number
}

/**
 * Makes the calls that a page begins with, so that the page comes with its data. They are the same calls that the page would make, with
 * the same cookie: a page contains nothing that its reader could not get from the REST API.
 */
export class FirstCalls {
  private readonly service: Service
  private readonly http: HttpServer
  private readonly calls: ReadonlyMap<Serve, Call>

  constructor(service: Service, http: HttpServer, calls: ReadonlyMap<Serve, Call>) {
    this.service = service
    this.http = http
    this.calls = calls
  }

  async dataFor(addresses: readonly string[], page: Request, response: ServerResponse): Promise<FirstData> {
    const answers = await Promise.all(addresses.map((address) => this.answerOf(address, page, response)))
    const whole = answers.filter((answer) => answer !== undefined)
    const items = whole.map(({ address, status, body }) => `${JSON.stringify(address)}:[${status},${body}]`)
    return { json: `{${items.join(',')}}`, status: Math.max(200, ...whole.map(({ status }) => status)) }
  }

  /** Undefined for an answer that is too long to be sent in one piece: the page makes that call itself. */
  private async answerOf(address: string, page: Request, response: ServerResponse): Promise<CallAnswer | undefined> {
    const found = this.http.find('GET', address)
    const call = found && this.calls.get(found.serve)
    if (found === undefined || call === undefined) throw new Error(`There is no call at ${address}`)
    const { query, path } = found
    const request: Request = { ...page, method: 'GET', url: address, headers: headersFor(page.headers), query, path }
    const { status, body, stream } = await answerTo(this.service, call, request, openRequest(request, null, response))
    stream?.destroy()
    return stream === undefined ? { address, status, body: String(body) } : undefined
  }
}

function headersFor(page: IncomingHttpHeaders): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = { 'sec-fetch-site': 'same-origin', accept: 'application/json' }
  const { cookie, 'x-forwarded-for': forwardedFor } = page
  if (cookie !== undefined) headers.cookie = cookie
  if (forwardedFor !== undefined) headers['x-forwarded-for'] = forwardedFor
  return headers
}
