import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Call } from '../access/call.ts'
import { isTurnLong, laterTurn } from '../platform/monitoring/event-loop.ts'
import type { Request } from '../platform/wire/http/http-server.ts'
import type { Routes } from '../platform/wire/http/routes.ts'
import { answerTo } from '../serving/answer-call.ts'
import { openRequest } from '../serving/send-response.ts'
import type { Service } from '../serving/service.ts'

/** The response of a call of the REST API, as JSON text. */
export interface CallAnswer {
  address: string
  status: number
  body: string
  /** The version that was read, as JSON text, for changes with If-Match. */
  etag: string
  retryAfter: string | undefined
}

/** The data that a page comes with. */
export interface FirstData {
  /** As JSON: `{ "/rest/bug/1001": [200, { "bugs": … }, "ETag"], … }`. */
  json: string
  answers: readonly CallAnswer[]
  /** The status of the first call, which becomes the status of the page. */
  status: number
  /** When to try again, if the first call says so. */
  retryAfter: string | undefined
}

/**
 * Makes the calls that a page begins with, so that the page comes with its data. They are the same calls that the page would make, with
 * the same cookie: a page contains nothing that its reader could not get from the REST API.
 */
export class FirstCalls {
  private readonly service: Service
  private readonly routes: Routes<Call>

  constructor(service: Service, routes: Routes<Call>) {
    this.service = service
    this.routes = routes
  }

  async dataFor(addresses: readonly string[], page: Request, response: ServerResponse): Promise<FirstData> {
    const answers = await Promise.all(addresses.map((address) => this.answerOf(address, page, response)))
    return dataOf(answers)
  }

  /** Undefined for a response that is too long to be sent in one piece: the page makes that call itself. */
  async answerOf(
    address: string,
    page: Request,
    response: ServerResponse,
    credentials: IncomingHttpHeaders = {},
  ): Promise<CallAnswer | undefined> {
    const found = this.routes.find('GET', address)
    if (!found?.target) throw new Error(`There is no call at ${address}`)
    const { target: call, query, path } = found
    // The calls of many pages that are requested at the same moment.
    if (isTurnLong()) await laterTurn()
    delete query.callback
    const request: Request = {
      ...page,
      method: 'GET',
      url: address,
      headers: { ...headersFor(page.headers), ...credentials },
      query,
      path,
    }
    const open = openRequest(this.service, request, null, response)
    const { status, body, stream, headers: answered } = await answerTo(this.service, call, request, open)
    stream?.destroy()
    const etag = JSON.stringify(answered.ETag ?? '')
    const retryAfter = answered['Retry-After']?.toString()
    const isJson = String(answered['Content-Type']).startsWith('application/json')
    return stream === undefined && isJson ? { address, status, body: String(body), etag, retryAfter } : undefined
  }
}

export function dataOf(answers: readonly (CallAnswer | undefined)[]): FirstData {
  const whole = answers.filter((answer) => answer !== undefined)
  const items = whole.map(({ address, status, body, etag }) => `${JSON.stringify(address)}:[${status},${body},${etag}]`)
  const [first] = answers
  return { json: `{${items.join(',')}}`, answers: whole, status: first?.status ?? 200, retryAfter: first?.retryAfter }
}

function headersFor(page: IncomingHttpHeaders): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = { 'sec-fetch-site': 'same-origin', accept: 'application/json' }
  const { cookie, 'x-forwarded-for': forwardedFor } = page
  if (cookie !== undefined && isNavigation(page)) headers.cookie = cookie
  if (forwardedFor !== undefined) headers['x-forwarded-for'] = forwardedFor
  return headers
}

/** A page is opened, never fetched or embedded. Browsers send an origin when a page of another one fetches, also at a plain http host name. */
function isNavigation({ origin, 'sec-fetch-dest': destination = 'document' }: IncomingHttpHeaders) {
  return origin === undefined && destination === 'document'
}
