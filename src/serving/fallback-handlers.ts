import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { secretsAmong, takeCredentials } from '../access/authentication/credentials.ts'
import { type ApiError, errors } from '../platform/errors.ts'
import { dictionary } from '../platform/text/dictionary.ts'
import { maskedOf } from '../platform/text/masked.ts'
import { type Answer, responseFormatOf } from '../platform/wire/http/answer.ts'
import type { ConnectionFault, FallbackHandlers, Request } from '../platform/wire/http/http-server.ts'
import { ALLOWED_BY_PREFLIGHT } from '../platform/wire/http/request-headers.ts'
import { openRequest, refusal, responseFormatFor, sendResponse } from './send-response.ts'
import { json } from './server-pages.ts'
import type { Service } from './service.ts'

/** Responses to everything that reaches no call: unknown paths and methods, malformed requests, failures. */
export function fallbackHandlers(service: Service, missingPage: MissingPage): FallbackHandlers {
  const { limits, log } = service
  const count = service.metrics.of('', '')
  const refuse = (fault: ApiError, request: Request, response: ServerResponse) => {
    const secrets = secretsOf(request)
    fault.rewrite((text) => maskedOf(text, secrets))
    const it = refusal(service, fault, responseFormatFor(service, request, 'Refused'))
    sendResponse(service, count, openRequest(service, request, null, response), response, it)
  }
  const sendMissingPage = async (request: Request, response: ServerResponse) => {
    const opened = openRequest(service, request, null, response)
    sendResponse(service, count, opened, response, await missingPage(request, response))
  }
  return {
    notFound(request, response, methods) {
      const path = request.url.split('?')[0] as string
      // HEAD gets the same response as GET.
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const allowed = allowHeader(methods)
      if (allowed === '' && isForPeople(request)) return sendMissingPage(request, response)
      if (allowed === '') return refuse(errors.no_such_resource({ method, path }), request, response)
      if (method !== 'OPTIONS')
        return refuse(errors.wrong_method({ method, allowed }).withHeader('Allow', allowed), request, response)
      const it = json({})
      Object.assign(it.headers, preflight(allowed))
      sendResponse(service, count, openRequest(service, request, null, response), response, it)
    },
    tooLong: (request, response) =>
      isForPeople(request)
        ? sendMissingPage(request, response)
        : refuse(errors.address_too_long({ limit: limits.addressCharacters }), request, response),
    badAddress: (request, response) =>
      isForPeople(request) ? sendMissingPage(request, response) : refuse(errors.bad_address(), request, response),
    noHost: (request, response) => refuse(errors.host_required(), request, response),
    broken: (fault, socket) => refuseMalformed(service, fault, socket),
    failed(fault, response) {
      count(sendFailure(service, fault, response), 0)
    },
    notAccepted: (fault) => log.error('connection not accepted', { why: fault.message }),
  }
}

/** The secrets that a request without a call has, if they can be read. */
function secretsOf({ query, headers }: Request): string[] {
  const params = { ...query }
  try {
    return secretsAmong(takeCredentials(params, undefined, headers), params)
  } catch {
    return secretsAmong({}, query)
  }
}

/** The page for an unknown path. */
type MissingPage = (request: Request, response: ServerResponse) => Promise<Answer>

/** People who follow a wrong link get a page; programs get the error of the API. */
function isForPeople({ method, url, headers }: Request) {
  if (method !== 'GET' || /^\/rest(\/|$)/.test(url)) return false
  return headers['sec-fetch-mode'] === 'navigate' || String(headers.accept ?? '').startsWith('text/html')
}

/** Responds to an exception that nothing else caught, and returns the status. It ends only this request. */
function sendFailure(service: Service, fault: unknown, response: ServerResponse): number {
  const it = refusal(service, fault, responseFormatOf(undefined, undefined, 'Refused', service.root))
  // A response that has begun cannot be replaced. The closed connection shows the client that it is incomplete.
  if (response.headersSent) response.destroy()
  else {
    for (const name of response.getHeaderNames()) response.removeHeader(name)
    response.writeHead(it.status, { ...it.headers, 'Content-Length': Buffer.byteLength(it.body) }).end(it.body)
  }
  return it.status
}

/** Node has no response object for what it cannot parse, so the response is written to the connection itself. */
function refuseMalformed(service: Service, fault: ConnectionFault, socket: Socket) {
  const error = CONNECTION_ERRORS[fault.code ?? '']?.() ?? errors.unreadable_request()
  const it = refusal(service, error, responseFormatOf(undefined, undefined, 'Refused', service.root))
  service.log.info('request', { method: null, path: null, status: it.status, address: socket.remoteAddress ?? null })
  const headers = { ...it.headers, 'Content-Length': Buffer.byteLength(it.body), Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${it.status} ${STATUS_CODES[it.status]}\r\n${lines.join('')}\r\n${it.body}`)
}

const CONNECTION_ERRORS: Readonly<Record<string, () => ApiError>> = dictionary({
  HPE_HEADER_OVERFLOW: () => errors.headers_too_large(),
  ERR_HTTP_REQUEST_TIMEOUT: () => errors.too_slow(),
})

/** The value of the header Allow; empty for an unknown path. */
function allowHeader(methods: readonly string[]) {
  if (methods.length === 0) return ''
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function preflight(allowed: string) {
  return {
    Allow: allowed,
    'Access-Control-Allow-Methods': allowed,
    'Access-Control-Allow-Headers': ALLOWED_BY_PREFLIGHT,
    'Access-Control-Max-Age': '86400',
  }
}
