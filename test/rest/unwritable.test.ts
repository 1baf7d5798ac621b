import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Connection } from '../../src/platform/database/sqlite/sqlite-connection.ts'
import { fileBug, newBug, readBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnOneEngine, type Reply, World } from '../support/world.ts'

const requireRetry = (reply: Reply) => {
  assertRefused(reply, 503, 32000)
  assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
}

// SQLite itself refuses to write here, as it does on a full disk and on one that is mounted read-only.
describe('A file of SQLite', () => {
  const world = new World('sqlite')
  before(() => world.open())
  after(() => world.close())

  /** On the connection that writes, and in no transaction. */
  const onWriter = (sql: string) => {
    const { writer } = world.db as unknown as { writer: { connection: Connection } }
    writer.connection.connection.exec(sql)
  }

  it('that is read-only refuses changes with 503, answers reads, and /ready says why', async () => {
    const id = await fileBug(world.ada)
    onWriter('pragma query_only = on')
    requireRetry(await world.ada.post('/rest/bug', newBug()))
    requireRetry(await world.ada.post('/rest/bug', newBug(), { 'Idempotency-Key': 'once' }))
    requireRetry(await world.ada.put(`/rest/bug/${id}`, { summary: 'Changed' }))
    const ready = await world.nobody.get('/ready')
    assert.equal(ready.status, 503)
    assert.equal(ready.body.message, 'The tracker is not ready: the database is read-only.')
    assert.equal((await readBug(world.ada, id)).summary, 'Something is wrong')
    onWriter('pragma query_only = off')
    assert.equal((await world.nobody.get('/ready')).status, 200)
    await fileBug(world.ada)
  })

  it('on a full disk refuses changes with 503, keeps what was there, and goes on when there is room', async () => {
    const id = await fileBug(world.ada)
    onWriter('pragma max_page_count = 1')
    const comment = { comment: 'x'.repeat(60_000) }
    let reply = await world.ada.post(`/rest/bug/${id}/comment`, comment)
    for (let tries = 0; tries < 50 && reply.status === 201; tries++)
      reply = await world.ada.post(`/rest/bug/${id}/comment`, comment)
    requireRetry(reply)
    const many = await Promise.all(Array.from({ length: 10 }, () => world.ada.post(`/rest/bug/${id}/comment`, comment)))
    for (const one of many) requireRetry(one)
    assert.equal((await readBug(world.ada, id)).id, id)
    onWriter('pragma max_page_count = 1000000')
    assert.equal((await world.ada.post(`/rest/bug/${id}/comment`, comment)).status, 201)
    assert.equal(world.logged.filter(({ event }) => event === 'internal failure').length, 0)
    assert.ok(world.logged.some(({ event, why }) => event === 'not served' && `${why}`.includes('full')))
  })
})

describeOnOneEngine('A data folder in which nothing can be stored', (world) => {
  it('makes /ready fail, and it says so', async () => {
    const folder = join(world.dataFolder, 'attachments')
    writeFileSync(folder, 'in the way')
    const ready = await world.nobody.get('/ready')
    assert.deepEqual([ready.status, ready.body.code], [503, 100500])
    assert.equal(ready.body.message, 'The tracker is not ready: files cannot be stored.')
    assert.match(ready.headers.get('retry-after') ?? '', /^\d+$/)
    renameSync(folder, `${folder}.away`)
    assert.equal((await world.nobody.get('/ready')).status, 200)
  })
})
