import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { rawReplies } from '../support/raw-http.ts'
import { describeOnSqlite } from '../support/world.ts'

const CLOSE = 'Connection: close\r\n'
const JSON_POST = 'POST /rest/bug HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

describeOnSqlite('HTTP framing', (world) => {
  /** The status of each response, with the code of the error if it is one. */
  const outcomesOf = async (bytes: string) =>
    (await rawReplies(world.url, bytes)).map(({ status, body }) =>
      status < 400 || !body.startsWith('{') ? status : `${status} ${JSON.parse(body).code}`,
    )

  const OUTCOMES: Record<string, [bytes: string, ...outcomes: (number | string)[]]> = {
    'headers of more than 64 KiB': [get('/rest/version', `X-Long: ${'x'.repeat(70_000)}\r\n`), '431 32000'],
    'a hundred headers': [get('/rest/version', `${'a: b\r\n'.repeat(100)}${CLOSE}`), 200],
    'five thousand headers': [get('/rest/version', `${'a: b\r\n'.repeat(5000)}${CLOSE}`), '431 32000'],
    'Expect: 100-continue': [`${JSON_POST}Expect: 100-continue\r\nContent-Length: 2\r\n${CLOSE}\r\n{}`, 100, '401 410'],
    'an unknown expectation': [get('/rest/version', `Expect: something\r\n${CLOSE}`), 200],
    'Transfer-Encoding together with Content-Length': [
      `${JSON_POST}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n`,
      '400 32000',
    ],
    'two different lengths': [`${JSON_POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, '400 32000'],
    'a length that is not a number': [`${JSON_POST}Content-Length: -2\r\n\r\n{}`, '400 32000'],
    'an unknown transfer coding': [`${JSON_POST}Transfer-Encoding: gzip\r\n\r\n{}`, '400 32000'],
    'a chunk without a length': [`${JSON_POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, '400 32000'],
    'a chunk that is longer than its length': [
      `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
      '400 32000',
    ],
    chunks: [`${JSON_POST}Transfer-Encoding: chunked\r\n${CLOSE}\r\n1\r\n{\r\n1;a=b\r\n}\r\n0\r\n\r\n`, '401 410'],
    'JSON without a body': [`${JSON_POST}${CLOSE}\r\n`, '401 410'],
    'a form without a body': [
      `POST /rest/session/provider/x/logout HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n${CLOSE}\r\n`,
      '400 50',
    ],
    'lines that end with LF only': ['GET /rest/version HTTP/1.1\nHost: x\n\n', '400 32000'],
    'a header that is continued on the next line': [get('/rest/version', `X-Folded: a\r\n b\r\n${CLOSE}`), '400 32000'],
    'a blank before the colon of a header': [get('/rest/version', `X-Blank : a\r\n${CLOSE}`), '400 32000'],
    'a header with a NUL': [get('/rest/version', `X-Nul: a\0b\r\n${CLOSE}`), '400 32000'],
    'no Host': [`GET /rest/version HTTP/1.1\r\n${CLOSE}\r\n`, '400 32000'],
    'no Host in HTTP/1.0': ['GET /rest/version HTTP/1.0\r\n\r\n', 200],
    'two Hosts': [get('/rest/version', `Host: y\r\n${CLOSE}`), 200],
    'an absolute target': [get('http://other.example/rest/version?x=y', CLOSE), 200],
    'an absolute target without a path': [get('http://other.example', CLOSE), 404],
    'a target without a slash': [get('rest/version', CLOSE), '400 32000'],
    'OPTIONS of the server': [`OPTIONS * HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n`, 200],
    'a request to upgrade': [get('/rest/version', 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n'), 200],
    'a request to upgrade to HTTP/2': [
      get(
        '/rest/version',
        'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
      ),
      200,
    ],
    'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 32000'],
    'a tunnel': ['CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    'a request and garbage in one packet': [`${get('/rest/version')}garbage\r\n\r\n`, 200, '400 32000'],
    'two requests and half of one': [
      `${get('/rest/version')}${get('/rest/nothing')}GET /rest/ver\0`,
      200,
      '404 32614',
      '400 32000',
    ],
  }

  for (const [title, [bytes, ...outcomes]] of Object.entries(OUTCOMES))
    it(`responds to ${title} with ${outcomes.join(', ') || 'the end of the connection'}`, async () => {
      assert.deepEqual(await outcomesOf(bytes), outcomes)
    })

  it('closes a connection that ends within a request, after an error response', async () => {
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    socket.end('GET /rest/version HTTP/1.1\r\nHost')
    assert.match(await text(socket), /^HTTP\/1\.1 400 Bad Request\r\n/)
  })

  it('logs every one of them without an internal failure', () => {
    assert.deepEqual(
      world.logged.filter(({ level }) => level === 'error'),
      [],
    )
  })
})

function get(target: string, headers = '') {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
}
