import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { writeHead } from './write-head.ts'

const BODY = 'said'
const USUAL = { Vary: 'Accept', 'Content-Type': 'text/plain', Empty: '' }

describe('the head of a response', () => {
  let write: (response: ServerResponse) => void = () => {}
  const server = createServer((_, response) => {
    try {
      write(response)
      response.end(BODY)
    } catch (fault) {
      response.writeHead(500, 'Failed').end(String((fault as { code?: string }).code))
    }
  })
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(() => server.close())

  /** Everything that is sent, except the date. */
  const sent = async (request: string, how: (response: ServerResponse) => void) => {
    write = how
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(request)
    return (await text(socket)).replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]+ GMT/g, '')
  }

  const REQUESTS = {
    GET: 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    HEAD: 'HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'HTTP/1.0': 'GET / HTTP/1.0\r\n\r\n',
    'two requests': 'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'an expectation': 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
  }
  const HEADERS: Record<string, Record<string, string | string[]>> = {
    'the usual headers': USUAL,
    'the usual headers again': USUAL,
    'another value': { ...USUAL, Vary: 'Cookie' },
    'a list of values': { ...USUAL, 'Set-Cookie': ['a=b', 'c=d'] },
    'the end of the connection': { ...USUAL, Connection: 'close' },
    'a date of its own': { ...USUAL, Date: 'today' },
    'the name of a file': { ...USUAL, 'Content-Disposition': 'inline; filename="ä"' },
    'a line end in a value': { ...USUAL, Vary: 'a\r\nb: c' },
    'a line end in a name': { ...USUAL, 'a\r\nb': 'c' },
  }

  for (const [kind, request] of Object.entries(REQUESTS))
    for (const [what, headers] of Object.entries(HEADERS))
      it(`is the one of Node for ${kind} with ${what}`, async () => {
        const length = Buffer.byteLength(BODY)
        for (const status of [200, 201, 304, 404]) {
          const ours = await sent(request, (response) => writeHead(response, status, headers, length))
          const nodes = await sent(request, (response) =>
            response.writeHead(status, { ...headers, 'Content-Length': String(length) }),
          )
          assert.equal(ours, nodes, String(status))
        }
      })

  it('has the headers that were set before', async () => {
    const ours = await sent(REQUESTS.GET, (response) => {
      response.setHeader('Connection', 'close')
      writeHead(response, 200, USUAL, BODY.length)
    })
    assert.match(ours, /\r\nConnection: close\r\n/)
    assert.match(ours, /\r\nVary: Accept\r\n/)
  })
})
