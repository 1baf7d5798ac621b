import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Authenticator } from './access/authentication/authenticated-request.ts'
import { KnownCallers } from './access/authentication/known-callers.ts'
import { PasswordCheck } from './access/authentication/password-check.ts'
import { RateLimit } from './access/authentication/rate-limit.ts'
import { type SessionCookie, sessionCookieFor } from './access/authentication/session-cookie.ts'
import type { Call } from './access/call.ts'
import { Installation } from './access/installation.ts'
import { Usage } from './access/usage.ts'
import apiReference from './api-reference.json' with { type: 'json' }
import { serveMcp } from './mcp/serve-mcp.ts'
import { serveOAuth } from './oauth/serve-oauth.ts'
import type { RunningDelivery } from './outbound/delivery/deliver.ts'
import type { DeliveryContext } from './outbound/delivery/delivery-context.ts'
import { eventHub } from './outbound/feed/event-hub.ts'
import { loadAssets } from './pages/assets.ts'
import { serveCrawlers } from './pages/crawlers.ts'
import { FirstCalls } from './pages/first-data.ts'
import { Pages } from './pages/serve-pages.ts'
import { serveUnsubscribing } from './pages/unsubscribe-page.ts'
import { ownBaseAddress, pathOf } from './platform/config/base-address.ts'
import type { Config } from './platform/config/config.ts'
import { release } from './platform/config/release.ts'
import { Contents } from './platform/contents/contents.ts'
import { noteOverload } from './platform/database/chores.ts'
import type { Db } from './platform/database/db.ts'
import { Replicas } from './platform/database/replicas/replicas.ts'
import type { Log } from './platform/monitoring/log.ts'
import { startMetrics } from './platform/monitoring/metrics.ts'
import { ProcessMetrics } from './platform/monitoring/process-metrics.ts'
import { measureTurn } from './platform/monitoring/turn-time.ts'
import { Admission } from './platform/queues/admission.ts'
import { ServerParts } from './platform/server-parts.ts'
import { timeNow } from './platform/time/clock.ts'
import { HttpServer } from './platform/wire/http/http-server.ts'
import { Routes } from './platform/wire/http/routes.ts'
import { UnreadResponses } from './platform/wire/http/unread-responses.ts'
import { docsPage, errorsPage } from './platform/wire/openapi/docs-page.ts'
import { openApiOf } from './platform/wire/openapi/openapi.ts'
import { calls } from './routes.ts'
import { handlerOf } from './serving/answer-call.ts'
import { fallbackHandlers } from './serving/fallback-handlers.ts'
import { ProvenCallers } from './serving/proven-callers.ts'
import { html, json, jsonText, serveOperators, servePage } from './serving/server-pages.ts'
import type { Service } from './serving/service.ts'

/** The server, ready to listen: all calls, the pages beside them, and the delivery. */
export function buildApp(
  db: Db,
  config: Config,
  log: Log,
  startDelivery: (context: DeliveryContext) => RunningDelivery,
) {
  const service = serviceOf(db, config, log)
  const { authenticator, baseUrl, metrics, replicas } = service
  const fallback = fallbackHandlers(service, (request, response) => pages.missing(request, response))
  const http = new HttpServer(config.limits, fallback, service.root)
  http.server.on('listening', () => service.noteOwnAddress(http.server.address() as AddressInfo))
  const processes = new ProcessMetrics(() => metrics.families())
  const routes = routesOfCalls()
  http.serveShared(routes, new Map(calls.map((call) => [call, handlerOf(service, call)])))
  const pages = new Pages(service, loadAssets, new FirstCalls(service, routes))
  pages.addTo(http)
  serveDocumentation(service, http)
  serveCrawlers(service, http)
  serveUnsubscribing(service, http)
  serveOAuth(service, http)
  serveMcp(service, http, routes)
  serveOperators(service, http, processes, config.maildir)
  let delivery: RunningDelivery | undefined
  return {
    server: http.server,
    baseUrl,
    warmUp: () => pages.warmUp(),
    async listen(at: { host: string; port: number }) {
      const address = await http.listen(at)
      delivery = startDelivery({ db, config, log, installation: authenticator.installation, baseUrl })
      return address
    },
    async close() {
      service.serverParts.get(eventHub).end()
      await http.close()
      await delivery?.end()
      await authenticator.usage.close()
      processes.close()
      await replicas?.close()
    },
  }
}

export type App = ReturnType<typeof buildApp>

function serviceOf(db: Db, config: Config, log: Log): Service & { noteOwnAddress(address: AddressInfo): void } {
  let ownUrl = config.baseUrl
  let cookie: SessionCookie | undefined
  const baseUrl = () => ownUrl ?? ownBaseAddress(config)
  const unread = new UnreadResponses(config.limits)
  const admission = new Admission({
    delayMilliseconds: config.overloadMilliseconds,
    waits: {
      turn: measureTurn,
      endOfTurn: setImmediate,
      search: () => db.slowReads().waitMilliseconds,
      connection: () => db.connections()?.waitMilliseconds ?? 0,
    },
    log,
    // If it cannot be written, the log still has it.
    noteOverload: () => void noteOverload(db, timeNow()).catch(() => {}),
  })
  const replicas = config.replicaUrls.length === 0 ? undefined : new Replicas(db, config.replicaUrls, log)
  return {
    authenticator: authenticatorOf(db),
    contents: new Contents(join(config.dataFolder, 'attachments')),
    serverParts: new ServerParts(db),
    replicas,
    log,
    metrics: startMetrics(db, { unread, admission, replicas }),
    unread,
    admission,
    provenCallers: new ProvenCallers(),
    baseUrl,
    sessionCookie() {
      cookie ??= sessionCookieFor(baseUrl())
      return cookie
    },
    root: pathOf(config.baseUrl),
    limits: config.limits,
    config: { smtpUrl: config.smtpUrl, maildir: config.maildir, dataFolder: config.dataFolder },
    noteOwnAddress({ port }) {
      ownUrl ??= ownBaseAddress({ host: config.host, port })
      // Pages that are made before the server listens do not know a port that the system chooses.
      cookie = undefined
    },
  }
}

function authenticatorOf(db: Db): Authenticator {
  return {
    db,
    installation: new Installation(db),
    usage: new Usage(db),
    passwords: new PasswordCheck(db),
    rateLimit: new RateLimit(),
    known: new KnownCallers(db),
  }
}

let callRoutes: Routes<Call> | undefined

/** The same for all servers of a process. */
function routesOfCalls(): Routes<Call> {
  if (callRoutes !== undefined) return callRoutes
  callRoutes = new Routes()
  for (const call of calls) {
    callRoutes.add(call.method, `/rest${call.path}`, call)
    // compat: the other address of the same API.
    callRoutes.add(call.method, `/rest.cgi${call.path}`, call)
  }
  return callRoutes
}

function serveDocumentation(service: Service, http: HttpServer) {
  const { baseUrl, root } = service
  servePage(service, http, '/rest', () => json({ version: release, documentation: `${baseUrl()}/rest/docs` }))
  servePage(service, http, '/rest/docs', () => html(docsPage(calls, root)))
  servePage(service, http, '/rest/docs/errors', () => html(errorsPage(root)))
  servePage(service, http, '/rest/openapi.json', () => jsonText(openApi(baseUrl())))
}

/** Describing all calls takes some milliseconds, so it is done once for each base address. */
let described: { baseUrl: string; document: string } | undefined

function openApi(baseUrl: string): string {
  if (described?.baseUrl !== baseUrl)
    described = { baseUrl, document: JSON.stringify(openApiOf(calls, baseUrl, apiReference)) }
  return described.document
}
