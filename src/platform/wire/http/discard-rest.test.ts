import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bareServer } from '../../../../test/support/bare-server.ts'
import { openSocket, replyOn, slowUpload } from '../../../../test/support/slow-upload.ts'
import type { HttpLimits, HttpServer } from './http-server.ts'

const KIB = 1024

function serverWith(limits: Partial<HttpLimits>) {
  const { http } = bareServer(limits)
  http.on('POST', '/early', (_, response) => response.writeHead(413, { 'Content-Length': 8 }).end('too long'))
  return http
}

/** Resolves when the server has closed the next connection that is opened. */
function nextClosed(http: HttpServer): Promise<void> {
  return new Promise((resolve) => http.server.once('connection', (socket) => socket.once('close', () => resolve())))
}

const upload = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n${more}\r\n`

describe('a connection that is closed before its request was read', () => {
  const http = serverWith({ discardBytes: 4096 * KIB, discardMilliseconds: 20_000 })
  let url = ''
  before(async () => {
    url = await http.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => http.close())

  it('discards the rest of a body, so that the client gets the response', async () => {
    assert.match(await slowUpload(url, upload('/early', 2048 * KIB), 2048 * KIB), /^HTTP\/1\.1 413 .*too long$/s)
    assert.match(await slowUpload(url, upload('/nothing', 2048 * KIB), 2048 * KIB), /^HTTP\/1\.1 404 .*none$/s)
  })

  it('discards the rest of a chunked body, and of HTTP/1.0', async () => {
    const chunked =
      'POST /early HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n'
    assert.match(await slowUpload(url, chunked, 2048 * KIB), /^HTTP\/1\.1 413 .*too long$/s)
    const old = `POST /early HTTP/1.0\r\nContent-Length: ${2048 * KIB}\r\n\r\n`
    assert.match(await slowUpload(url, old, 2048 * KIB), /^HTTP\/1\.1 413 .*too long$/s)
  })

  it('discards the rest of a body with an unknown expectation', async () => {
    const beginning = upload('/early', 2048 * KIB, 'Expect: something\r\n')
    assert.match(await slowUpload(url, beginning, 2048 * KIB), /^HTTP\/1\.1 413 .*too long$/s)
  })

  it('discards the rest of data that is not a request', async () => {
    assert.match(await slowUpload(url, 'nonsense\r\n\r\n', 2048 * KIB), /^HTTP\/1\.1 400 Bad\r\nX-Code: HPE_\w+\r\n/)
    const headers = `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(20 * KIB)}`
    assert.match(await slowUpload(url, headers, 2048 * KIB), /X-Code: HPE_HEADER_OVERFLOW\r\n/)
    const chunk = upload('/nothing', 5).replace('Content-Length: 5', 'Transfer-Encoding: chunked')
    assert.match(await slowUpload(url, `${chunk}zz\r\n`, 2048 * KIB), /^HTTP\/1\.1 /)
  })

  it('is closed at once when the request was read', async () => {
    const socket = openSocket(url)
    const closed = nextClosed(http)
    const { whole } = replyOn(socket)
    socket.write(`${upload('/early', 3)}abc`)
    await closed
    socket.end()
    assert.match(await whole, /^HTTP\/1\.1 413 /)
  })
})

describe('what is discarded before a connection is closed', () => {
  it('is limited in bytes', async () => {
    const http = serverWith({ discardBytes: 256 * KIB, discardMilliseconds: 60_000 })
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    await assert.rejects(slowUpload(url, upload('/early', 2 ** 30), 2 ** 30), /EPIPE|ECONNRESET/)
    await assert.rejects(slowUpload(url, 'nonsense\r\n\r\n', 2 ** 30), /EPIPE|ECONNRESET/)
    await http.close()
  })

  it('is limited in time', async () => {
    const http = serverWith({ discardBytes: 256 * KIB, discardMilliseconds: 20 })
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    for (const beginning of [upload('/early', 1000), 'nonsense\r\n\r\n']) {
      const closed = nextClosed(http)
      const socket = openSocket(url)
      const { started } = replyOn(socket)
      socket.write(beginning)
      await started
      await closed
      socket.destroy()
    }
    await http.close()
  })

  it('begins when a request takes too long', async () => {
    const http = serverWith({ discardBytes: 4096 * KIB, discardMilliseconds: 20_000, requestMilliseconds: 40 })
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    assert.match(await slowUpload(url, 'POST /early HT', 2048 * KIB), /X-Code: ERR_HTTP_REQUEST_TIMEOUT\r\n/)
    await http.close()
  })
})
