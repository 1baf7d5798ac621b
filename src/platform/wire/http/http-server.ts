import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Method } from '../call.ts'
import { type DiscardLimits, discardRestBeforeClose } from './discard-rest.ts'
import { closeAfterResponse } from './http-socket.ts'
import { refuseInOrder } from './refuse-in-order.ts'
import { type Found, Routes } from './routes.ts'

/** A routed request. */
export interface Request {
  readonly raw: IncomingMessage
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The address of the other end of the connection. */
  readonly peer: string
  /** A copy for this request, from which readers may remove parameters. */
  readonly query: Record<string, unknown>
  /** The variables of its path. */
  readonly path: Readonly<Record<string, string>>
  /** Of a call that is made within the server for another request: its body, and what that request uses. */
  readonly within?: { readonly body: Readonly<Record<string, unknown>> | undefined; readonly resource: string }
}

export type Serve = (request: Request, response: ServerResponse) => unknown

/** Handles requests without a route, and data that is not a request. */
export interface FallbackHandlers {
  /** `methods` are those that the path has: none if it is unknown. */
  notFound: (request: Request, response: ServerResponse, methods: readonly Method[]) => unknown
  tooLong: Serve
  badAddress: Serve
  /** A request of HTTP/1.1 without the header Host. */
  noHost: Serve
  /** Writes the response to data that cannot be parsed as a request. The connection is ended afterwards. */
  broken(fault: ConnectionFault, socket: Socket): void
  /** Handles errors of a request that were not caught elsewhere. */
  failed(fault: unknown, response: ServerResponse): void
  /** A connection that could not be accepted, for example because there are too many. */
  notAccepted(fault: Error): void
}

export type ConnectionFault = Error & { code?: string }

export interface HttpLimits extends DiscardLimits {
  addressCharacters: number
  headerBytes: number
  requestMilliseconds: number
  keepAliveMilliseconds: number
}

/**
 * node:http and a router, without a framework: what a framework does for every request costs as much as a whole small
 * call, and hardly any of it is needed here.
 */
export class HttpServer {
  readonly server: Server
  private readonly ownRoutes = new Routes<Serve>()
  private findShared: (method: Method, url: string) => Found<Serve> | undefined = () => undefined
  private readonly elsewhere: FallbackHandlers
  private readonly limits: HttpLimits
  private readonly root: string
  private readonly sockets = new Set<Socket>()
  private readonly refused = new Set<Socket>()
  private arrived: [IncomingMessage, ServerResponse][] = []

  /** `root` is the path of the base address. Requests may have it or not: some proxies remove it, others do not. */
  constructor(limits: HttpLimits, elsewhere: FallbackHandlers, root: string) {
    this.root = root
    this.elsewhere = elsewhere
    this.limits = limits
    this.server = createServer(optionsFrom(limits), (raw, response) => this.gather(raw, response))
    // Unknown expectations are ignored; otherwise Node itself would respond.
    this.server.on('checkExpectation', (raw, response) => this.gather(raw, response))
    this.server.on('clientError', (fault, socket) => this.refuse(fault, socket as Socket))
    this.server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.once('close', () => {
        this.sockets.delete(socket)
        this.refused.delete(socket)
      })
    })
  }

  on(method: Method, path: string, serve: Serve) {
    this.ownRoutes.add(method, path, serve)
  }

  /** Serves routes that other servers may serve too, in their own way. They take precedence over those of `on`. */
  serveShared<Target>(routes: Routes<Target>, serveOf: ReadonlyMap<Target, Serve>) {
    this.findShared = (method, url) => {
      const found = routes.find(method, url)
      if (found === undefined) return undefined
      const { target, query, path } = found
      return { target: target === null ? null : (serveOf.get(target) as Serve), query, path }
    }
  }

  private find(method: Method, url: string): Found<Serve> | undefined {
    return this.findShared(method, url) ?? this.ownRoutes.find(method, url)
  }

  /** Returns the address that it listens on. */
  listen({ host, port }: { host: string; port: number }): Promise<string> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen({ host, port }, () => {
        this.server.off('error', reject)
        this.server.on('error', (fault) => this.elsewhere.notAccepted(fault))
        const { address, port: own, family } = this.server.address() as AddressInfo
        resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${own}`)
      })
    })
  }

  /** Accepts no more connections; resolves when the last request is answered. */
  async close(): Promise<void> {
    if (!this.server.listening) return
    for (const socket of this.sockets) closeAfterResponse(socket)
    // A connection whose last response was just sent would otherwise be kept open for the next request.
    const idle = setInterval(() => this.closeIdle(), IDLE_MILLISECONDS)
    await new Promise((resolve) => this.server.close(resolve))
    clearInterval(idle)
  }

  /** Also closes connections that were opened in advance and never used, which Node does not consider idle. */
  private closeIdle() {
    this.server.closeIdleConnections()
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  /**
   * Requests that arrive together are processed together, step by step: running the same step for many requests is
   * twice as fast as running all steps for each in turn, because code and data stay in the processor's caches.
   */
  private gather(raw: IncomingMessage, response: ServerResponse) {
    // A pipelined request begins when the response before it is sent: a client that reads nothing makes no more work.
    if (response.socket === null) return void response.once('socket', () => this.gather(raw, response))
    this.arrived.push([raw, response])
    if (this.arrived.length === 1) setImmediate(this.takeAll)
  }

  private readonly takeAll = () => {
    const { arrived } = this
    this.arrived = []
    for (const [raw, response] of arrived) {
      if (!raw.complete) {
        // Its body is malformed, and it has its response.
        if (this.refused.has(raw.socket)) continue
        discardRestBeforeClose(raw, this.limits)
      }
      this.serve(raw, response)
    }
  }

  /** A request that is cut off, malformed or too slow. A connection that was ended already has its response. */
  private refuse(fault: ConnectionFault, socket: Socket) {
    if (fault.code === 'ECONNRESET' || socket.destroyed || socket.writableFinished) return void socket.destroy()
    if (!socket.writable || this.refused.has(socket)) return
    this.refused.add(socket)
    refuseInOrder(socket, this.limits, () => this.elsewhere.broken(fault, socket))
  }

  private serve(raw: IncomingMessage, response: ServerResponse) {
    try {
      const serving = this.take(raw, response)
      if (serving instanceof Promise) serving.catch((fault) => this.elsewhere.failed(fault, response))
    } catch (fault) {
      this.elsewhere.failed(fault, response)
    }
  }

  private take(raw: IncomingMessage, response: ServerResponse): unknown {
    const { method = 'GET' } = raw
    const url = this.withoutRoot(raw.url ?? '/')
    if (!this.server.listening) response.setHeader('Connection', 'close')
    if (raw.headers.host === undefined && raw.httpVersion === '1.1')
      return this.elsewhere.noHost(requestFrom(raw, url), response)
    if (url.length > this.limits.addressCharacters) return this.elsewhere.tooLong(requestFrom(raw, url), response)
    const found = this.find((method === 'HEAD' ? 'GET' : method) as Method, url)
    if (found === undefined) return this.elsewhere.notFound(requestFrom(raw, url), response, this.methodsOf(url))
    if (found.target === null) return this.elsewhere.badAddress(requestFrom(raw, url), response)
    const request: Request = {
      raw,
      method,
      url,
      headers: raw.headers,
      peer: raw.socket.remoteAddress ?? '',
      query: found.query,
      path: found.path,
    }
    return found.target(request, response)
  }

  private methodsOf(url: string): Method[] {
    const path = url.split('?')[0] as string
    return METHODS.filter((method) => this.find(method, path)?.target)
  }

  private withoutRoot(url: string) {
    if (this.root === '' || !url.startsWith(this.root)) return url
    return url[this.root.length] === '/' ? url.slice(this.root.length) : url
  }
}

const IDLE_MILLISECONDS = 50

const METHODS: Method[] = ['GET', 'POST', 'PUT', 'DELETE']

/** A request without a route. Its query is parsed anyway, because it determines the format of the response. */
function requestFrom(raw: IncomingMessage, url: string): Request {
  const start = url.indexOf('?')
  const query = Object.fromEntries(new URLSearchParams(start === -1 ? '' : url.slice(start + 1)))
  const { method = 'GET', headers } = raw
  return { raw, method, url, headers, peer: raw.socket.remoteAddress ?? '', query, path: {} }
}

function optionsFrom({ headerBytes, requestMilliseconds, keepAliveMilliseconds }: HttpLimits): ServerOptions {
  return {
    maxHeaderSize: headerBytes,
    headersTimeout: requestMilliseconds,
    requestTimeout: requestMilliseconds,
    connectionsCheckingInterval: requestMilliseconds / 2,
    keepAliveTimeout: keepAliveMilliseconds,
    // Node would refuse such a request in a form of its own; see noHost.
    requireHostHeader: false,
    // Saves the life of a stream that nobody reads, a tenth of what Node takes for a read. Readers of bodies look at their length first.
    optimizeEmptyRequests: true,
  }
}
