import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { bareServer } from '../../../../test/support/bare-server.ts'
import { rawReplies, repliesIn } from '../../../../test/support/raw-http.ts'
import type { HttpServer } from './http-server.ts'

/** A request whose handler waits until the test lets it go on. */
interface Held {
  response: ServerResponse
  release(): void
}

/** `/fine` answers at once, `/held/:name` when the test says so, `/echo` with its body, `/early` before its body has arrived. */
class Connections {
  readonly faults: unknown[]
  readonly http: HttpServer
  /** Resolves when the body of a request to `/echo` ends before all of its bytes have arrived. */
  readonly cutBody: Promise<unknown>
  url = ''
  private readonly waiting: ((held: Held) => void)[] = []

  constructor(limits: Parameters<typeof bareServer>[0] = {}) {
    const { http, faults } = bareServer(limits)
    this.http = http
    this.faults = faults
    http.on('GET', '/fine', (_, response) => send(response, 'fine'))
    http.on('GET', '/held/:name', async ({ path }, response) => {
      await new Promise<void>((release) => this.waiting.shift()?.({ response, release }))
      send(response, path.name ?? '')
    })
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.cutBody = promise
    http.on('POST', '/echo', async ({ raw }, response) => {
      const body = await text(raw).catch((fault) => resolve(fault))
      if (body !== undefined) send(response, body)
    })
    http.on('POST', '/early', (_, response) => send(response, 'early'))
  }

  async listen() {
    this.url = await this.http.listen({ host: '127.0.0.1', port: 0 })
  }

  /** The next request to `/held/…`. */
  nextHeld(): Promise<Held> {
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  open(): Socket {
    return connect(Number(new URL(this.url).port), '127.0.0.1')
  }
}

function send(response: ServerResponse, body: string) {
  response.writeHead(200, { 'Content-Length': Buffer.byteLength(body) }).end(body)
}

function request(path: string, more = '') {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
}

function bodiesOf(replies: { status: number; body: string }[]) {
  return replies.map(({ status, body }) => (status === 200 ? body : status))
}

/** What arrives on a connection until the server ends it. */
async function untilEnd(socket: Socket) {
  return repliesIn(await text(socket))
}

describe('a connection', () => {
  const connections = new Connections()
  before(() => connections.listen())
  after(() => connections.http.close())
  const replies = (bytes: string) => rawReplies(connections.url, bytes)

  describe('that is kept alive', () => {
    it('serves one request after another', async () => {
      const socket = connections.open()
      for (const _ of [1, 2, 3]) {
        socket.write(request('/fine'))
        const [reply] = repliesIn(String((await once(socket, 'data'))[0]))
        assert.deepEqual([reply?.status, reply?.body, reply?.headers.get('connection')], [200, 'fine', 'keep-alive'])
        assert.equal(reply?.headers.get('keep-alive'), 'timeout=5')
      }
      socket.destroy()
    })

    it('ends after a request with Connection: close', async () => {
      const [reply, ...more] = await replies(request('/fine', 'Connection: close\r\n'))
      assert.deepEqual([reply?.body, reply?.headers.get('connection'), more.length], ['fine', 'close', 0])
    })

    it('ends after a request of HTTP/1.0, unless the client wants to keep it', async () => {
      assert.deepEqual(bodiesOf(await replies('GET /fine HTTP/1.0\r\n\r\n')), ['fine'])
      const both = await replies('GET /fine HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /fine HTTP/1.0\r\n\r\n')
      assert.deepEqual(bodiesOf(both), ['fine', 'fine'])
    })

    it('is closed when it was idle for its time', async () => {
      const short = new Connections({ keepAliveMilliseconds: 20 })
      await short.listen()
      assert.deepEqual(bodiesOf(await rawReplies(short.url, request('/fine'))), ['fine'])
      await short.http.close()
    })
  })

  describe('with several requests in one packet', () => {
    it('gets their responses in order, even if the first takes longest', async () => {
      const held = connections.nextHeld()
      const all = replies(request('/held/first') + request('/fine') + request('/nothing', 'Connection: close\r\n'))
      ;(await held).release()
      assert.deepEqual(bodiesOf(await all), ['first', 'fine', 404])
    })

    it('begins each when the response before it is sent', async () => {
      const [first, second] = [connections.nextHeld(), connections.nextHeld()]
      let hasBegun = false
      second.then(() => {
        hasBegun = true
      }, assert.ifError)
      const all = replies(request('/held/first') + request('/held/second', 'Connection: close\r\n'))
      const { release } = await first
      await replies(request('/fine', 'Connection: close\r\n'))
      assert.equal(hasBegun, false)
      release()
      ;(await second).release()
      assert.deepEqual(bodiesOf(await all), ['first', 'second'])
    })

    it('gets no response to what comes after Connection: close', async () => {
      assert.deepEqual(bodiesOf(await replies(request('/fine', 'Connection: close\r\n') + request('/fine'))), ['fine'])
      assert.deepEqual(bodiesOf(await replies(`${request('/fine', 'Connection: close\r\n')}garbage`)), ['fine'])
    })

    it('gets the responses to its requests, and 400 to the garbage after them', async () => {
      assert.deepEqual(bodiesOf(await replies(`${request('/fine')}garbage\r\n\r\n`)), ['fine', 400])
      assert.deepEqual(bodiesOf(await replies(`${request('/fine')}${request('/nothing')}\0\0`)), ['fine', 404, 400])
      const echo = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhigarbage\r\n\r\n'
      assert.deepEqual(bodiesOf(await replies(echo)), ['hi', 400])
    })

    it('gets 400 for a body that is malformed, after the responses before it', async () => {
      const chunked = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`
      assert.deepEqual(bodiesOf(await replies(chunked('/echo'))), [400])
      assert.deepEqual(bodiesOf(await replies(request('/fine') + chunked('/echo'))), ['fine', 400])
    })
  })

  it('gets the response to a request that takes long, and then 400 to the garbage that came meanwhile', async () => {
    const socket = connections.open()
    const held = connections.nextHeld()
    const all = untilEnd(socket)
    socket.write(request('/held/slow'))
    const { release } = await held
    const noticed = once(connections.http.server, 'clientError')
    socket.write('garbage\r\n\r\n')
    await noticed
    socket.write('more garbage\r\n\r\n')
    release()
    assert.deepEqual(bodiesOf(await all), ['slow', 400])
  })

  it('gets one response to a request whose body turns out to be malformed after it was answered', async () => {
    const socket = connections.open()
    const all = untilEnd(socket)
    socket.write('POST /early HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n')
    await once(socket, 'data')
    socket.write('abcdezz\r\n')
    assert.deepEqual(bodiesOf(await all), ['early'])
  })
})

describe('a request that takes too long to arrive', () => {
  const connections = new Connections({ requestMilliseconds: 40 })
  before(() => connections.listen())
  after(() => connections.http.close())
  const codesOf = async (bytes: string) =>
    (await rawReplies(connections.url, bytes)).map(({ body, headers }) => headers.get('x-code') ?? body)
  const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT'

  it('is refused while its headers are missing', async () => {
    assert.deepEqual(await codesOf('GET /fine HTTP/1.1\r\nHost: x\r\n'), [TOO_SLOW])
    assert.deepEqual(await codesOf(`${request('/fine')}GET /fi`), ['fine', TOO_SLOW])
  })

  it('is refused while its body is missing', async () => {
    assert.deepEqual(await codesOf('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc'), [TOO_SLOW])
    assert.ok(await connections.cutBody)
  })

  it('does not count the time that its response takes', async () => {
    const held = connections.nextHeld()
    const reply = codesOf(request('/held/long', 'Connection: close\r\n'))
    const { release } = await held
    await codesOf('GET /fine HTTP/1.1\r\nHost: x\r\n')
    release()
    assert.deepEqual(await reply, ['long'])
  })
})

describe('a client that leaves', () => {
  const connections = new Connections()
  before(() => connections.listen())
  after(() => connections.http.close())
  after(() => assert.deepEqual(connections.faults, []))

  it('while it sends a body ends the reading of the body', async () => {
    const socket = connections.open()
    const arrived = once(connections.http.server, 'request')
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc')
    await arrived
    socket.resetAndDestroy()
    assert.ok(await connections.cutBody)
  })

  it('while its response is made is noticed, and the response is dropped', async () => {
    const socket = connections.open()
    const held = connections.nextHeld()
    socket.write(request('/held/late'))
    const { response, release } = await held
    const closed = once(response, 'close')
    socket.destroy()
    await closed
    assert.equal(response.writableFinished, false)
    release()
    assert.deepEqual(bodiesOf(await rawReplies(connections.url, request('/fine', 'Connection: close\r\n'))), ['fine'])
  })

  it('while its response is streamed ends the source of the stream', async () => {
    const source = new Readable({ read: () => void setImmediate(() => source.push(Buffer.alloc(64 * 1024))) })
    let sent: Promise<unknown> = Promise.resolve()
    connections.http.on('GET', '/endless', (_, response) => {
      sent = assert.rejects(pipeline(source, response.writeHead(200)), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
    })
    const socket = connections.open()
    socket.write(request('/endless'))
    await once(socket, 'data')
    socket.destroy()
    await sent
    assert.equal(source.destroyed, true)
  })
})

describe('a server that is closed', () => {
  it('finishes its requests with Connection: close, drops idle connections and accepts no more', async () => {
    const connections = new Connections()
    await connections.listen()
    const { http, url } = connections
    const [unused, idle, busy] = [connections.open(), connections.open(), connections.open()]
    idle.write(request('/fine'))
    await once(idle, 'data')
    const held = connections.nextHeld()
    busy.write(request('/held/last'))
    const { release } = await held
    const closed = http.close()
    const ended = Promise.all([once(unused.resume(), 'close'), once(idle.resume(), 'close')])
    await ended
    await assert.rejects(fetch(url), (fault: Error) => (fault.cause as NodeJS.ErrnoException).code === 'ECONNREFUSED')
    release()
    const [reply, ...more] = await untilEnd(busy)
    assert.deepEqual([reply?.body, reply?.headers.get('connection'), more.length], ['last', 'close', 0])
    await closed
  })

  it('gives all pipelined requests their responses', async () => {
    const connections = new Connections()
    await connections.listen()
    const socket = connections.open()
    const first = connections.nextHeld()
    socket.write(request('/held/one') + request('/held/two'))
    const all = untilEnd(socket)
    const { release } = await first
    const second = connections.nextHeld()
    const closed = connections.http.close()
    release()
    ;(await second).release()
    assert.deepEqual(bodiesOf(await all), ['one', 'two'])
    await closed
  })
})
