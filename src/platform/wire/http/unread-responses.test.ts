import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { JsonPieces, wholeOrPieces } from '../json/json-pieces.ts'
import { ResponseMemory, STREAMED_RESPONSE_BYTES } from './response-memory.ts'
import { sendLongBody, sendStream } from './send-body.ts'
import { type UnreadLimits, UnreadResponses } from './unread-responses.ts'

const MEGABYTE = 1024 * 1024
const LIMITS = { unreadBytes: 100 * MEGABYTE, unreadBytesOfOneCaller: 50 * MEGABYTE, standstillMilliseconds: 400 }

type Send = (response: ServerResponse) => unknown

const BODY = 'x'.repeat(24 * MEGABYTE)
const sendBody: Send = (response) =>
  sendLongBody(response.writeHead(200, { 'Content-Length': BODY.length }), BODY, 'latin1')
const sendEndless: Send = (response) => {
  const pieces = function* () {
    for (;;) yield 'x'.repeat(64 * 1024)
  }
  sendStream(response.writeHead(200), Readable.from(pieces(), { highWaterMark: 1 })).catch(() => {})
}

/** A server that counts its unread responses, and a client that has sent one request and reads nothing. */
async function opened(
  send: Send,
  use: (client: Socket, unread: UnreadResponses, server: Server) => Promise<void>,
  limits: Partial<UnreadLimits> = {},
) {
  const unread = new UnreadResponses({ ...LIMITS, ...limits })
  const server = createServer((_, response) => {
    const memory = new ResponseMemory(unread, response, 'caller')
    memory.hold(MEGABYTE)
    send(response)
    unread.watch(response, memory)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  try {
    await use(client, unread, server)
  } finally {
    client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

describe('a response that its client does not read', () => {
  for (const [what, send] of Object.entries({ 'a long body': sendBody, 'a stream': sendEndless })) {
    it(`closes the connection after a while: ${what}`, () =>
      opened(send, async (client, unread) => {
        await waitUntil(() => unread.counts().responses === 1)
        assert.equal(unread.counts().bytes, MEGABYTE)
        // Bytes that the client sends are no sign that it reads.
        client.write('GET / HTTP/1.1\r\n')
        const noise = setInterval(() => client.write('X-A: b\r\n'), 20)
        await waitUntil(() => unread.counts().responses === 0)
        clearInterval(noise)
        assert.deepEqual(unread.counts(), { responses: 0, bytes: 0, cut: 1 })
      }))
  }

  it('is not cut off while the client reads, however slowly', () =>
    opened(sendBody, async (client, unread) => {
      let bytes = 0
      const reader = setInterval(() => {
        bytes += client.read(8 * MEGABYTE)?.length ?? client.read()?.length ?? 0
      }, 100)
      await waitUntil(() => bytes >= BODY.length)
      clearInterval(reader)
      await waitUntil(() => unread.counts().responses === 0)
      assert.equal(unread.counts().cut, 0)
    }))

  it('leaves no room for others of the same caller, nor in all, beyond the limits', () =>
    opened(
      sendEndless,
      async (_, unread) => {
        await waitUntil(() => unread.counts().responses === 1)
        assert.ok(unread.hasRoomFor('caller', MEGABYTE))
        assert.ok(!unread.hasRoomFor('caller', 2 * MEGABYTE))
        assert.ok(unread.hasRoomFor('other', 3 * MEGABYTE), 'the only response of a caller')
        assert.ok(!unread.hasRoomFor('other', 4 * MEGABYTE))
      },
      { unreadBytes: 4 * MEGABYTE, unreadBytesOfOneCaller: 2 * MEGABYTE, standstillMilliseconds: 60_000 },
    ))

  it('is sent to its end when the server closes', () =>
    opened(
      sendBody,
      async (client, unread, server) => {
        await waitUntil(() => unread.counts().responses === 1)
        server.close()
        let bytes = 0
        client.on('data', (data: Buffer) => {
          bytes += data.length
          if (bytes > BODY.length) server.closeIdleConnections()
        })
        await once(client, 'close')
        assert.ok(bytes > BODY.length, String(bytes))
      },
      { standstillMilliseconds: 60_000 },
    ))
})

async function waitUntil(isReached: () => boolean) {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('a response that would take too much memory', () => {
  it('is refused before it is made, and its memory is free when the connection closes', () =>
    opened(
      sendEndless,
      async (client, unread) => {
        await waitUntil(() => unread.counts().responses === 1)
        const socket = new Socket()
        const response = new ServerResponse(new IncomingMessage(socket))
        response.assignSocket(socket)
        const memory = new ResponseMemory(unread, response, 'caller')
        let made = 0
        async function* pieces() {
          for (; made < 100; made++) yield 'x'.repeat(50_000)
        }
        await assert.rejects(wholeOrPieces(pieces(), memory), { code: 32000 })
        assert.equal(made, 1)
        assert.equal(unread.counts().bytes, MEGABYTE)
        client.destroy()
        await waitUntil(() => unread.counts().bytes === 0)
        assert.equal((await wholeOrPieces(pieces(), memory)) instanceof JsonPieces, true)
        assert.equal(unread.counts().bytes, STREAMED_RESPONSE_BYTES)
        socket.destroy()
        await waitUntil(() => unread.counts().bytes === 0)
      },
      { unreadBytes: 4 * MEGABYTE, unreadBytesOfOneCaller: 2 * MEGABYTE, standstillMilliseconds: 60_000 },
    ))
})
