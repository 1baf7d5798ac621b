import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Reply = object | ((request: IncomingMessage, response: ServerResponse) => void)

/** A server that answers what a test wants, by the path below /rest, and notes what was asked. */
export class AnsweringServer {
  readonly requests: { method: string; path: string; key: string | undefined; body: string }[] = []
  url = ''
  private readonly replies: ReadonlyMap<string, Reply>
  private readonly server = createServer((request, response) => void this.reply(request, response))

  constructor(replies: Readonly<Record<string, Reply>>) {
    this.replies = new Map(Object.entries(replies))
  }

  async open() {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    return this
  }

  close() {
    this.server.closeAllConnections()
    this.server.close()
  }

  private async reply(request: IncomingMessage, response: ServerResponse) {
    let body = ''
    for await (const chunk of request) body += chunk
    const path = (request.url ?? '').replace(/^\/rest(?:\.cgi)?/, '').split('?')[0] ?? ''
    const key = request.headers['x-bugzilla-api-key'] as string | undefined
    this.requests.push({ method: request.method ?? '', path, key, body })
    const reply = this.replies.get(`${request.method} ${path}`) ?? this.replies.get(path)
    if (typeof reply === 'function') return reply(request, response)
    const missing = { code: 32614, error: true, message: `No such resource: ${path}` }
    const status = (reply as { status?: number } | undefined)?.status
    response.writeHead(reply === undefined ? 404 : typeof status === 'number' ? status : 200, {
      'Content-Type': 'application/json',
    })
    response.end(JSON.stringify(reply ?? missing))
  }
}
