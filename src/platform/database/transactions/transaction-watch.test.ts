import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Connection } from '../sqlite/sqlite-connection.ts'
import { Writer } from '../sqlite/sqlite-writer.ts'
import { OpenTransaction, TransactionWatch } from './transaction-watch.ts'

const PAUSE_MILLISECONDS = 200

describe('a transaction that does not continue', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-watch-'))
  let connection: Connection
  let writer: Writer
  before(() => {
    connection = new Connection(join(folder, 'x.db'))
    connection.connection.exec('create table words (word text)')
    writer = new Writer(connection, undefined, new TransactionWatch(PAUSE_MILLISECONDS))
  })
  after(async () => {
    await writer.close()
    rmSync(folder, { recursive: true })
  })

  const insert = (word: string) => async (it: Connection, open: OpenTransaction) => {
    const sql = `insert into words values ('${word}')`
    open.count(sql)
    it.connection.exec(sql)
  }
  const words = () => connection.connection.prepare('select word from words order by rowid').all()

  it('fails, leaves nothing, and lets the next ones write', async () => {
    let opened: OpenTransaction | undefined
    const stuck = writer.enqueue(async (it, open) => {
      opened = open
      await insert('stuck')(it, open)
      await new Promise(() => {})
    })
    const waiting = ['one', 'two'].map((word) => writer.enqueue(insert(word)))
    await assert.rejects(stuck, /ran no statement .* Its last one was: insert into words/)
    await Promise.all(waiting)
    assert.deepEqual(
      words().map(({ word }) => word),
      ['one', 'two'],
    )
    assert.throws(() => opened?.count('select 1'), /has ended/)
  })

  it('fails alone among those that share a commit', async () => {
    const done = ['before', 'stuck', 'behind'].map((word) =>
      writer.enqueue(async (it, open) => {
        await insert(word)(it, open)
        if (word === 'stuck') await new Promise(() => {})
      }),
    )
    const outcomes = await Promise.allSettled(done)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(
      words()
        .slice(2)
        .map(({ word }) => word),
      ['before', 'behind'],
    )
  })

  it('is distinguished from one that takes long', () => {
    const faults: Error[] = []
    const open = new OpenTransaction((fault) => faults.push(fault))
    const look = (times: number) => {
      for (let looks = 0; looks < times; looks++) open.look(PAUSE_MILLISECONDS)
    }
    for (let statements = 0; statements < 3; statements++) {
      open.count('select 1')
      look(4)
    }
    assert.equal(faults.length, 0)
    look(1)
    assert.equal(faults.length, 1)
  })

  it('is not ended when it is a migration', () => {
    const faults: Error[] = []
    const open = new OpenTransaction((fault) => faults.push(fault))
    open.kind = 'migration'
    for (let looks = 0; looks < 20; looks++) open.look(PAUSE_MILLISECONDS)
    assert.equal(faults.length, 0)
  })
})
