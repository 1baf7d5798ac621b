import assert from 'node:assert/strict'
import { it } from 'node:test'
import { attach } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
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
    assert.deepEqual(await names(), ['no_https', 'no_maintainer', 'no_second_factor'])
    const at = '2026-01-02T03:04:05Z'
    await world.db.query((q) => q.insertInto('mail_outages').values({ id: 1, since: at, last_at: at, error: 'secret' }))
    const { body, text } = await world.ada.get('/rest/admin/status')
    assert.deepEqual([body.mail_outage_since, body.warnings[0]?.level, text.includes('secret')], [at, 'danger', false])
    await world.db.query((q) => q.deleteFrom('mail_outages'))
    await world.ada.put('/rest/parameters', { maintainer: 'm@lacewing.test', urlbase: 'https://bugs.lacewing.test/' })
    assert.deepEqual(await names(), ['no_second_factor'])
    await world.ada.put('/rest/parameters', { urlbase: '', maintainer: '' })
  })
})
