import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { type AuthenticatedRequest, authenticate } from './access/authentication/authenticate.ts'
import { takeCredentials } from './access/authentication/credentials.ts'
import { KnownCallers } from './access/authentication/known-callers.ts'
import { PasswordCheck } from './access/authentication/password-check.ts'
import { RateLimit } from './access/authentication/rate-limit.ts'
import { isLoopback } from './access/authentication/real-address.ts'
import { type SessionCookie, sessionCookieFor } from './access/authentication/session-cookie.ts'
import type { Call } from './access/call.ts'
import { isIn } from './access/caller.ts'
import { Installation, readVersions } from './access/installation.ts'
import type { OpenRequest } from './access/open-request.ts'
import { Usage } from './access/usage.ts'
import { deliver, handlerOf, openRequest, originOf, refusal, responseFormatFor, type Service } from './answer-call.ts'
import apiReference from './api-reference.json' with { type: 'json' }
import { backlogMetrics } from './outbound/consumers/backlog-metrics.ts'
import type { Delivery } from './outbound/delivery/deliver.ts'
import type { DeliveryContext } from './outbound/delivery/delivery-context.ts'
import { eventHub } from './outbound/feed/event-hub.ts'
import { loadAssets } from './pages/assets.ts'
import { FirstCalls } from './pages/first-data.ts'
import { Pages } from './pages/serve-pages.ts'
import { ownBaseAddress, pathOf } from './platform/config/base-address.ts'
import type { Config } from './platform/config/config.ts'
import { release } from './platform/config/release.ts'
import { Contents } from './platform/contents/contents.ts'
import type { Db } from './platform/database/db.ts'
import { type ApiError, errors } from './platform/errors.ts'
import { CONTENT_TYPE, textOf } from './platform/monitoring/exposition.ts'
import type { Log } from './platform/monitoring/log.ts'
import { startMetrics } from './platform/monitoring/metrics.ts'
import { ProcessMetrics } from './platform/monitoring/process-metrics.ts'
import { Readiness } from './platform/monitoring/readiness.ts'
import { ServerParts } from './platform/server-parts.ts'
import { dictionary } from './platform/text/dictionary.ts'
import { PAGE_POLICY } from './platform/wire/formats/html-page.ts'
import { type Answer, COMMON_HEADERS, responseFormatOf } from './platform/wire/http/answer.ts'
import {
  type ConnectionFault,
  type FallbackHandlers,
  HttpServer,
  type Request,
  type Serve,
} from './platform/wire/http/http-server.ts'
import { docsPage, errorsPage } from './platform/wire/openapi/docs-page.ts'
import { openApiOf } from './platform/wire/openapi/openapi.ts'
import { calls } from './routes.ts'

/** The server, ready to listen: what happens to every request, in order. */
export function buildApp(db: Db, config: Config, log: Log, startDelivery: (context: DeliveryContext) => Delivery) {
  const { limits } = config
  const root = pathOf(config.baseUrl)
  const elsewhere: FallbackHandlers = {
    notFound: answerTheRest,
    tooLong: (request, response) =>
      answerFault(errors.address_too_long({ limit: limits.addressCharacters }), request, response),
    badAddress: (request, response) => answerFault(errors.bad_address(), request, response),
    noHost: (request, response) => answerFault(errors.host_required(), request, response),
    broken: answerBrokenRequest,
    failed: answerFailure,
    notAccepted: (fault) => log.error('connection not accepted', { why: fault.message }),
  }
  const http = new HttpServer(limits, elsewhere, root)
  const door = {
    db,
    installation: new Installation(db),
    usage: new Usage(db),
    passwords: new PasswordCheck(db),
    rateLimit: new RateLimit(),
    known: new KnownCallers<AuthenticatedRequest>(db),
  }
  let ownUrl = config.baseUrl
  const baseUrl = () => ownUrl ?? ownBaseAddress(config)
  http.server.on('listening', () => {
    ownUrl ??= ownBaseAddress({ host: config.host, port: (http.server.address() as AddressInfo).port })
  })
  const contents = new Contents(join(config.dataFolder, 'attachments'))
  const metrics = startMetrics(db)
  const processes = new ProcessMetrics(() => metrics.families())
  const serverParts = new ServerParts(db)
  let cookie: SessionCookie | undefined
  const sessionCookie = () => {
    cookie ??= sessionCookieFor(baseUrl())
    return cookie
  }
  const service: Service = { door, contents, serverParts, log, metrics, baseUrl, sessionCookie, root, limits }

  const served = new Map<Serve, Call>()
  for (const call of calls) {
    const serve = handlerOf(service, call)
    served.set(serve, call)
    http.on(call.method, `/rest${call.path}`, serve)
    // compat: the other address of the same interface.
    http.on(call.method, `/rest.cgi${call.path}`, serve)
  }
  const pages = new Pages(service, loadAssets, new FirstCalls(service, http, served))
  pages.addTo(http)
  const countElsewhere = service.metrics.of('', '')
  serveDocumentation()
  serveOperators()
  let delivery: Delivery | undefined
  return {
    server: http.server,
    baseUrl,
    async listen(at: { host: string; port: number }) {
      const address = await http.listen(at)
      const { installation } = door
      delivery = startDelivery({ db, config, log, installation, baseUrl })
      return address
    },
    async close() {
      serverParts.get(eventHub).end()
      await http.close()
      await delivery?.end()
      await door.usage.close()
      processes.close()
    },
  }

  function serveDocumentation() {
    servePage('/rest', () => json({ version: release, documentation: `${baseUrl()}/rest/docs` }))
    servePage('/rest/docs', () => html(docsPage(calls, root)))
    servePage('/rest/docs/errors', () => html(errorsPage(root)))
    servePage('/rest/openapi.json', () => openApi(baseUrl()))
  }

  function serveOperators() {
    servePage('/health', () => json({ status: 'ok' }))
    const settings = async () => door.installation.settingsAt(await readVersions(db))
    const readiness = new Readiness(db, contents, settings)
    servePage('/ready', async () => {
      await readiness.require()
      return json({ status: 'ready' })
    })
    servePage('/metrics', async (request, visit) => {
      await requireMayMeasure(request, visit)
      const families = [...(await processes.all()), ...(await backlogMetrics(db, config.maildir))]
      return page(CONTENT_TYPE, textOf(families))
    })
  }

  /** Counts of calls tell what an installation is used for: only for this machine, or with an administrator's key. */
  async function requireMayMeasure(request: Request, visit: OpenRequest) {
    const credentials = takeCredentials(request.query, undefined, request.headers)
    const { caller, address } = await authenticate(door, credentials, originOf(request))
    visit.userId = caller.id
    visit.address = address
    if (isFromThisMachine(request, address) || isIn(caller, 'admin')) return
    throw errors.not_allowed({ need: 'it needs membership in admin' })
  }

  /** An address that is no call of the interface. */
  function servePage(path: string, answerTo: (request: Request, visit: OpenRequest) => Answer | Promise<Answer>) {
    const count = service.metrics.of('GET', path)
    http.on('GET', path, async (request, response) => {
      const visit = openRequest(request, path, response)
      const answered = async () => answerTo(request, visit)
      const it = await answered().catch((fault) =>
        refusal(service, fault, responseFormatFor(service, request, `GET ${path}`)),
      )
      deliver(service, count, visit, response, it)
    })
  }

  /** Paths and methods that no call has: 404, 405 and OPTIONS. */
  function answerTheRest(request: Request, response: ServerResponse) {
    const path = request.url.split('?')[0] as string
    // HEAD is told what GET is told.
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const allowed = allowedOn(path)
    if (allowed === '') return answerMissing(errors.no_such_resource({ method, path }), request, response)
    if (method !== 'OPTIONS')
      return answerFault(errors.wrong_method({ method, allowed }).withHeader('Allow', allowed), request, response)
    const it = json({})
    Object.assign(it.headers, preflight(allowed))
    deliver(service, countElsewhere, openRequest(request, null, response), response, it)
  }

  /** People who follow a wrong link get a page; programs get the error of the API. */
  async function answerMissing(fault: ApiError, request: Request, response: ServerResponse) {
    const isForPeople = request.method === 'GET' && !/^\/rest(\/|$)/.test(request.url) && isNavigation(request)
    if (!isForPeople) return answerFault(fault, request, response)
    const visit = openRequest(request, null, response)
    deliver(service, countElsewhere, visit, response, await pages.missing(request, response))
  }

  /** The methods that a path has, as the header Allow names them; nothing for a path that leads nowhere. */
  function allowedOn(path: string) {
    const found: string[] = http.methodsOf(path)
    return [...found, ...(found.includes('GET') ? ['HEAD'] : []), ...(found.length > 0 ? ['OPTIONS'] : [])].join(', ')
  }

  /** What went wrong before a call was reached. */
  function answerFault(fault: ApiError, request: Request, response: ServerResponse) {
    const it = refusal(service, fault, responseFormatFor(service, request, 'Refused'))
    deliver(service, countElsewhere, openRequest(request, null, response), response, it)
  }

  /** What nobody foresaw while a request was served, or while its answer was sent. It ends with this request. */
  function answerFailure(fault: unknown, response: ServerResponse) {
    const it = refusal(service, fault, responseFormatOf(undefined, undefined, 'Refused', root))
    countElsewhere(it.status, 0)
    // Half of an answer cannot be taken back; a connection that is cut tells the client.
    if (response.headersSent) return void response.destroy()
    for (const name of response.getHeaderNames()) response.removeHeader(name)
    response.writeHead(it.status, { ...it.headers, 'Content-Length': Buffer.byteLength(it.body) }).end(it.body)
  }

  /** What cannot be read as a request at all. There is nothing to answer it with but the connection itself. */
  function answerBrokenRequest(fault: ConnectionFault, socket: Socket) {
    const told = BROKEN_REQUESTS[fault.code ?? '']?.() ?? errors.unreadable_request()
    const it = refusal(service, told, responseFormatOf(undefined, undefined, 'Refused', root))
    log.info('request', { method: null, path: null, status: it.status, address: socket.remoteAddress ?? null })
    const headers = { ...it.headers, 'Content-Length': Buffer.byteLength(it.body), Connection: 'close' }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${it.status} ${STATUS_CODES[it.status]}\r\n${lines.join('')}\r\n${it.body}`)
  }
}

/** Describing all calls takes some milliseconds, so it is done once for each base address. */
let described: { baseUrl: string; document: string } | undefined

function openApi(baseUrl: string): Answer {
  if (described?.baseUrl !== baseUrl)
    described = { baseUrl, document: JSON.stringify(openApiOf(calls, baseUrl, apiReference)) }
  return page('application/json; charset=UTF-8', described.document)
}

function json(value: unknown): Answer {
  return page('application/json; charset=UTF-8', JSON.stringify(value))
}

function html(body: string): Answer {
  const it = page('text/html; charset=UTF-8', body)
  it.headers['Content-Security-Policy'] = PAGE_POLICY
  return it
}

function page(contentType: string, body: string): Answer {
  return { status: 200, headers: { ...COMMON_HEADERS, 'Content-Type': contentType }, body }
}

function isNavigation({ headers }: Request) {
  return headers['sec-fetch-mode'] === 'navigate' || String(headers.accept ?? '').startsWith('text/html')
}

/** Not what a proxy on this machine passes on, even when nobody has named it as one. */
function isFromThisMachine({ headers }: Request, address: string) {
  return isLoopback(address) && ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].every((name) => !headers[name])
}

export type App = ReturnType<typeof buildApp>

const BROKEN_REQUESTS: Readonly<Record<string, () => ApiError>> = dictionary({
  HPE_HEADER_OVERFLOW: () => errors.headers_too_large(),
  ERR_HTTP_REQUEST_TIMEOUT: () => errors.too_slow(),
})

function preflight(allowed: string) {
  return {
    Allow: allowed,
    'Access-Control-Allow-Methods': allowed,
    'Access-Control-Allow-Headers':
      'origin, content-type, accept, x-requested-with, authorization, if-match, if-none-match, idempotency-key, x-tracker-api-key, x-tracker-token, x-tracker-login, x-tracker-password, x-bugzilla-api-key, x-bugzilla-token, x-bugzilla-login, x-bugzilla-password',
    'Access-Control-Max-Age': '86400',
  }
}
