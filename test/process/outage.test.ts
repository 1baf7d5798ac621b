import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { BodyAt } from '../support/body-types.ts'
import { newBug } from '../support/file-bug.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const KEY = 'a-key-for-the-outage'
/** How often the database stops under running requests. */
const STOPS = isEveryCombination ? 5 : 1

describe('A server whose PostgreSQL is stopped and started again', () => {
  const folder = mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'outage-'))
  let postgres: Postgres
  let server: ServerProcess
  let url: string
  let bug: number

  before(async () => {
    postgres = await startPostgres()
    const client = new pg.Client(`${postgres.url}/postgres`)
    await client.connect()
    await client.query('create database tracker')
    await client.end()
    server = new ServerProcess({
      LACEWING_DATA: join(folder, 'data'),
      LACEWING_DATABASE_URL: `${postgres.url}/tracker`,
      LACEWING_ADMIN_LOGIN: 'ada@lacewing.test',
      LACEWING_ADMIN_PASSWORD: 'correct horse battery',
      LACEWING_ADMIN_API_KEY: KEY,
    })
    url = (await server.listening()).url
    bug = ((await (await send('POST', '/rest/bug', newBug())).json()) as BodyAt<'POST', '/rest/bug'>).id
  })
  after(async () => {
    await server.stop('SIGKILL')
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const isOpen = path.startsWith('/rest/version') || path.startsWith('/rest/login')
    return fetch(`${url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(!isOpen && { 'X-TRACKER-API-KEY': KEY }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  const calls = (): [method: string, path: string, body?: object, headers?: Record<string, string>][] => [
    ['GET', '/rest/version'],
    ['GET', '/rest/whoami'],
    ['GET', '/rest/parameters'],
    ['GET', `/rest/bug/${bug}`],
    ['GET', '/rest/bug?f1=longdesc&o1=substring&v1=wrong'],
    ['GET', '/rest/login?login=ada@lacewing.test&password=correct+horse+battery'],
    ['POST', '/rest/bug', newBug()],
    ['POST', '/rest/bug', newBug(), { 'Idempotency-Key': `${Math.random()}` }],
    ['PUT', `/rest/bug/${bug}`, { comment: { body: 'Still there' } }],
    ['POST', '/rest/keyword', { name: `k${Math.random()}`.slice(0, 12), description: 'A word' }],
  ]

  it('returns 503 with Retry-After to every call in the meantime, and then recovers by itself', async () => {
    await postgres.halt()
    for (const call of calls()) {
      const response = await send(...call)
      const text = await response.text()
      assert.equal(response.status, 503, `${call[0]} ${call[1]}: ${text}`)
      assert.equal(JSON.parse(text).code, 32000)
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
    }
    for (const path of ['/', `/bug/${bug}`]) {
      const page = await send('GET', path)
      assert.equal(page.status, 503, path)
      assert.match(page.headers.get('retry-after') ?? '', /^\d+$/, path)
    }
    const ready = await send('GET', '/ready')
    assert.deepEqual(
      [ready.status, ((await ready.json()) as { message: string }).message],
      [503, 'The tracker is not ready: the database cannot be reached.'],
    )
    assert.equal((await send('GET', '/health')).status, 200)
    await postgres.resume()
    await untilReady()
    for (const call of calls()) {
      const response = await send(...call)
      assert.ok(response.status < 300, `${call[0]} ${call[1]}: ${response.status} ${await response.text()}`)
    }
  })

  itInSoak('returns only 200 and 503 to running requests', async () => {
    const statuses = new Set<number>()
    let [isOver, rounds] = [false, 0]
    const client = async () => {
      for (; !isOver; rounds++) for (const call of calls().slice(0, 9)) statuses.add((await send(...call)).status)
    }
    const clients = Promise.all(Array.from({ length: 3 }, client))
    for (let times = 0; times < STOPS; times++) {
      const before = rounds
      await until(() => rounds > before)
      await postgres.halt()
      await postgres.resume()
    }
    await untilReady()
    isOver = true
    await clients
    assert.deepEqual([...statuses].sort(), [200, 503])
    assert.equal(server.child.exitCode, null, server.stderr)
    assert.doesNotMatch(server.stderr, /internal failure/)
  })

  async function untilReady() {
    for (let tries = 0; tries < 200; tries++) {
      if ((await send('GET', '/ready')).status === 200) return
      await sleep(50)
    }
    assert.fail(`It does not get ready: ${await (await send('GET', '/ready')).text()}`)
  }
})
