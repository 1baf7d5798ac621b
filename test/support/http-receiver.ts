import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FeedEvent } from './event-source.ts'

/** What a webhook sends: an event of the feed, in an envelope. */
export interface WebhookMessage {
  version: number
  id: number
  type: string
  timestamp: string
  data: Omit<FeedEvent, 'id' | 'type' | 'time'>
}

/** A POST request to a receiver. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  body: WebhookMessage
}

/** How a receiver responds: with a status, or with a typical fault. */
export type Manner =
  | number
  | 'hang'
  | 'drop'
  | 'drop halfway'
  | 'endless'
  | 'not http'
  | { redirect: string; status?: number }
  | { after: number }
  | { released: Promise<unknown> }
  | { status: number; retryAfter: string }

/** A real HTTP server as the target of webhooks. Each path can have its own response; other paths return 204. */
export class HttpReceiver {
  readonly received: Received[] = []
  readonly manners = new Map<string, Manner>()
  url = ''
  port = 0
  private readonly server = createServer((request, response) => void this.take(request, response))
  private waiting: (() => void)[] = []

  async open(host = '127.0.0.1') {
    await new Promise<void>((resolve) => this.server.listen(0, host, resolve))
    this.port = (this.server.address() as AddressInfo).port
    this.url = `http://${host}:${this.port}`
  }

  async close() {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  at(path: string) {
    return this.received.filter((it) => it.path === path)
  }

  /** Waits until the path has received this many requests. */
  async until(path: string, count: number, milliseconds = 10_000): Promise<Received[]> {
    const deadline = Date.now() + milliseconds
    while (this.at(path).length < count) {
      const left = deadline - Date.now()
      if (left <= 0) throw new Error(`Only ${this.at(path).length} of ${count} came to ${path}`)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve)
        setTimeout(resolve, left)
      })
    }
    return this.at(path)
  }

  private async take(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const path = request.url ?? ''
    this.received.push({ path, headers: request.headers, text, body: text === '' ? undefined : JSON.parse(text) })
    for (const resolve of this.waiting) resolve()
    this.waiting = []
    behave(this.manners.get(path) ?? 204, request, response)
  }
}

function behave(format: Manner, request: IncomingMessage, response: ServerResponse) {
  if (typeof format === 'number') return void response.writeHead(format).end()
  if (format === 'hang') return
  if (format === 'drop') return void request.socket.destroy()
  if (format === 'not http') return void request.socket.end('SSH-2.0-OpenSSH_9.7\r\n')
  if (format === 'drop halfway') {
    response.writeHead(200, { 'Content-Length': '1000' }).write('half of it')
    return void setTimeout(() => request.socket.destroy(), 20)
  }
  if (format === 'endless') {
    response.writeHead(200)
    const chunk = Buffer.alloc(16_384, 97)
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    return more()
  }
  if ('released' in format) return void format.released.then(() => response.writeHead(204).end())
  if ('after' in format) return void setTimeout(() => response.writeHead(204).end(), format.after)
  if ('retryAfter' in format) return void response.writeHead(format.status, { 'Retry-After': format.retryAfter }).end()
  response.writeHead(format.status ?? 307, { Location: format.redirect }).end()
}
