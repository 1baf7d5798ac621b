import { STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { authenticate } from './access/authenticate.ts'
import type { Call } from './access/call.ts'
import { isIn } from './access/caller.ts'
import { takeCredentials } from './access/credentials.ts'
import { Installation, readVersions } from './access/installation.ts'
import { PasswordCheck } from './access/password-check.ts'
import { RateLimit } from './access/rate-limit.ts'
import { isLoopback } from './access/real-address.ts'
import { Usage } from './access/usage.ts'
import { arrival, deliver, handlerOf, mannerFor, originOf, refusal, type Service, type Visit } from './answer-call.ts'
import type { Config } from './platform/config.ts'
import { Contents } from './platform/contents/contents.ts'
import type { Db } from './platform/database/db.ts'
import { ApiError, errors } from './platform/errors.ts'
import type { Log } from './platform/log.ts'
import { startMetrics } from './platform/metrics.ts'
import { release } from './platform/release.ts'
import { type Answer, COMMON_HEADERS, mannerOf } from './platform/wire/answer.ts'
import { docsPage, errorsPage } from './platform/wire/docs-page.ts'
import { PAGE_POLICY } from './platform/wire/html-page.ts'
import { readJsonBody } from './platform/wire/json-body.ts'
import { limitedBody } from './platform/wire/limited-body.ts'
import { openApiOf } from './platform/wire/openapi.ts'
import type { Given } from './platform/wire/params.ts'
import { calls } from './routes.ts'

/** The server, ready to listen: what happens to every request, in order. */
export function buildApp(db: Db, config: Config, log: Log) {
  const { limits } = config
  const app = Fastify({
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMilliseconds,
    keepAliveTimeout: limits.keepAliveMilliseconds,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.requestMilliseconds,
      connectionsCheckingInterval: limits.requestMilliseconds / 2,
    },
    routerOptions: { maxParamLength: limits.addressCharacters },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (fault, request, reply) =>
      void answerFault(fault, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler: (fault, socket) => answerBrokenRequest(fault, socket as Socket),
  })
  const door = {
    db,
    installation: new Installation(db),
    usage: new Usage(db),
    passwords: new PasswordCheck(db),
    rateLimit: new RateLimit(),
  }
  let ownUrl = config.baseUrl
  const baseUrl = () => ownUrl ?? ownAddress(config, config.port)
  app.server.on('listening', () => {
    ownUrl ??= ownAddress(config, (app.server.address() as AddressInfo).port)
  })
  const contents = new Contents(join(config.dataFolder, 'attachments'))
  const service: Service = { door, contents, log, metrics: startMetrics(), baseUrl }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/json\s*(;|$)/i,
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) => readJsonBody(body),
  )
  app.addContentTypeParser('*', (_, payload, done) => {
    payload.resume()
    done(errors.not_json())
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.length > limits.addressCharacters)
      return done(errors.address_too_long({ limit: limits.addressCharacters }))
    // Before a body is read: what leads nowhere is not found, whatever was sent there.
    if (request.is404) answerTheRest(request, reply)
    else done()
  })
  app.setErrorHandler((fault: FastifyError, request, reply) => answerFault(fault, request, reply))
  app.addHook('onClose', () => door.usage.close())

  for (const call of calls)
    app.route({
      method: call.method,
      url: `/rest${call.path}`,
      handler: handlerOf(service, call),
      ...(call.takesFiles && { bodyLimit: limits.fileBodyBytes, preParsing: fileGuard(call.takesFiles) }),
    })
  const methodsOf = methodFinder(limits.addressCharacters)
  const countElsewhere = service.metrics.of('', '')
  serveDocumentation()
  serveOperators()
  return app

  function serveDocumentation() {
    servePage('/rest', () => json({ version: release, documentation: `${baseUrl()}/rest/docs` }))
    servePage('/rest/docs', () => html(docsPage(calls)))
    servePage('/rest/docs/errors', () => html(errorsPage()))
    servePage('/rest/openapi.json', () => json(openApiOf(calls, baseUrl())))
  }

  function serveOperators() {
    servePage('/health', () => json({ status: 'ok' }))
    servePage('/ready', async () => {
      await readVersions(db).catch(() => {
        throw errors.not_ready()
      })
      return json({ status: 'ready' })
    })
    servePage('/metrics', async (request, visit) => {
      await requireMayMeasure(request, visit)
      return page(service.metrics.contentType, await service.metrics.text())
    })
  }

  /** Counts of calls tell what an installation is used for: only for this machine, or with an administrator's key. */
  async function requireMayMeasure(request: FastifyRequest, visit: Visit) {
    const credentials = takeCredentials({ ...(request.query as Given) }, undefined, request.headers)
    const { caller, address } = await authenticate(door, credentials, originOf(request))
    visit.userId = caller.id
    visit.address = address
    if (isFromThisMachine(request, address) || isIn(caller, 'admin')) return
    throw errors.not_allowed({ need: 'it needs membership in admin' })
  }

  /**
   * Whoever asks may be told in the body, so it is read before anybody knows. A large one is therefore read only as far as it could hold a
   * file that is not refused anyway.
   */
  function fileGuard(limitFor: NonNullable<Call['takesFiles']>) {
    return async ({ headers }: FastifyRequest, _: FastifyReply, body: Readable): Promise<Readable> => {
      const told = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
      if (told !== undefined && told <= limits.bodyBytes) return body
      const { bytes, refusal } = limitFor(await door.installation.settingsAt(await readVersions(db)))
      const most = Math.max(bytes, limits.bodyBytes)
      if (told === undefined) return limitedBody(body, most, refusal)
      if (told > most) throw refusal
      return body
    }
  }

  /** An address that is no call of the interface. */
  function servePage(path: PagePath, answerTo: (request: FastifyRequest, visit: Visit) => Answer | Promise<Answer>) {
    const count = service.metrics.of('GET', path)
    app.get(path, async (request, reply) => {
      const visit = arrival(request, path)
      const answered = async () => answerTo(request, visit)
      const it = await answered().catch((fault) => refusal(service, fault, mannerFor(request, `GET ${path}`)))
      return deliver(service, count, visit, reply, it)
    })
  }

  /** Paths and methods that no call has: 404, 405 and OPTIONS. */
  function answerTheRest(request: FastifyRequest, reply: FastifyReply) {
    const path = request.url.split('?')[0] as string
    // HEAD is told what GET is told.
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const allowed = methodsOf(path)
    if (allowed === '') return answerFault(errors.no_such_resource({ method, path }), request, reply)
    if (method !== 'OPTIONS')
      return answerFault(errors.wrong_method({ method, allowed }).withHeader('Allow', allowed), request, reply)
    const it = json({})
    Object.assign(it.headers, preflight(allowed))
    return deliver(service, countElsewhere, arrival(request, null), reply, it)
  }

  /** What went wrong before a call was reached, or without one. */
  function answerFault(fault: FastifyError | ApiError, request: FastifyRequest, reply: FastifyReply) {
    const known = fault instanceof ApiError ? fault : knownFault(fault, request, limits)
    const it = refusal(service, known ?? fault, mannerFor(request, 'Refused'))
    return deliver(service, countElsewhere, arrival(request, null), reply, it)
  }

  /** What cannot be read as a request at all. There is nothing to answer it with but the connection itself. */
  function answerBrokenRequest(fault: Error & { code?: string }, socket: Socket) {
    if (fault.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const told = BROKEN_REQUESTS[fault.code ?? '']?.() ?? errors.unreadable_request()
    const it = refusal(service, told, mannerOf(undefined, undefined, 'Refused'))
    log.info('request', { method: null, path: null, status: it.status, address: socket.remoteAddress ?? null })
    const headers = { ...it.headers, 'Content-Length': Buffer.byteLength(it.body), Connection: 'close' }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${it.status} ${STATUS_CODES[it.status]}\r\n${lines.join('')}\r\n${it.body}`)
  }
}

const PAGES = [
  '/rest',
  '/rest/docs',
  '/rest/docs/errors',
  '/rest/openapi.json',
  '/health',
  '/ready',
  '/metrics',
] as const
type PagePath = (typeof PAGES)[number]

/** The methods that a path has, as the header Allow names them; nothing for a path that leads nowhere. */
function methodFinder(maxParamLength: number) {
  const paths = findMyWay({ maxParamLength })
  for (const { method, path } of calls) paths.on(method, `/rest${path}`, () => {})
  for (const path of PAGES) paths.on('GET', path, () => {})
  return (path: string) => {
    const found: string[] = (['GET', 'POST', 'PUT', 'DELETE'] as const).filter((it) => paths.find(it, path) !== null)
    return [...found, ...(found.includes('GET') ? ['HEAD'] : []), ...(found.length > 0 ? ['OPTIONS'] : [])].join(', ')
  }
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

/** Not what a proxy on this machine passes on, even when nobody has named it as one. */
function isFromThisMachine({ headers }: FastifyRequest, address: string) {
  return isLoopback(address) && ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].every((name) => !headers[name])
}

export type App = ReturnType<typeof buildApp>

const FRAMEWORK_FAULTS: Readonly<Record<string, (limits: Config['limits'], request: FastifyRequest) => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ bodyBytes }, request) =>
    errors.body_too_large({ limit: request.routeOptions.bodyLimit ?? bodyBytes }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    errors.unreadable_body({ why: 'its length is not what Content-Length says' }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => errors.not_json(),
  FST_ERR_BAD_URL: () => errors.bad_address(),
  FST_ERR_MAX_PARAM_LENGTH: ({ addressCharacters }) => errors.address_too_long({ limit: addressCharacters }),
  ECONNRESET: () => errors.unreadable_body({ why: 'the connection ended before it did' }),
}

const BROKEN_REQUESTS: Readonly<Record<string, () => ApiError>> = {
  HPE_HEADER_OVERFLOW: () => errors.headers_too_large(),
  ERR_HTTP_REQUEST_TIMEOUT: () => errors.too_slow(),
}

/** The faults that Fastify finds in a request. A database that resets a connection is another matter. */
function knownFault(fault: FastifyError, request: FastifyRequest, limits: Config['limits']): ApiError | undefined {
  if (fault.code === 'ECONNRESET' && !request.raw.destroyed) return undefined
  return FRAMEWORK_FAULTS[fault.code]?.(limits, request)
}

function preflight(allowed: string) {
  return {
    Allow: allowed,
    'Access-Control-Allow-Methods': allowed,
    'Access-Control-Allow-Headers':
      'origin, content-type, accept, x-requested-with, authorization, if-match, if-none-match, idempotency-key, x-tracker-api-key, x-tracker-token, x-tracker-login, x-tracker-password, x-bugzilla-api-key, x-bugzilla-token, x-bugzilla-login, x-bugzilla-password',
    'Access-Control-Max-Age': '86400',
  }
}

function ownAddress(config: Config, port: number | undefined) {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `http://${['0.0.0.0', '[::]'].includes(host) ? 'localhost' : host}:${port ?? config.port}`
}
