import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { authenticate } from './access/authenticate.ts'
import { isIn } from './access/caller.ts'
import { takeCredentials } from './access/credentials.ts'
import { Installation, readVersions } from './access/installation.ts'
import { RateLimit } from './access/rate-limit.ts'
import { isLoopback } from './access/real-address.ts'
import { Usage } from './access/usage.ts'
import { handlerOf, refusal, type Service } from './answer-call.ts'
import type { Config } from './platform/config.ts'
import type { Db } from './platform/database/db.ts'
import { ApiError, errors } from './platform/errors.ts'
import type { Log } from './platform/log.ts'
import { startMetrics } from './platform/metrics.ts'
import { release } from './platform/release.ts'
import { COMMON_HEADERS, mannerOfFault } from './platform/wire/answer.ts'
import { docsPage, errorsPage } from './platform/wire/docs-page.ts'
import { PAGE_POLICY } from './platform/wire/html-page.ts'
import { readJsonBody } from './platform/wire/json-body.ts'
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
    http: { maxHeaderSize: limits.headerBytes },
    routerOptions: { maxParamLength: limits.addressCharacters },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (fault, request, reply) =>
      void answerFault(fault, request as FastifyRequest, reply as FastifyReply),
  })
  const door = { db, installation: new Installation(db), usage: new Usage(db) }
  const baseUrl = () => config.baseUrl ?? ownAddress(config, (app.server.address() as AddressInfo | null)?.port)
  const service: Service = { door, rateLimit: new RateLimit(), log, metrics: startMetrics(), baseUrl }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/json\s*(;|$)/i,
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => readJsonBody(body),
  )
  app.addContentTypeParser('*', (_, payload, done) => {
    payload.resume()
    done(errors.not_json())
  })
  app.addHook('onRequest', async (request) => {
    if (request.url.length > limits.addressCharacters)
      throw errors.address_too_long({ limit: limits.addressCharacters })
  })
  app.setErrorHandler((fault: FastifyError, request, reply) => answerFault(fault, request, reply))
  app.addHook('onClose', () => door.usage.close())

  for (const call of calls)
    app.route({ method: call.method, url: `/rest${call.path}`, handler: handlerOf(service, call) })
  serveDocumentation()
  serveOperators()
  answerTheRest()
  return app

  function serveDocumentation() {
    const html = {
      ...COMMON_HEADERS,
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': PAGE_POLICY,
    }
    const json = { ...COMMON_HEADERS, 'Content-Type': 'application/json; charset=UTF-8' }
    app.get('/rest', async (_, reply) =>
      reply.headers(json).send(JSON.stringify({ version: release, documentation: `${baseUrl()}/rest/docs` })),
    )
    app.get('/rest/docs', async (_, reply) => reply.headers(html).send(docsPage(calls)))
    app.get('/rest/docs/errors', async (_, reply) => reply.headers(html).send(errorsPage()))
    app.get('/rest/openapi.json', async (_, reply) =>
      reply.headers(json).send(JSON.stringify(openApiOf(calls, baseUrl()))),
    )
  }

  function serveOperators() {
    app.get('/health', async (_, reply) => reply.headers(COMMON_HEADERS).send({ status: 'ok' }))
    app.get('/ready', async (request, reply) => {
      const isReady = await readVersions(db).then(
        () => true,
        () => false,
      )
      if (!isReady) return answerFault(errors.not_ready(), request, reply)
      return reply.headers(COMMON_HEADERS).send({ status: 'ready' })
    })
    // Counts of calls tell what an installation is used for: only for this machine, or with an administrator's key.
    app.get('/metrics', async (request, reply) => {
      const origin = { peer: request.ip, forwardedFor: request.headers['x-forwarded-for'] as string | undefined }
      const { caller, address } = await authenticate(
        door,
        takeCredentials({ ...(request.query as Given) }, undefined, request.headers),
        origin,
      )
      if (!isLoopback(address) && !isIn(caller, 'admin'))
        throw errors.not_allowed({ need: 'it needs membership in admin' })
      return reply
        .headers({ ...COMMON_HEADERS, 'Content-Type': service.metrics.contentType })
        .send(await service.metrics.text())
    })
  }

  /** Paths and methods that no call has: 404, 405 and OPTIONS. */
  function answerTheRest() {
    const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
    const paths = findMyWay({ maxParamLength: limits.addressCharacters })
    for (const { method, path } of calls) paths.on(method, `/rest${path}`, () => {})
    for (const path of [
      '/rest',
      '/rest/docs',
      '/rest/docs/errors',
      '/rest/openapi.json',
      '/health',
      '/ready',
      '/metrics',
    ])
      paths.on('GET', path, () => {})

    app.setNotFoundHandler(async (request, reply) => {
      const path = request.url.split('?')[0] as string
      const possible: string[] = methods.filter((method) => paths.find(method, path) !== null)
      const allowed = [
        ...possible,
        ...(possible.includes('GET') ? ['HEAD'] : []),
        ...(possible.length > 0 ? ['OPTIONS'] : []),
      ].join(', ')
      if (possible.length === 0)
        return answerFault(errors.no_such_resource({ method: request.method, path }), request, reply)
      if (request.method !== 'OPTIONS') {
        return answerFault(
          errors.wrong_method({ method: request.method, allowed }).withHeader('Allow', allowed),
          request,
          reply,
        )
      }
      const headers = { ...COMMON_HEADERS, 'Content-Type': 'application/json; charset=UTF-8', Allow: allowed }
      return reply.headers({ ...headers, ...preflight(allowed) }).send('{}')
    })
  }

  /** What went wrong before a call was reached, or without one. */
  function answerFault(fault: FastifyError | ApiError, request: FastifyRequest, reply: FastifyReply) {
    const known = fault instanceof ApiError ? fault : knownFault(fault, limits.bodyBytes)
    const it = refusal({ log, baseUrl }, known ?? fault, mannerOfFault(request.headers.accept, 'Refused'))
    log.info('refused', { method: request.method, status: it.status, code: known?.code })
    return reply.code(it.status).headers(it.headers).send(it.body)
  }
}

export type App = ReturnType<typeof buildApp>

const FRAMEWORK_FAULTS: Readonly<Record<string, (limit: number) => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (limit) => errors.body_too_large({ limit }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    errors.unreadable_body({ why: 'its length is not what Content-Length says' }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => errors.not_json(),
  FST_ERR_BAD_URL: () => errors.bad_address(),
}

function knownFault(fault: FastifyError, limit: number): ApiError | undefined {
  return FRAMEWORK_FAULTS[fault.code]?.(limit)
}

function preflight(allowed: string) {
  return {
    'Access-Control-Allow-Methods': allowed,
    'Access-Control-Allow-Headers':
      'origin, content-type, accept, x-requested-with, authorization, if-match, if-none-match, idempotency-key, x-tracker-api-key, x-tracker-token, x-tracker-login, x-tracker-password, x-bugzilla-api-key, x-bugzilla-token, x-bugzilla-login, x-bugzilla-password',
    'Access-Control-Expose-Headers': 'ETag, Retry-After',
    'Access-Control-Max-Age': '86400',
  }
}

function ownAddress(config: Config, port: number | undefined) {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `http://${host === '0.0.0.0' ? 'localhost' : host}:${port ?? config.port}`
}
