import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { runAs } from '../../queues/current-caller.ts'
import type { Db } from '../db.ts'
import { openSqlite } from './sqlite.ts'

describe('transactions on SQLite that wait for one another', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-turns-'))
  const file = join(folder, 'turns.db')
  let db: Db
  before(async () => {
    db = openSqlite(file)
    // As migrations do: renaming a table uses a temporary one, which must not cause problems afterwards.
    await db.script('create table drafts (number integer primary key); alter table drafts rename to notes')
  })
  after(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const note = (tx: Db, number: number) =>
    tx.query((q) => ({ compile: () => sql`insert into notes values (${number}) returning number`.compile(q) }))
  const forget = () => db.script('delete from notes')
  /** As another program sees the file. */
  const noted = () => {
    const other = new DatabaseSync(file, { readOnly: true })
    const numbers = other.prepare('select number from notes order by number').all()
    other.close()
    return numbers.map(({ number }) => number)
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

  it('share a commit', async () => {
    const before = db.freshness() as number
    await Promise.all(numbers(20).map((number) => db.transaction((tx) => note(tx, number))))
    assert.deepEqual(noted(), numbers(20))
    assert.ok((db.freshness() as number) - before < 20, 'each had a commit of its own')
    await forget()
  })

  it('take turns by caller', async () => {
    const order: string[] = []
    const write = (name: string) => runAs({ name }, () => db.transaction(async () => void order.push(name)))
    await Promise.all([...numbers(20).map(() => write('busy')), write('calm')])
    assert.ok(order.indexOf('calm') <= 2, `after ${order.indexOf('calm')} others`)
    assert.equal(order.length, 21)
  })

  it('fail alone, the first and any other', async () => {
    const fails = (number: number) => number % 3 === 0
    const outcomes = await Promise.allSettled(
      numbers(20).map((number) =>
        db.transaction(async (tx) => {
          await note(tx, number)
          if (fails(number)) throw new Error(`not ${number}`)
          return number
        }),
      ),
    )
    assert.deepEqual(
      outcomes.map((it) => (it.status === 'fulfilled' ? it.value : it.reason.message)),
      numbers(20).map((number) => (fails(number) ? `not ${number}` : number)),
    )
    assert.deepEqual(
      noted(),
      numbers(20).filter((number) => !fails(number)),
    )
    await forget()
  })

  it('see what earlier ones wrote, and can write again after an error', async () => {
    const same = await Promise.allSettled(numbers(5).map(() => db.transaction((tx) => note(tx, 7))))
    assert.deepEqual(
      same.map(({ status }) => status),
      ['fulfilled', ...numbers(4).map(() => 'rejected')],
    )
    assert.deepEqual(noted(), [7])
    await forget()
  })

  it('refuse at once what would wait for them from inside, and go on', async () => {
    let later: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await note(tx, 1)
      await assert.rejects(
        db.transaction(async () => {}),
        /begun inside a transaction/,
      )
      await assert.rejects(db.script('delete from notes'), /begun inside a transaction/)
      await tx.transaction((inner) => note(inner, 2))
      later = new Promise((resolve) => setImmediate(resolve)).then(() => db.script('insert into notes values (3)'))
    })
    // What it started may write when it has ended.
    await later
    assert.deepEqual(noted(), [1, 2, 3])
    await forget()
  })

  it('let a transaction on another database in, from which the outer one is as far as before', async () => {
    const other = openSqlite(join(folder, 'other.db'))
    await db.transaction(async (tx) => {
      await note(tx, 1)
      await other.transaction(async () => {
        await assert.rejects(db.script('delete from notes'), /begun inside a transaction/)
      })
      await other.script('create table notes (number integer)')
    })
    await other.close()
    await forget()
  })

  it('are not reported as done before other programs can see the result', async () => {
    await Promise.all(
      numbers(20).map(async (number) => {
        await db.transaction((tx) => note(tx, number))
        assert.ok(noted().includes(number))
      }),
    )
    await forget()
  })

  it('continue after SQLite itself rolled back one of them, with its whole group', async () => {
    const outcomes = await Promise.allSettled(
      numbers(6).map((number) =>
        db.transaction(async (tx) => {
          await note(tx, number)
          if (number === 3) await tx.script('rollback')
          if (number === 3) throw new Error('undone')
        }),
      ),
    )
    const failed = outcomes.flatMap(({ status }, number) => (status === 'rejected' ? [number] : []))
    assert.ok(failed.includes(3))
    assert.deepEqual(
      noted(),
      numbers(6).filter((number) => !failed.includes(number)),
    )
  })

  it('are not reported as done when SQLite has rolled them back', async () => {
    await forget()
    const undone = db.transaction(async (tx) => {
      await note(tx, 1)
      await tx.script('rollback')
    })
    await assert.rejects(undone)
    assert.deepEqual(noted(), [])
  })
})

describe('the journal of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-journal-'))
  const file = join(folder, 'journal.db')
  const server = openSqlite(file)
  const patient = openSqlite(file, true, { after: undefined })
  after(async () => {
    await patient.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const PAGES = 1500
  const pagesInJournal = () => statSync(`${file}-wal`).size / 4096
  /** Large enough that each row takes a page. */
  const fill = () =>
    server.script(`insert into texts with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${PAGES})
      select null, zeroblob(3500) from numbers`)

  it('is not checkpointed by the server, but by the writer with deferred sync', async () => {
    await server.script('create table texts (number integer primary key, text blob)')
    await fill()
    await fill()
    const before = pagesInJournal()
    assert.ok(before > 2 * PAGES, `${before} pages`)
    await patient.script('insert into texts values (null, null)')
    await fill()
    assert.ok(pagesInJournal() < before + PAGES / 2, `It grew from ${before} to ${pagesInJournal()} pages`)
  })
})
