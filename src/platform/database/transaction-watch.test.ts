import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Connection } from './sqlite-connection.ts'
import { Writer } from './sqlite-writer.ts'
import { OpenTransaction, TransactionWatch } from './transaction-watch.ts'

const PAUSE_MILLISECONDS = 40

describe('a transaction that does not go on', () => {
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
    open.count()
    it.connection.exec(`insert into words values ('${word}')`)
  }
  const words = () => connection.connection.prepare('select word from words order by rowid').all()

  it('fails, leaves nothing, and lets the next ones write', async () => {
    let opened: OpenTransaction | undefined
    const stuck = writer.alone(async (it, open) => {
      opened = open
      await insert('stuck')(it, open)
      await new Promise(() => {})
    })
    const waiting = ['one', 'two'].map((word) => writer.alone(insert(word)))
    await assert.rejects(stuck, /had run no statement/)
    await Promise.all(waiting)
    assert.deepEqual(
      words().map(({ word }) => word),
      ['one', 'two'],
    )
    assert.throws(() => opened?.count(), /has ended/)
  })

  it('fails alone among those that share a commit', async () => {
    const done = ['before', 'stuck', 'behind'].map((word) =>
      writer.alone(async (it, open) => {
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

  it('is told from one that takes long', () => {
    const faults: Error[] = []
    const open = new OpenTransaction((fault) => faults.push(fault))
    for (const now of [1e9, 2e9, 3e9]) {
      open.count()
      open.look(now, PAUSE_MILLISECONDS)
    }
    open.look(3e9 + PAUSE_MILLISECONDS, PAUSE_MILLISECONDS)
    assert.equal(faults.length, 0)
    open.look(3e9 + PAUSE_MILLISECONDS + 1, PAUSE_MILLISECONDS)
    assert.equal(faults.length, 1)
  })
})
