import { authenticate } from '../access/authentication/authenticate.ts'
import { takeCredentials } from '../access/authentication/credentials.ts'
import { isLoopback } from '../access/authentication/real-address.ts'
import { isIn } from '../access/caller.ts'
import { readStateVersions, requireCurrentServer } from '../access/installation.ts'
import type { OpenRequest } from '../access/open-request.ts'
import { backlogMetrics } from '../outbound/consumers/backlog-metrics.ts'
import { errors } from '../platform/errors.ts'
import { CONTENT_TYPE, expositionText } from '../platform/monitoring/exposition.ts'
import type { ProcessMetrics } from '../platform/monitoring/process-metrics.ts'
import { Readiness } from '../platform/monitoring/readiness.ts'
import { runAs } from '../platform/queues/current-caller.ts'
import { PAGE_POLICY } from '../platform/wire/formats/html-page.ts'
import { type Answer, COMMON_HEADERS, forOwnPages } from '../platform/wire/http/answer.ts'
import type { HttpServer, Request, Serve } from '../platform/wire/http/http-server.ts'
import { originOf } from './authenticate-call.ts'
import { openRequest, refusal, responseFormatFor, sendResponse } from './send-response.ts'
import type { Service } from './service.ts'

/** A path that is not a call of the REST API. */
type Page = (request: Request, opened: OpenRequest) => Answer | Promise<Answer>

export function servePage(
  service: Service,
  http: HttpServer,
  path: string,
  page: Page,
  method: 'GET' | 'POST' = 'GET',
) {
  http.on(method, path, handlerOfPage(service, path, page, method))
}

function handlerOfPage(service: Service, path: string, page: Page, method: 'GET' | 'POST'): Serve {
  const count = service.metrics.of(method, path)
  return async (request, response) => {
    const opened = openRequest(service, request, path, response)
    const answered = async () => page(request, opened)
    const it = await runAs(opened.client, answered).catch((fault) =>
      refusal(service, fault, responseFormatFor(service, request, `${method} ${path}`)),
    )
    sendResponse(service, count, opened, response, it)
  }
}

/** The paths for operators: /health, /ready and /metrics. */
export function serveOperators(
  service: Service,
  http: HttpServer,
  processes: ProcessMetrics,
  maildir: string | undefined,
) {
  const { authenticator, contents } = service
  const { db, installation } = authenticator
  const readiness = new Readiness(db, contents, async () => {
    const versions = await readStateVersions(db)
    requireCurrentServer(versions)
    return installation.settingsAt(versions)
  })
  servePage(service, http, '/health', () => json({ status: 'ok' }))
  servePage(service, http, '/ready', async () => {
    await readiness.require()
    return json({ status: 'ready' })
  })
  servePage(service, http, '/metrics', async (request, opened) => {
    await requireMayMeasure(service, request, opened)
    const families = [...(await processes.all()), ...(await backlogMetrics(db, maildir))]
    // This machine needs no credentials, so that other sites in its browsers must not read them.
    return { ...forOwnPages(textPage(CONTENT_TYPE, expositionText(families))), isAlwaysSent: true }
  })
}

/** The metrics show what an installation is used for, so only this machine and administrators may read them. */
async function requireMayMeasure({ authenticator }: Service, request: Request, opened: OpenRequest) {
  const credentials = takeCredentials(request.query, undefined, request.headers)
  const { caller, address } = await authenticate(authenticator, credentials, originOf(request))
  opened.userId = caller.id
  opened.address = address
  if (isFromThisMachine(request, address) || isIn(caller, 'admin')) return
  throw errors.group_required({ groups: ['admin'] })
}

/** False for requests that a proxy on this machine forwards, even if it is not configured as a proxy. */
function isFromThisMachine({ headers }: Request, address: string) {
  return isLoopback(address) && ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].every((name) => !headers[name])
}

export function json(value: unknown): Answer {
  return jsonText(JSON.stringify(value))
}

export function jsonText(text: string): Answer {
  return textPage('application/json; charset=UTF-8', text)
}

export function html(body: string): Answer {
  const it = textPage('text/html; charset=UTF-8', body)
  it.headers['Content-Security-Policy'] = PAGE_POLICY
  return it
}

export function textPage(contentType: string, body: string): Answer {
  return { status: 200, headers: { ...COMMON_HEADERS, 'Content-Type': contentType }, body }
}
