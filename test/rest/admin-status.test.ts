import assert from 'node:assert/strict'
import { it } from 'node:test'
import { noteOverload } from '../../src/platform/database/chores.ts'
import { attach } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine } from '../support/world.ts'

describeOnEachEngine('GET /rest/admin/status', (world) => {
  it('is for members of admin', async () => {
    assertRefused(await world.nobody.get('/rest/admin/status'), 401, 410)
    for (const who of [world.edna, world.pam, world.uma]) assertRefused(await who.get('/rest/admin/status'), 401, 304)
  })

  it('counts bugs, open ones and users, and knows the engine and the size of its database', async () => {
    const today = new Date().toISOString().slice(0, 10)
    await world.db.query((q) =>
      q.updateTable('users').set({ last_seen_on: today }).where('login', '=', cast.edna.login),
    )
    const { body: before } = await world.ada.get('/rest/admin/status')
    const id = await fileBug(world.ada, { summary: 'Closed at once' })
    await fileBug(world.ada, { summary: 'Still open' })
    await world.ada.put(`/rest/bug/${id}`, { status: 'RESOLVED', resolution: 'FIXED' })
    const { body, text } = await world.ada.get('/rest/admin/status')
    assert.deepEqual([body.counts.bugs - before.counts.bugs, body.counts.open_bugs - before.counts.open_bugs], [2, 1])
    assert.ok(body.counts.users >= body.counts.active_users && body.counts.active_users >= 1, text)
    assert.match(body.engine.version, /^\d+\.\d+/)
    assert.ok(body.database_bytes > 100_000, text)
    const month = 30 * 24 * 3_600_000
    const [recent, old] = [35, 65].map((days) => new Date(Date.now() - (days * month) / 30).toISOString())
    await attach(world.ada, id, { data: Buffer.from('five!').toString('base64') })
    await world.db.query((q) =>
      q
        .updateTable('bugs')
        .set({ created_at: String(recent) })
        .where('id', '=', id),
    )
    const { body: later } = await world.ada.get('/rest/admin/status')
    assert.deepEqual(
      [body.counts.filed - before.counts.filed, later.counts.filed - body.counts.filed],
      [2, -1],
      'bugs of this month',
    )
    assert.equal(later.counts.filed_before - body.counts.filed_before, 1)
    assert.equal(later.attachment_bytes - body.attachment_bytes, 5)
    await world.db.query((q) =>
      q
        .updateTable('bugs')
        .set({ created_at: String(old) })
        .where('id', '=', id),
    )
    assert.equal((await world.ada.get('/rest/admin/status')).body.counts.filed_before, body.counts.filed_before)
    assert.ok(body.started_at <= body.now)
    for (const { name } of body.queues) assert.match(name, /^[a-z]+(?: [a-z]+)?$/)
    assert.ok(!text.includes('Still open'), 'no text of a bug')
  })

  it('warns of what needs attention, and no longer when it is set right', async () => {
    const names = async () => (await world.ada.get('/rest/admin/status')).body.warnings.map(({ name }) => name)
    await world.ada.put('/rest/parameters', { maintainer: '', urlbase: '', factor_group: '' })
    // The PostgreSQL of the tests is not set up for searches among many bugs.
    const settings = world.engine === 'postgres' ? ['database_settings'] : []
    const all = ['no_mail_server', 'no_https', 'no_maintainer', 'no_second_factor', 'no_backup', ...settings]
    assert.deepEqual(await names(), all)
    await world.ada.put('/rest/parameters', { smtp_url: 'smtp://mail.lacewing.test:25' })
    const at = '2026-01-02T03:04:05Z'
    await world.db.query((q) => q.insertInto('mail_outages').values({ id: 1, since: at, last_at: at, error: 'secret' }))
    const { body, text } = await world.ada.get('/rest/admin/status')
    assert.deepEqual([body.mail_outage_since, body.warnings[0]?.level, text.includes('secret')], [at, 'danger', false])
    await world.db.query((q) => q.deleteFrom('mail_outages'))
    await world.ada.put('/rest/parameters', { maintainer: 'm@lacewing.test', urlbase: 'https://bugs.lacewing.test/' })
    assert.deepEqual(await names(), ['no_second_factor', 'no_backup', ...settings])
    await noteOverload(world.db, at)
    assert.deepEqual(await names(), ['no_second_factor', 'no_backup', ...settings], 'an overload of another day')
    await noteOverload(world.db, `${new Date().toISOString().slice(0, 19)}Z`)
    assert.deepEqual(await names(), ['overloaded', 'no_second_factor', 'no_backup', ...settings])
    await noteOverload(world.db, at)
    await world.ada.put('/rest/parameters', { backup_expected_hours: 0 })
    assert.deepEqual(await names(), ['no_second_factor', ...settings])
    await world.ada.put('/rest/parameters', { backup_expected_hours: 24 })
    await world.ada.put('/rest/parameters', { urlbase: '', maintainer: '', smtp_url: '' })
  })

  it('knows the last backups, also of other programs, and warns when they end', async () => {
    for (const who of [world.nobody, world.edna])
      assertRefused(await who.post('/rest/admin/backup'), 401, who === world.nobody ? 410 : 304)
    assertRefused(await world.ada.post('/rest/admin/backup', { bytes: -1 }), 400, 53)
    assertRefused(await world.ada.post('/rest/admin/backup', { source: 'x'.repeat(101) }), 400, 104)
    for (let count = 0; count < 15; count++)
      assert.equal((await world.ada.post('/rest/admin/backup', { source: `number ${count}` })).status, 201)
    const bytes = 5_000_000_000
    await world.ada.post('/rest/admin/backup', { bytes, source: 'pg_dump' })
    const { body } = await world.ada.get('/rest/admin/status')
    assert.equal(body.backups.length, 14)
    assert.deepEqual([body.backups[0]?.bytes, body.backups[0]?.source], [bytes, 'pg_dump'])
    const at = new Date(Date.now() - 25 * 3_600_000).toISOString().slice(0, 19)
    await world.db.query((q) => q.updateTable('backups_seen').set({ at: `${at}Z` }))
    const { body: late } = await world.ada.get('/rest/admin/status')
    assert.ok(late.warnings.some(({ name, text }) => name === 'late_backup' && text.includes(at)))
    assert.ok((late.disk_free_bytes ?? 0) > 0)
  })

  it('lists slow searches of the last day without credentials, until a user leaves', async () => {
    const { client, id } = await world.newUser()
    const slow = async (text: string) =>
      (await world.ada.get('/rest/admin/status')).body.slow_searches.filter(({ query }) => query.includes(text))
    const search = `/rest/bug?short_desc=slow-or-not&short_desc_type=regexp&token=&api_key=`
    await client.get('/rest/bug?summary=quick')
    assert.deepEqual(await slow('quick'), [], 'none takes a second')
    await world.withParameters({ slow_search_milliseconds: 1 }, async () => {
      for (const who of [client, client, world.nobody]) await who.get(search)
      assertRefused(await world.nobody.get('/rest/bug?short_desc=slow-or-not&api_key=not-a-key'), 400, 306)
    })
    await world.withParameters({ slow_search_milliseconds: 1 }, async () => {
      const pasted = encodeURIComponent('https://t.test/rest/bug?api_key=secret-of-mine')
      await client.get(
        `/rest/bug?short_desc=pasted&quicksearch=${pasted}&Api-Key=secret-of-mine&aB3dE5fG7hI9jK1lM3nO5p=1`,
      )
    })
    assert.deepEqual(
      (await slow('pasted')).map(({ query }) => decodeURIComponent(query)),
      ['short_desc=pasted&quicksearch=https://t.test/rest/bug?api_key=…&Api-Key=…&…=1'],
    )
    const found = await slow('slow-or-not')
    assert.deepEqual(found.map(({ user, times, path }) => `${path} ${user === null} ${times}`).sort(), [
      '/rest/bug false 2',
      '/rest/bug true 1',
    ])
    assert.ok(
      found.every(({ query }) => query === 'short_desc=slow-or-not&short_desc_type=regexp'),
      found[0]?.query,
    )
    await world.db.query((q) =>
      q.updateTable('slow_searches').set({ at: '2026-01-01T00:00:00Z' }).where('user_id', 'is', null),
    )
    assert.equal((await slow('slow-or-not')).length, 1, 'only those of a day')
    // One that still waits in memory is not written after that, nor when the user leaves just before it is written.
    await world.withParameters({ slow_search_milliseconds: 1 }, () => client.get(search))
    await world.ada.post(`/rest/user/${id}/anonymise`)
    assert.deepEqual(await slow('slow-or-not'), [])
    await world.db.script("update audit_log set at = '2026-01-01T00:00:00Z' where field = 'anonymised'")
    const other = await world.newUser()
    await world.withParameters({ slow_search_milliseconds: 1 }, () => other.client.get(search))
    const leave = () => world.ada.post(`/rest/user/${other.id}/anonymise`)
    await changedMeanwhile(world, () => world.ada.get('/rest/admin/status'), leave, 'accounts')
    assert.deepEqual(await slow('slow-or-not'), [])
  })
})
