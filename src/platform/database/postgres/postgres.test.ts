import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { runAs } from '../../queues/current-caller.ts'
import type { Db } from '../db.ts'
import { SlowReads } from '../slow-reads/slow-reads.ts'
import { SlowReadsConnection } from '../slow-reads/slow-reads-connection.ts'
import { USUAL_SIZES } from '../slow-reads/slow-reads-queue.ts'
import { statement } from '../statements/statement.ts'
import { openPostgres } from './postgres.ts'
import { directTarget } from './postgres-connection.ts'

const url = `${process.env.LACEWING_TEST_POSTGRES}/postgres`

describe('Slow reads on PostgreSQL', () => {
  const reads = new SlowReads(() => new SlowReadsConnection(directTarget(url)), { ...USUAL_SIZES, threads: 1 })
  after(() => reads.close())

  const limits = (signal: AbortSignal, milliseconds = 30_000) => ({
    caller: 'user 1',
    deadline: performance.now() + milliseconds,
    signal,
    spent: { milliseconds: 0 },
  })
  const never = new AbortController().signal

  it('are cancelled at any moment, and the next read on the connection is not', async () => {
    for (let milliseconds = 0; milliseconds < 30; milliseconds++) {
      const client = new AbortController()
      const left = reads.rows('select pg_sleep(60)', [], limits(client.signal))
      const next = reads.rows('select $1::int as value', [milliseconds], limits(never))
      setTimeout(() => client.abort(), milliseconds)
      await assert.rejects(left, { reason: 'client_left' })
      assert.deepEqual(await next, [{ value: milliseconds }])
    }
    assert.equal(reads.counts().workers, 1)
  })

  it('end at their deadline', async () => {
    await assert.rejects(reads.rows('select pg_sleep(60)', [], limits(never, 100)), { reason: 'search_too_slow' })
    assert.deepEqual(await reads.rows('select 7 as value', [], limits(never)), [{ value: 7 }])
  })
})

describe('Statements on PostgreSQL', () => {
  let db: Db
  before(() => {
    db = openPostgres(url)
  })
  after(() => db.close())

  /** A different statement for each number. */
  const selecting = (number: number) =>
    statement<{ value: number }>()((q, p) => ({
      compile: () => sql<{ answer: number }>`select ${p.value}::int + ${sql.lit(number)} as answer`.compile(q),
    }))

  const failing = statement<{ value: number }>()((q, p) => ({
    compile: () => sql`select 1 / ${p.value}::int`.compile(q),
  }))

  const kept = async (on: Db) => {
    const rows = await on.query((q) => ({
      compile: () => sql<{ name: string }>`select name from pg_prepared_statements`.compile(q),
    }))
    return rows.map(({ name }) => name)
  }

  it('take turns by caller, so that one who comes last does not wait for all those of others', async () => {
    const order: string[] = []
    const run = (caller: string) =>
      runAs({ name: caller }, () =>
        db.query((q) => ({ compile: () => sql`select pg_sleep(0.01)`.compile(q) })).then(() => order.push(caller)),
      )
    const one = Array.from({ length: 60 }, () => run('one'))
    const other = Array.from({ length: 60 }, () => run('other'))
    await Promise.all([...one, ...other, run('calm')])
    assert.ok(order.indexOf('calm') <= 20, `after ${order.indexOf('calm')} others`)
    assert.equal(order.length, 121)
    const writing = (caller: string) => runAs({ name: caller }, () => db.transaction(async () => order.push(caller)))
    order.length = 0
    await Promise.all([...Array.from({ length: 60 }, () => writing('one')), writing('calm')])
    assert.ok(order.indexOf('calm') <= 14, `after ${order.indexOf('calm')} others`)
  })

  it('are closed when many others are used, and their names are used again', async () => {
    await db.transaction(async (tx) => {
      const names = new Set<string>()
      for (let number = 1; number <= 600; number++) {
        assert.deepEqual(await tx.first(selecting(number), { value: 1 }), { answer: number + 1 })
        if (number % 50 === 0) for (const name of await kept(tx)) names.add(name)
      }
      assert.ok((await kept(tx)).length <= 256)
      assert.ok(names.size <= 260, `${names.size} names`)
    })
  })

  it('stay right when transactions fail in between', async () => {
    for (let round = 0; round < 2; round++) {
      for (let number = 1; number <= 200; number++)
        assert.deepEqual(await db.first(selecting(number), { value: round }), { answer: number + round })
      const failed = db.transaction(async (tx) => {
        for (let number = 1; number <= 150; number++) await tx.first(selecting(number), { value: 0 })
        await tx.all(failing, { value: 0 }).catch(() => {})
        // The transaction has failed, so none of these runs; but each takes a name.
        for (let number = 300; number <= 600; number++) await tx.first(selecting(number), { value: 0 }).catch(() => {})
        await tx.all(failing, { value: 0 })
      })
      await assert.rejects(failed)
      for (let number = 300; number <= 600; number += 50)
        assert.deepEqual(await db.first(selecting(number), { value: round }), { answer: number + round })
    }
  })
})
