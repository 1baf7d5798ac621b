import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { BodyAt } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { readMetrics } from '../support/metrics.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const REQUESTS = 40
const HEADERS = {
  'X-TRACKER-API-KEY': cast.ada.apiKey,
  'Content-Type': 'application/json',
  Connection: 'close',
}

after(stopAll)

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`a server of two processes (${engine})`, () => {
    let settings: Record<string, string> = {}
    let server: ServerProcess
    let url = ''
    before(async () => {
      settings = await newInstallation(engine)
      await addSeries(settings)
      const more = { LACEWING_PROCESSES: '2', LACEWING_BASE_URL: 'https://bugs.example.com/x/' }
      server = new ServerProcess({ ...settings, ...more })
      url = (await server.listening()).url
    })

    /** What the engine does not decide. */
    const itOnce = engine === 'sqlite' ? it : itInSoak

    async function send<const Verb extends string, const Path extends string>(method: Verb, path: Path, body?: object) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(url + path, { method, headers: HEADERS, ...sent })
      return { status: response.status, body: (await response.json()) as BodyAt<Verb, Path> }
    }

    it('counts the series of the day at its start, once however many processes start', async () => {
      const { id } = SERIES
      const data = await until(async () => {
        const { body } = await send('GET', `/rest/series/${id}/data`)
        return body.data.length > 0 && body.data
      })
      assert.deepEqual(data, [{ date: new Date().toISOString().slice(0, 10), bug_count: 0 }])
    })

    itOnce(
      'shows in /metrics the figures of each process with its number, and those of the installation once',
      async () => {
        for (let sent = 0; sent < REQUESTS; sent++) await send('GET', '/rest/version')
        const figures = await readMetrics(url)
        const counts = [1, 2].map((process) => {
          assert.ok((figures.get(`process_resident_memory_bytes{process="${process}"}`) ?? 0) > 0, `${process}`)
          const isCounted = new RegExp(`^lacewing_requests_total\\{process="${process}",.*path="[^"]*/version"`)
          return [...figures].find(([name]) => isCounted.test(name))?.[1] ?? 0
        })
        assert.equal((counts[0] ?? 0) + (counts[1] ?? 0), REQUESTS, [...figures.keys()].join('\n'))
        assert.equal(figures.get('lacewing_queue_waiting{queue="mail"}'), 0)
      },
    )

    it('shows its addresses once, and sees the changes of each process at once in the other one', async () => {
      assert.equal(server.stdout, `Lacewing listens on ${url} and is reached at https://bugs.example.com/x\n`)
      assert.equal((await send('GET', '/rest')).body.documentation, 'https://bugs.example.com/x/rest/docs')
      for (let round = 0; round < 5; round++) {
        const value = `notice ${round}`
        assert.equal((await send('PUT', '/rest/parameters', { announcehtml: value })).status, 200)
        const seen = await Promise.all(Array.from({ length: 6 }, () => send('GET', '/rest/parameters')))
        assert.deepEqual(new Set(seen.map(({ body }) => body.parameters.announcehtml)), new Set([value]))
      }
      const words = Array.from({ length: 12 }, (_, index) => ({ name: `word${index}`, description: 'd' }))
      const made = await Promise.all(words.map((word) => send('POST', '/rest/keyword', word)))
      assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]))
      assert.equal((await send('GET', '/rest/keyword')).body.keywords.length, 12)
    })

    itOnce('replaces a process that is killed, and goes on as one server', async () => {
      const [killed] = await workersOf(server)
      process.kill(killed as number, 'SIGKILL')
      await until(() => server.stderr.includes('a new one is started'))
      await until(async () => (await workersOf(server)).length === 2)
      // one-server.test.ts starts a second server on the database of another one.
      if (engine === 'sqlite' && isEveryCombination) {
        const other = new ServerProcess(settings)
        assert.equal(await other.ended, 1)
        assert.match(other.stderr, /^Another server uses the database \S+\.db\. .*LACEWING_PROCESSES.*\.\n$/)
        assert.equal(other.stdout, '')
      }
      for (let round = 0; round < 10; round++) assert.ok((await send('GET', '/rest/version')).body.version)
    })

    itOnce('ends in good order at SIGINT as well, without waiting for idle connections', async () => {
      const [idle, busy] = [0, 1].map(() => connect(Number(new URL(url).port), '127.0.0.1')) as [Socket, Socket]
      idle.write('GET /rest/version HTTP/1.1\r\nHost: x\r\n\r\n')
      busy.write(
        'POST /rest/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n' +
          'Expect: 100-continue\r\n\r\n{',
      )
      await Promise.all([once(idle, 'data'), once(busy, 'data')])
      const answered = once(busy, 'data')
      const ended = server.stop('SIGINT')
      await once(idle, 'close')
      // It still waits for the other request, so it has not waited for the idle connection as long as it waits at most.
      busy.write('}')
      assert.match(String(await answered), /^HTTP\/1.1 4/)
      assert.equal(await ended, 0)
      // One line of each for all processes.
      const ends = [...server.stderr.matchAll(/"level":"(\w+)","event":"(server end\w+)(?:","signal":"(\w+))?/g)]
      assert.deepEqual(
        ends.map(([, ...facts]) => facts),
        [
          ['info', 'server ending', 'SIGINT'],
          ['info', 'server ended', undefined],
        ],
      )
    })
  })

const SERIES = {
  id: 77,
  product_id: null,
  component_id: null,
  creator_id: 1,
  category: 'a',
  subcategory: 'b',
  name: 'c',
  query: 'summary=count',
  frequency: 1,
  is_public: 1,
  created_at: '2026-01-01T00:00:00Z',
} as const

async function addSeries(settings: Record<string, string>) {
  const db = openDatabase(settings.LACEWING_DATABASE_URL ?? join(settings.LACEWING_DATA as string, 'lacewing.db'))
  await db.query((q) => q.insertInto('series').values(SERIES))
  await db.close()
}

async function workersOf(server: ServerProcess): Promise<number[]> {
  const children = await readFile(`/proc/${server.child.pid}/task/${server.child.pid}/children`, 'utf8')
  return children.trim().split(' ').filter(Boolean).map(Number)
}
