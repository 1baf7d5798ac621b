import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { REST_DEFAULTS, RestServer } from '../../src/moving/rest-client/rest-server.ts'
import { verifyServers } from '../../src/moving/verify/verify-servers.ts'
import { NO_PROGRESS } from '../../src/platform/progress.ts'
import { freePort } from '../support/free-port.ts'

const OPTIONS = { ...REST_DEFAULTS, attempts: 3, firstWaitMilliseconds: 1, largestAnswerBytes: 100_000 }
const KEY = 'a-secret-key'

type Behaviour = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** A server in which each path behaves in its own way. */
describe('a REST server that misbehaves', () => {
  const counts = new Map<string, number>()
  const behaviours = new Map<string, Behaviour>()
  const seen: string[] = []
  let url = ''
  const json = (response: ServerResponse, body: unknown, status = 200, headers = {}) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/[?].*/, '')
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    seen.push(`${request.url} ${request.headers['x-bugzilla-api-key'] ?? ''}`)
    const behaviour = behaviours.get(path)
    if (behaviour !== undefined) behaviour(request, response, count)
    else if (path.endsWith('/version')) json(response, { version: '5.0.4' })
    else response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not here</h1>')
  })
  const behave = (path: string, behaviour: Behaviour) => behaviours.set(path, behaviour)

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('is asked again after faults that pass, as late as it says', async () => {
    behave('/rest/busy', (_, response, count) =>
      count < 3 ? json(response, {}, count === 1 ? 429 : 503, { 'Retry-After': '0' }) : json(response, { fine: true }),
    )
    behave('/rest/broken', (request, response, count) =>
      count === 1 ? request.socket.destroy() : json(response, { error: true, code: 100500, message: 'x' }, 500),
    )
    const rest = await RestServer.open(`${url}/rest/`, OPTIONS)
    assert.deepEqual(await rest.get('busy', KEY), { status: 200, body: { fine: true } })
    assert.equal((await rest.get('broken', KEY)).status, 500)
    assert.ok(seen.includes(`/rest/busy?api_key=${KEY} ${KEY}`), 'a Bugzilla of release 5 gets the key in the address')
  })

  it('gives a sentence without the key, whatever it does', async () => {
    const rest = await RestServer.open(url, { ...OPTIONS, timeoutMilliseconds: 300 })
    const chunk = Buffer.alloc(16_384, 0x20)
    behave('/rest/endless', (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    behave('/rest/slow', (_, response) => void response.writeHead(200).write('{'))
    behave('/rest/deep', (_, response) => void response.end(`["\\"[",${'['.repeat(5000)}${']'.repeat(5000)}]`))
    behave('/rest/text', (_, response) => void response.end('hello'))
    behave('/rest/loop', (_, response) => void response.writeHead(302, { Location: '/rest/loop' }).end())
    behave('/rest/away', (_, response) => void response.writeHead(302, { Location: 'http://elsewhere.test/' }).end())
    for (const [call, sentence] of [
      ['endless', /larger than 0 MiB/],
      ['deep', /nested too deeply/],
      ['slow', /did not arrive in time/],
      ['text', /something else than JSON/],
      ['loop', /is redirected to http:\/\/127\.0\.0\.1:\d+\/rest\/loop/],
      ['away', /is redirected to http:\/\/elsewhere\.test\/\. Use the address/],
      ['nothing', /status 404 with something else than JSON/],
    ] as const)
      await assert.rejects(
        rest.get(call, KEY),
        (fault: Error) => sentence.test(fault.message) && !fault.message.includes(KEY),
      )
  })

  it('is found behind redirections and without rewritten addresses, and refused if it is too old or another program', async () => {
    behave(
      '/moved/rest/version',
      (_, response) => void response.writeHead(301, { Location: '/new/rest/version' }).end(),
    )
    behave('/cgi/rest/version', (_, response) => void response.writeHead(404).end('<h1>Not Found</h1>'))
    behave('/cgi/rest.cgi/version', (_, response) => void json(response, { version: '5.2' }))
    behave('/new/rest/fine', (_, response) => void json(response, {}))
    behave('/cgi/rest.cgi/fine', (_, response) => void json(response, {}))
    for (const path of ['moved', 'cgi'])
      assert.equal((await (await RestServer.open(`${url}/${path}`, OPTIONS)).get('fine')).status, 200)
    const other = 'http://127.0.0.1:7/rest/version'
    behave('/port/rest/version', (_, response) => void response.writeHead(301, { Location: other }).end())
    await assert.rejects(RestServer.open(`${url}/port`, OPTIONS), /is redirected to http:\/\/127\.0\.0\.1:7\/rest/)
    behave('/old/rest/version', (_, response) => void json(response, { version: '4.4.13' }))
    behave('/other/rest/version', (_, response) => void json(response, ['x']))
    behave('/other/rest.cgi/version', (_, response) => void json(response, null))
    await assert.rejects(
      RestServer.open(`${url}/old`, OPTIONS),
      /is Bugzilla 4\.4\.13\. Its REST API came with release 5\.0/,
    )
    await assert.rejects(RestServer.open(`${url}/other`, OPTIONS), /is not a Bugzilla with a REST API/)
    behave('/page/rest/version', (_, response) => void response.writeHead(200).end('<h1>Welcome</h1>'))
    behave('/page/rest.cgi/version', (_, response) => void response.writeHead(404).end('<h1>Not Found</h1>'))
    await assert.rejects(
      RestServer.open(`${url}/page`, OPTIONS),
      /is not a Bugzilla with a REST API.*: .*\/page\/rest\/version gave no answer: status 200 with something else/,
    )
    await assert.rejects(
      RestServer.open(`http://127.0.0.1:${await freePort()}`, OPTIONS),
      /the server refuses connections/,
    )
  })

  it('ends a comparison with a sentence when it goes away, or answers nonsense', async () => {
    const people = [{ name: 'anonymous', oldKey: undefined, newKey: undefined }]
    const options = { old: `${url}/odd`, new: `${url}/odd`, people, sample: undefined, concurrency: 2, examples: 1 }
    behave('/odd/rest/version', (_, response) => void json(response, { version: '6.0.0' }))
    const gone = await verifyServers({ ...options, rest: OPTIONS }, NO_PROGRESS)
    assert.match(gone.brokenOff ?? '', /broken off after 3 calls without an answer/)
    for (const call of ['product', 'field/bug', 'parameters', 'bug'])
      behave(`/odd/rest/${call}`, (request, response, count) =>
        json(response, {
          products: call === 'product' ? [null, 1, { name: ['x'], classification: {} }, { name: '../..' }] : 'none',
          fields: [count],
          bugs: request.url?.includes('v1=0')
            ? [{ id: 'x' }, null, { id: -1 }, { id: 2 ** 40 }, { id: 7 }, { id: 7 }]
            : {},
        }),
      )
    for (const call of ['flag_type/..%2F..', 'bug/7', 'bug/7/comment', 'bug/7/history', 'bug/7/attachment'])
      behave(`/odd/rest/${call}`, (_, response) => void json(response, { bugs: { 7: [{ id: '../x' }, { id: {} }] } }))
    const odd = await verifyServers({ ...options, rest: OPTIONS }, NO_PROGRESS)
    assert.equal(odd.brokenOff, undefined)
    assert.deepEqual(odd.bugs, { found: 1, compared: 1 })
  })
})
