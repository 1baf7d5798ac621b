import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where the browser brings the answer to a program on the same computer. */
export class CallbackServer {
  private readonly server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<!doctype html><title>Done</title><main id="main">Done</main>')
    if (url.pathname !== '/callback') return
    for (const resolve of this.arrived.splice(0)) resolve(url.searchParams)
  })
  private readonly arrived: ((answer: URLSearchParams) => void)[] = []

  async open(): Promise<this> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.server.unref()
    return this
  }

  get address() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/callback`
  }

  /** The query of the next answer. */
  answer(): Promise<URLSearchParams> {
    return new Promise((resolve) => this.arrived.push(resolve))
  }

  close() {
    this.server.close()
    this.server.closeAllConnections()
  }
}
