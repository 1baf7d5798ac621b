import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { LONGEST_WAIT_FOR_LOCK_MILLISECONDS } from '../../src/platform/database/postgres/postgres-connection.ts'
import { OneConnection } from '../../src/platform/database/postgres/postgres-pool.ts'
import { OpenTransaction } from '../../src/platform/database/transactions/transaction-watch.ts'
import { required } from '../support/copy-database.ts'
import { fileBug, newBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { until } from '../support/until.ts'
import { onlyPositions, World } from '../support/world.ts'

// Another session locks a table, so that what the server sends there waits for as long as a test wants it to.
describe('The connections to PostgreSQL', () => {
  const world = new World('postgres', {}, onlyPositions)
  let bug: number
  let other: pg.Client
  let watcher: pg.Client

  before(async () => {
    await world.open()
    bug = await fileBug(world.ada)
    other = new pg.Client(world.databaseUrl)
    watcher = new pg.Client(world.databaseUrl)
    await Promise.all([other.connect(), watcher.connect()])
  })
  afterEach(() => other.query('rollback'))
  after(async () => {
    await Promise.all([other.end(), watcher.end()])
    await world.close()
  })

  const lock = async (statement: string) => {
    await other.query('begin')
    await other.query(statement)
  }

  /** How many statements of the server wait for a lock. */
  const waiting = async () => {
    const { rows } = await watcher.query(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].count as number
  }
  const untilWaiting = async (isRight: (count: number) => boolean) => {
    for (let tries = 0; tries < 400 && !isRight(await waiting()); tries++) await sleep(25)
    assert.ok(isRight(await waiting()), `${await waiting()} statements wait`)
  }

  /** A search that nobody waits for once `leave` is called. */
  const search = (key: string) => {
    const path = '/rest/bug?f1=longdesc&o1=substring&v1=nothing&f2=longdesc&o2=regexp&v2=n.thing'
    const request = get(`${world.url}${path}`, { headers: { 'X-TRACKER-API-KEY': key } })
    request.on('error', () => {})
    return () => request.destroy()
  }
  const simpleReads = ['/rest/version', '/rest/whoami', '/rest/parameters', '/rest/bug/BUG?include_fields=summary']
  const readAll = async () => {
    for (const path of simpleReads) {
      const { status, text } = await world.ada.get(path.replace('BUG', `${bug}`))
      assert.equal(status, 200, text)
    }
  }

  it('are not all kept by dry runs of one caller: a writer waits for one of them', async () => {
    const ended: string[] = []
    const inUse = (least: number) => until(() => (world.db.connections()?.inUse ?? 0) >= least)
    await lock('select pg_advisory_xact_lock(5261001)')
    const changes = [{ method: 'PUT', path: '/rest/parameters', params: { whinedays: 3 } }]
    const runs = Array.from({ length: 6 }, async () => {
      const { status, text } = await world.ada.put('/rest/admin/changes', { changes, dry_run: true })
      assert.equal(status, 200, text)
      ended.push('dry run')
    })
    await inUse(1)
    const writing = world.edna.put(`/rest/bug/${bug}`, { summary: 'Written' }).then(() => ended.push('write'))
    await inUse(2)
    await other.query('rollback')
    await Promise.all([writing, ...runs])
    assert.ok(ended.indexOf('write') < 3, ended.join())
  })

  it('are free for simple reads while searches are slow, and searches end when their clients leave', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => world.newUser()))
    await lock('lock table comments in access exclusive mode')
    const leave = people.flatMap(({ apiKey }) => [search(apiKey), search(apiKey), search(apiKey)])
    await untilWaiting((count) => count >= 6)
    await readAll()
    for (const one of leave) one()
    await untilWaiting((count) => count === 0)
    await other.query('rollback')
    const { status, body } = await world.ada.get('/rest/bug?f1=longdesc&o1=regexp&v1=n.thing')
    assert.equal(status, 200)
    assert.deepEqual(body.bugs, [])
    assert.equal(world.logged.filter(({ event }) => event === 'internal failure').length, 0)
  })

  it('are free for reads while changes wait for each other', async () => {
    await lock('lock table comments in exclusive mode')
    const filed = Array.from({ length: 20 }, (_, place) =>
      (place % 2 === 0 ? world.ada : world.edna).post('/rest/bug', newBug()),
    )
    await untilWaiting((count) => count >= 7)
    await readAll()
    await other.query('rollback')
    assert.deepEqual([...new Set((await Promise.all(filed)).map(({ status }) => status))], [200])
  })

  it('are free for others while one user has very many requests', async () => {
    const { client: busy } = await world.newUser()
    await lock('lock table bugs in access exclusive mode')
    const reads = Array.from({ length: 50 }, () => busy.get(`/rest/bug/${bug}`))
    await untilWaiting((count) => count >= 9)
    const { status, text } = await world.ada.get('/rest/whoami')
    assert.equal(status, 200, text)
    await other.query('rollback')
    await Promise.all(reads)
  })

  it('are not waited for longer than a few seconds', async () => {
    const locked = performance.now()
    await lock('lock table bugs in access exclusive mode')
    const reads = Array.from({ length: 10 }, (_, place) =>
      (place % 2 === 0 ? world.ada : world.edna).get(`/rest/bug/${bug}`),
    )
    await untilWaiting((count) => count >= 10)
    const refused = await world.ada.get('/rest/whoami')
    assertRefused(refused, 503, 32000)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    await other.query('rollback')
    const waited = performance.now() - locked
    const statuses = (await Promise.all(reads)).map(({ status }) => status)
    // On a machine that is so busy that the lock was held for longer, PostgreSQL has refused reads too.
    if (waited < LONGEST_WAIT_FOR_LOCK_MILLISECONDS) assert.deepEqual(new Set(statuses), new Set([200]))
    await readAll()
  })
})

describe('the connection of a transaction', () => {
  it('gets one statement at a time, also if several are asked for at once', async () => {
    const client = new pg.Client(`${required('LACEWING_TEST_POSTGRES')}/postgres`)
    await client.connect()
    const transaction = new OpenTransaction(() => {})
    const connection = new OneConnection(client, transaction)
    const { _queryQueue: waiting } = client as unknown as { _queryQueue: unknown[] }
    const ask = (sql: string) => connection.run<{ n: number }>({ sql, isReused: false, writes: false }, [])
    const numbers = [1, 2, 3].map((n) => ask(`select ${n} as n from pg_sleep(0.01)`))
    const broken = ask('select no_such_column')
    const next = ask('select 4 as n')
    assert.equal(waiting.length, 0)
    assert.deepEqual((await Promise.all(numbers)).flat(), [{ n: 1 }, { n: 2 }, { n: 3 }])
    await assert.rejects(broken, /no_such_column/)
    assert.deepEqual(await next, [{ n: 4 }])
    const [first, late] = [ask('select 5 as n from pg_sleep(0.01)'), ask('select 6 as n')]
    transaction.end()
    assert.deepEqual(await first, [{ n: 5 }])
    await assert.rejects(late, /The transaction has ended/)
    await client.end()
  })
})
