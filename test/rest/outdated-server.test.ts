import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TransactionKind } from '../../src/platform/database/db.ts'
import { isOlder } from '../../src/platform/database/oldest-writer.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { statement } from '../../src/platform/database/statements/statement.ts'
import { fileBug, newBug } from '../support/file-bug.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { until } from '../support/until.ts'
import { describeOnEachEngine } from '../support/world.ts'

it('compares releases by their numbers', () => {
  for (const [one, other] of [
    ['6.0.0', '6.0.1'],
    ['6.9.0', '6.10.0'],
    ['6.10.3', '7.0.0'],
  ] as const)
    assert.deepEqual([isOlder(one, other), isOlder(other, one), isOlder(one, one)], [true, false, false])
})

describeOnEachEngine('A server whose database a newer release has migrated', (world) => {
  /** What the migration of a later release would write. */
  const migrateFor = (release: string) =>
    world.db.transaction((tx) => tx.script(`update state_versions set oldest_writer = '${release}'`), 'migration')
  const REFUSED =
    /A newer release has migrated the database: this server \(\d+\.\d+\.\d+\) only reads, and release 99\.0\.0/

  it('reads, is not ready, and refuses every write with 503, also one that had begun', async () => {
    const id = await fileBug(world.ada, { summary: 'Before' })
    assert.equal((await world.nobody.get('/ready')).status, 200)
    const late = await changedMeanwhile(
      world,
      () => world.ada.put(`/rest/bug/${id}`, { summary: 'After' }),
      () => migrateFor('99.0.0'),
    )
    assert.deepEqual([late.status, late.body.code], [503, 32000])
    assert.match(late.body.message, REFUSED)
    assert.equal(late.headers.get('retry-after'), '60')

    await until(async () => (await world.nobody.get('/ready')).status === 503)
    assert.match((await world.nobody.get('/ready')).body.message, /migrated for release 99\.0\.0, and this server is/)
    for (const { status, body } of [
      await world.ada.post('/rest/bug', newBug()),
      await world.ada.post('/rest/keyword', { name: 'late', description: 'd' }),
      await world.ada.put('/rest/parameters', { maxattachmentsize: 10 }),
      await world.ada.post('/rest/user', { email: 'late@example.com' }),
    ]) {
      assert.equal(status, 503)
      assert.match(body.message, REFUSED)
    }
    const { status, body } = await world.ada.get(`/rest/bug/${id}`)
    assert.deepEqual([status, body.bugs[0].summary], [200, 'Before'])

    await migrateFor('6.0.0')
    await until(async () => (await world.nobody.get('/ready')).status === 200)
    assert.equal((await world.ada.put(`/rest/bug/${id}`, { summary: 'After' })).status, 200)
  })

  it('refuses whatever was already on its way, also in the background, and writes nothing', async () => {
    const other = openDatabase(world.databaseUrl, true)
    const migrating = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const migration = other.transaction(async (tx) => {
      await tx.script("update state_versions set oldest_writer = '99.0.0'")
      migrating.resolve()
      await goOn.promise
    }, 'migration')
    await migrating.promise
    // No request reads the row in between, as in the delivery.
    const kinds: (TransactionKind | undefined)[] = [undefined, 'login', 'links', 'events', 'accounts', 'configuration']
    const late = [
      world.db.all(insertChore, { name: 'single' }),
      world.db.query((q) => q.deleteFrom('chores')),
      ...kinds.map((kind) => world.db.transaction((tx) => tx.all(insertChore, { name: `late ${kind}` }), kind)),
    ].map((write) => write.then(() => 'written', reasonOf))
    goOn.resolve()
    await migration
    assert.deepEqual(
      await Promise.all(late),
      late.map(() => 'outdated_server'),
    )
    assert.deepEqual(
      await world.db.query((q) => q.selectFrom('chores').select('name').where('name', 'like', '%late%')),
      [],
    )
    await world.db.transaction((tx) => tx.script("update state_versions set oldest_writer = '6.0.0'"), 'migration')
    await world.db.all(insertChore, { name: 'single' })
    await other.close()
  })
})

const insertChore = statement<{ name: string }>()((q, p) =>
  q.insertInto('chores').values({ name: p.name, on_day: '2026-01-01', begun_at: '2026-01-01T00:00:00Z', is_done: 1 }),
)

const reasonOf = (fault: { reason?: string }) => fault.reason ?? String(fault)
