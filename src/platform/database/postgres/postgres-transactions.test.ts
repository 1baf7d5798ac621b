import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db, TransactionKind } from '../db.ts'
import { statement } from '../statements/statement.ts'
import { type OpenTransaction, TransactionWatch } from '../transactions/transaction-watch.ts'
import { openPostgres } from './postgres.ts'

const server = process.env.LACEWING_TEST_POSTGRES
const NAME = `transactions_${process.pid}`
const url = `${server}/${NAME}`
const never = () => new Promise<never>(() => {})

describe('A transaction on PostgreSQL', () => {
  let admin: pg.Client
  let db: Db
  before(async () => {
    admin = new pg.Client(`${server}/postgres`)
    await admin.connect()
    await admin.query(`create database ${NAME}`)
    db = openPostgres(url, { watch: new TransactionWatch(400) })
    await db.script('create table words (word text primary key)')
  })
  after(async () => {
    await db.close()
    await admin.query(`drop database ${NAME} with (force)`)
    await admin.end()
  })

  const run = (on: Db, text: string) =>
    on.query<Record<string, unknown>>((q) => ({
      compile: () => sql<Record<string, unknown>>`${sql.raw(text)}`.compile(q),
    }))
  const insert = (on: Db, word: string) => on.script(`insert into words values ('${word}')`)
  const words = async () => (await run(db, 'select word from words order by word')).map(({ word }) => word)
  const stuck = (word: string, kind?: TransactionKind) => {
    let late: Db | undefined
    const ended = db.transaction(async (tx) => {
      late = tx as Db
      await insert(tx as Db, word)
      await never()
    }, kind)
    return { ended, late: () => late as Db }
  }

  it('reads the row of a check with the round trip that begins it, and no row if it is a migration', async () => {
    const watch = new RoundTrips()
    const checked = openPostgres(url, { watch })
    const tripsOf = async (kind?: TransactionKind) => {
      watch.trips = []
      await checked.transaction((tx) => insert(tx, `checked ${kind} ${performance.now()}`), kind)
      return watch.trips.length
    }
    const plain = [await tripsOf(), await tripsOf('configuration'), await tripsOf('migration')]
    let reads = 0
    const check = statement<object>()((q) => ({ compile: () => sql<{ word: string }>`select 'x' as word`.compile(q) }))
    checked.checkWrites({
      statement: check,
      refusal: (row) => (++reads && row?.word === 'x' ? undefined : new Error()),
    })
    assert.deepEqual([await tripsOf(), await tripsOf('configuration'), await tripsOf('migration')], plain)
    assert.deepEqual([plain, reads], [[3, 3, 3], 2])
    await checked.close()
    await run(db, "delete from words where word like 'checked %'")
  })

  it('that does not continue is ended, leaves nothing, and releases its locks and its connection', async () => {
    const { ended, late } = stuck('stuck', 'configuration')
    await assert.rejects(ended, /of the kind configuration was ended .* Its last one was: insert into words/)
    await db.transaction((tx) => insert(tx, 'next'), 'configuration')
    assert.deepEqual(await words(), ['next'])
    await assert.rejects(insert(late(), 'late'), /The transaction has ended/)
  })

  it('that does not continue blocks no other connections, however many there are', async () => {
    const faults = await Promise.allSettled(Array.from({ length: 20 }, (_, number) => stuck(`stuck ${number}`).ended))
    assert.ok(faults.every(({ status }) => status === 'rejected'))
    await db.transaction((tx) => insert(tx, 'after'))
    assert.deepEqual(await words(), ['after', 'next'])
    await db.transaction((tx) => tx.script('lock table words'))
  })

  it('runs nothing on its connection after its end', async () => {
    let kept: Db | undefined
    await db.transaction(async (tx) => {
      kept = tx
    })
    await assert.rejects(insert(kept as Db, 'late'), /The transaction has ended/)
  })

  it('refuses at once what would wait for it from inside, and goes on', async () => {
    await db.transaction(async (tx) => {
      await insert(tx, 'outer')
      await assert.rejects(
        db.transaction(async () => {}),
        /begun inside a transaction/,
      )
      await assert.rejects(insert(db, 'beside'), /begun inside a transaction/)
      await tx.transaction((inner) => insert(inner, 'part of it'))
    })
    assert.deepEqual(await words(), ['after', 'next', 'outer', 'part of it'])
    await db.script("delete from words where word in ('outer', 'part of it')")
  })

  it('is ended by PostgreSQL when this process cannot do it, and waits for a lock no longer than allowed', async () => {
    const limits = async (on: Db) => {
      const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
      const rows = await run(
        on,
        `select setting from pg_settings where name in (${names.map((name) => `'${name}'`)}) order by name`,
      )
      return rows.map(({ setting }) => setting)
    }
    assert.deepEqual(await limits(db), ['120000', '15000', '30000'])
    assert.deepEqual(await db.transaction(limits, 'migration'), ['0', '0', '0'])
    assert.deepEqual(await db.transaction(limits), ['120000', '15000', '30000'])
    const ended = db.transaction(async (tx) => {
      await tx.script('set local idle_in_transaction_session_timeout = 50')
      await new Promise((resolve) => setTimeout(resolve, 150))
      await insert(tx, 'late')
    })
    await assert.rejects(ended, { reason: 'database_unavailable', status: 503 })
    const otherServer = openPostgres(url)
    await db.transaction(async (tx) => {
      await tx.script('lock table words')
      const waiting = otherServer.transaction(async (other) => {
        await other.script('set local lock_timeout = 50')
        await insert(other, 'waiting')
      })
      await assert.rejects(waiting, { reason: 'overloaded', status: 503 })
    })
    await otherServer.close()
    assert.deepEqual(await words(), ['after', 'next'])
  })

  it('that loses its connection fails at once', async () => {
    const ended = db.transaction(async (tx) => {
      const [own] = await run(tx, 'select pg_backend_pid() as pid')
      await admin.query('select pg_terminate_backend($1)', [own?.pid])
      await insert(tx, 'lost')
    })
    await assert.rejects(ended, { reason: 'database_unavailable', status: 503 })
    assert.deepEqual(await words(), ['after', 'next'])
  })
})

/** Notes what each transaction sends. */
class RoundTrips extends TransactionWatch {
  trips: string[] = []

  override over<Result>(work: (transaction: OpenTransaction) => Promise<Result>): Promise<Result> {
    return super.over((open) => {
      const count = open.count.bind(open)
      open.count = (sql) => {
        this.trips.push(sql)
        count(sql)
      }
      return work(open)
    })
  }
}
