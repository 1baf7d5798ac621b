import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../../src/app.ts'
import { deliverHere } from '../../src/outbound/delivery/deliver.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Log } from '../../src/platform/monitoring/log.ts'
import { calls } from '../../src/routes.ts'
import { cast } from '../support/cast.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import {
  describeOnEachEngine,
  describeOnOneEngine,
  describeOnSqlite,
  itOnOneEngine,
  type Logged,
  type World,
} from '../support/world.ts'

const silent: Log = { info() {}, error() {}, flush: async () => {} }
const ELSEWHERE = { 'X-Forwarded-For': '203.0.113.5' }
const keyOf = (name: keyof typeof cast) => ({ 'X-TRACKER-API-KEY': cast[name].apiKey })

describeOnEachEngine('/health and /ready', (world) => {
  it('say that the process lives and that the database answers', async () => {
    const health = await world.nobody.get('/health')
    assert.deepEqual([health.status, health.body], [200, { status: 'ok' }])
    const ready = await world.nobody.get('/ready')
    assert.deepEqual([ready.status, ready.body], [200, { status: 'ready' }])
    assert.equal(ready.headers.get('x-content-type-options'), 'nosniff')
  })

  it('distinguish a broken database from a broken process', async () => {
    await world.db.script('alter table state_versions rename to elsewhere')
    const ready = await world.nobody.get('/ready')
    assert.deepEqual([ready.status, ready.body.code], [503, 100500])
    assert.equal((await world.nobody.get('/health')).status, 200)
    await world.db.script('alter table elsewhere rename to state_versions')
    assert.equal((await world.nobody.get('/ready')).status, 200)
  })
})

describeOnOneEngine('/metrics', (world) => {
  it('counts calls by their pattern, and nothing that a client made up', async () => {
    await world.nobody.get(`/rest/keyword/secret-name?colour=secret-colour`)
    await world.nobody.get('/rest/secret-path')
    const { status, text, headers } = await world.nobody.get('/metrics')
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(
      text,
      /lacewing_requests_total\{process="1",method="GET",path="[^"]*\/keyword\/:ref",status="404"\} 1\n/,
    )
    assert.match(text, /lacewing_request_seconds_bucket/)
    assert.match(text, /process_resident_memory_bytes/)
    assert.match(text, /\nlacewing_slow_reads_waiting\{process="1"\} \d+\n/)
    assert.match(text, /\nlacewing_slow_reads_refused_total\{process="1"\} \d+\n/)
    assert.doesNotMatch(text, /secret/)
  })

  it('is sent also while too many responses wait to be read', async () => {
    const config = readConfig({ LACEWING_PORT: '0', LACEWING_DATA: world.dataFolder })
    const app = buildApp(world.db, { ...config, limits: { ...config.limits, unreadBytes: 0 } }, silent, deliverHere)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    try {
      const get = (path: string) => fetch(url + path, { headers: { Connection: 'close' } })
      for (const { method, path } of calls) if (method === 'GET') await (await get(`/rest${path}`)).body?.cancel()
      assert.equal((await get('/rest/openapi.json')).status, 503)
      const metrics = await get('/metrics')
      assert.equal(metrics.status, 200)
      assert.ok((await metrics.text()).length > 64 * 1024)
    } finally {
      await app.close()
    }
  })

  it('is for this machine, and elsewhere for administrators', async () => {
    const status = async (headers: Record<string, string>) => (await world.nobody.get('/metrics', headers)).status
    assert.equal(await status({}), 200)
    assert.equal(await status({ ...ELSEWHERE, ...keyOf('ada') }), 200)
    for (const name of ['pam', 'uma', 'rhea'] as const)
      assert.equal(await status({ ...ELSEWHERE, ...keyOf(name) }), 401)
    assert.equal(await status({ 'X-TRACKER-API-KEY': 'wrong' }), 400)
  })

  it('is not for those whom a proxy on this machine brings, whether it is named or not', async () => {
    const headers = [ELSEWHERE, { Forwarded: 'for=203.0.113.5' }, { 'X-Real-IP': '203.0.113.5' }, { Via: '1.1 proxy' }]
    for (const brought of headers as Record<string, string>[])
      assert.equal((await world.nobody.get('/metrics', brought)).body.code, 304)
    await world.withParameters({ inbound_proxies: '127.0.0.1' }, async () => {
      assert.equal((await world.nobody.get('/metrics', ELSEWHERE)).body.code, 304)
      assert.equal((await world.nobody.get('/metrics', { 'X-Forwarded-For': '127.0.0.1' })).body.code, 304)
    })
  })
})

describeOnSqlite('the log', (world) => {
  const linesOf = async (work: () => Promise<unknown>) => {
    const before = world.logged.length
    await work()
    return world.logged.slice(before)
  }

  it('has one line for each request, successful or not', async () => {
    const requests: [method: string, path: string, status: number, logged: string | null][] = [
      ['GET', '/rest/version', 200, '/rest/version'],
      ['GET', '/rest/keyword/nothing-such', 404, '/rest/keyword/:ref'],
      ['POST', '/rest/keyword', 401, '/rest/keyword'],
      ['HEAD', '/rest/version', 200, '/rest/version'],
      ['GET', '/rest/nothing', 404, null],
      ['PUT', '/rest/version', 405, null],
      ['OPTIONS', '/rest/version', 200, null],
      ['GET', '/rest/docs', 200, '/rest/docs'],
      ['GET', '/rest/openapi.json', 200, '/rest/openapi.json'],
      ['GET', '/rest', 200, '/rest'],
      ['GET', '/health', 200, '/health'],
      ['GET', '/ready', 200, '/ready'],
      ['GET', '/metrics', 200, '/metrics'],
    ]
    for (const [method, path, status, logged] of requests) {
      const body = method === 'POST' || method === 'PUT' ? {} : undefined
      const lines = await linesOf(() => world.nobody.send(method, path, body))
      assert.equal(lines.length, 1, `${method} ${path}`)
      const { ms, bytes, ...line } = lines[0] as Logged
      const expected = {
        level: 'info',
        event: 'request',
        method,
        path: logged,
        status,
        user: null,
        address: '127.0.0.1',
      }
      assert.deepEqual(line, expected)
      assert.equal(typeof ms, 'number')
      assert.ok(Number(bytes) > 0)
    }
  })

  it('has one line for what cannot be read, too', async () => {
    const broken = [
      () => rawRequest(world.url, 'GET', '/rest/%zz'),
      () => world.nobody.get(`/rest/${'x'.repeat(33_000)}`),
      () => rawExchange(world.url, 'nonsense\r\n\r\n'),
      () => world.ada.post('/rest/keyword', '{'),
      () => world.ada.post('/rest/keyword', {}, { 'Content-Type': 'text/plain' }),
      () => world.ada.post('/rest/keyword', 'x'.repeat(17 * 1024 * 1024)),
    ]
    for (const request of broken) {
      const lines = await linesOf(request)
      assert.deepEqual(
        lines.map(({ event }) => event),
        ['request'],
      )
      assert.ok(Number(lines[0]?.status) >= 400)
    }
  })

  it('names the user, and the real address behind a proxy that is named', async () => {
    await world.withParameters({ inbound_proxies: '127.0.0.1' }, async () => {
      const lines = await linesOf(() => world.ada.get('/rest/whoami', ELSEWHERE))
      const line = lines.find(({ path }) => path === '/rest/whoami')
      assert.deepEqual([line?.user, line?.address], [1, '203.0.113.5'])
      const wrong = { ...ELSEWHERE, 'X-TRACKER-API-KEY': 'wrong' }
      const [refused] = await linesOf(() => world.nobody.get('/rest/whoami', wrong))
      assert.deepEqual([refused?.user, refused?.address], [null, '203.0.113.5'])
    })
  })

  it('has no line of a fault when a client goes away in the middle', async () => {
    const { hostname, port } = new URL(world.url)
    const lines = await linesOf(async () => {
      const socket = connect(Number(port), hostname)
      const head = `POST /rest/keyword HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`
      socket.write(head, () => setTimeout(() => socket.resetAndDestroy(), 20))
      await new Promise((resolve) => socket.once('close', resolve))
      await sleep(100)
    })
    assert.deepEqual(
      lines.filter(({ level }) => level === 'error'),
      [],
    )
    assert.equal((await world.nobody.get('/rest/version')).status, 200)
  })
})

describeOnEachEngine('an internal failure', (world) => {
  const SECRETS = /elsewhere|keyword|select|no such|does not exist|node:|\.ts|\bat /i
  const lostTable = async (work: () => Promise<void>) => {
    await world.db.script('alter table keywords rename to elsewhere')
    await work().finally(() => world.db.script('alter table elsewhere rename to keywords'))
  }
  const idIn = (text: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0]

  itOnOneEngine(world, 'is 500 with code 100500, an id in the answer and in the log, and no stack', async () => {
    await lostTable(async () => {
      const { status, body, text, headers } = await world.nobody.get('/rest/keyword')
      assert.deepEqual([status, body.code, body.error], [500, 100500, true])
      assert.doesNotMatch(body.message, SECRETS)
      assert.equal(headers.get('etag'), null)
      const id = idIn(text)
      const [line, ...others] = world.logged.filter(({ event, id: own }) => event === 'internal failure' && own === id)
      assert.equal(others.length, 0)
      assert.equal(line?.level, 'error')
      assert.match(String(line?.stack), /error[\s\S]*\n +at /i)
    })
  })

  itOnOneEngine(world, 'has a different id each time', async () => {
    await lostTable(async () => {
      const ids = await Promise.all([1, 2, 3].map(async () => idIn((await world.nobody.get('/rest/keyword')).text)))
      assert.equal(new Set(ids).size, 3)
    })
  })

  it('is returned in the requested format', async () => {
    await lostTable(async () => {
      const page = await world.nobody.get('/rest/keyword', { Accept: 'text/html' })
      assert.deepEqual([page.status, page.headers.get('content-type')], [500, 'text/html; charset=UTF-8'])
      assert.doesNotMatch(/<pre>([\s\S]*)<\/pre>/.exec(page.text)?.[1] ?? '', SECRETS)
      const script = await world.nobody.get('/rest/keyword?callback=f')
      assert.equal(script.status, 500)
      assert.match(script.text, /^\/\*\*\/f\(/)
    })
  })

  itOnOneEngine(world, 'does not affect other requests', async () => {
    await lostTable(async () => {
      const before = await countOfAudits(world)
      const { status } = await world.ada.post('/rest/keyword', { name: 'lost', description: 'd' })
      assert.equal(status, 500)
      assert.equal(await countOfAudits(world), before)
      assert.equal((await world.nobody.get('/rest/version')).status, 200)
    })
    assert.equal((await world.nobody.get('/rest/keyword')).status, 200)
    assert.equal((await world.ada.post('/rest/keyword', { name: 'found', description: 'd' })).status, 201)
  })

  async function countOfAudits({ ada }: World) {
    return (await ada.get('/rest/audit?limit=1000')).body.audit.length
  }
})

describeOnSqlite('a request that does not end', (world) => {
  it('is answered with 408 when its time is up', async () => {
    const config = readConfig({})
    const limits = { ...config.limits, requestMilliseconds: 200 }
    const app = buildApp(world.db, { ...config, limits }, silent, deliverHere)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    try {
      for (const bytes of [
        'GET /rest/version HTTP/1.1\r\nHost: x\r\n',
        'POST /rest/keyword HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      ]) {
        const reply = await rawExchange(url, bytes)
        assert.deepEqual([reply.status, JSON.parse(reply.body).code], [408, 32000])
      }
    } finally {
      await app.close()
    }
  })
})
