import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnce } from '../support/world.ts'

const DAY = 86_400_000
const inDays = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().slice(0, 19)}Z`

describeOnEachEngine('absences', (world) => {
  it('are noted, read by others, changed and deleted by the user', async () => {
    const { client, id: user_id, login: user } = await world.newUser()
    const [from, until, later] = [inDays(-1), inDays(5), inDays(9)]
    const { status, body, text } = await client.post('/rest/absence', { from, until, note: '  Emil stands in ' })
    assert.equal(status, 201, text)
    const { id } = body
    const noted = { id, user_id, user, from, until, note: 'Emil stands in', is_now: true }
    assert.deepEqual((await client.get('/rest/absence')).body, { absences: [noted] })
    for (const ref of [user_id, encodeURIComponent(user)])
      assert.deepEqual((await world.rhea.get(`/rest/absence?users=${ref}&users=&users=999999`)).body.absences, [noted])
    assert.deepEqual((await world.rhea.get('/rest/absence')).body, { absences: [] })
    const match = encodeURIComponent(user)
    const suggested = async () => (await world.rhea.get(`/rest/user/suggest?match=${match}`)).body.users[0].away_until
    assert.equal(await suggested(), until)
    const changed = { ...noted, from: until, until: later, is_now: false }
    const reply = await client.put(`/rest/absence/${id}`, { from: until, until: later })
    assert.deepEqual(reply.body, { absences: [changed] }, reply.text)
    assert.equal(await suggested(), undefined)
    for (const other of [world.rhea, world.ada]) {
      assertRefused(await other.put(`/rest/absence/${id}`, { note: 'x' }), 404, 51)
      assertRefused(await other.delete(`/rest/absence/${id}`), 404, 51)
    }
    assert.deepEqual((await client.delete(`/rest/absence/${id}`)).body, { id })
    assert.deepEqual((await client.get('/rest/absence')).body, { absences: [] })
    for (const ref of [id, 'x', 999_999]) assertRefused(await client.delete(`/rest/absence/${ref}`), 404, 51)
  })

  it('need a login, and are not shown to those who may not see the user', async () => {
    for (const reply of [
      await world.nobody.get('/rest/absence?users=1'),
      await world.nobody.post('/rest/absence', { from: inDays(0), until: inDays(1) }),
      await world.nobody.put('/rest/absence/1', {}),
      await world.nobody.delete('/rest/absence/1'),
    ])
      assertRefused(reply, 401, 410)
    const { client, id, login } = await world.newUser()
    await client.post('/rest/absence', { from: inDays(-1), until: inDays(1) })
    await world.ada.put('/rest/parameters', { usevisibilitygroups: true })
    try {
      for (const ref of [id, encodeURIComponent(login)])
        assert.deepEqual((await world.stan.get(`/rest/absence?users=${ref}`)).body, { absences: [] })
      assert.equal((await client.get('/rest/absence')).body.absences.length, 1)
      assert.equal((await world.uma.get(`/rest/absence?users=${id}`)).body.absences.length, 1)
    } finally {
      await world.ada.put('/rest/parameters', { usevisibilitygroups: false })
    }
  })

  it('are forgotten when they are over', async () => {
    const { client, id } = await world.newUser()
    const row = { user_id: id, starts_at: inDays(-9), ends_at: inDays(-1), note: 'over' }
    await world.db.query((q) => q.insertInto('absences').values(row))
    assert.deepEqual((await client.get('/rest/absence')).body, { absences: [] })
    await client.post('/rest/absence', { from: inDays(0), until: inDays(1) })
    const rows = await world.db.query((q) => q.selectFrom('absences').select('note').where('user_id', '=', id))
    assert.deepEqual(rows, [{ note: '' }])
  })

  itOnce(world, 'refuse what cannot be', async () => {
    const { client } = await world.newUser()
    const right = { from: inDays(0), until: inDays(1) }
    const { body } = await client.post('/rest/absence', right)
    for (const [wrong, code] of [
      [{ from: '' }, 56],
      [{ until: 'soon' }, 56],
      [{ until: right.from }, 53],
      [{ from: inDays(-3), until: inDays(-2) }, 53],
      [{ until: inDays(800) }, 53],
      [{ note: 'x'.repeat(201) }, 53],
      [{ note: 'two\nlines' }, 53],
      [{ note: ['x'] }, 53],
      [{ colour: 'red' }, 32601],
    ] as const) {
      const refused = await client.post('/rest/absence', { ...right, ...wrong })
      assert.equal(refused.body.code, code, `${JSON.stringify(wrong)}: ${refused.text}`)
      assert.equal((await client.put(`/rest/absence/${body.id}`, wrong)).body.code, code, JSON.stringify(wrong))
    }
    for (const missing of ['from', 'until'])
      assert.equal((await client.post('/rest/absence', { ...right, [missing]: undefined })).body.code, 50)
    assert.equal((await client.get('/rest/absence')).body.absences.length, 1)
  })
})
