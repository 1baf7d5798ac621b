import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { file, flagsOf, newPlace, newType } from '../support/flags.ts'
import { setControl } from '../support/new-member.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { sure } from '../support/sure.ts'
import { itOnOneEngine } from '../support/world.ts'

const describeTogether = inOneWorld()
const { stan } = cast

/** The day so many days from today, in UTC. */
function ahead(days: number) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

describeTogether('Reminders', (world) => {
  it('are created, read and deleted by their owner; those of others are like missing ones', async () => {
    const bug = await file(world.edna, await newPlace(world))
    const note = 'Ask again\r\nwhat came of it'
    const { status, body, text } = await world.edna.post('/rest/reminder', { bug_id: bug, note, reminder_ts: ahead(3) })
    assert.equal(status, 201, text)
    const { id, creation_ts } = body
    const whole = {
      id,
      bug_id: bug,
      note: 'Ask again\nwhat came of it',
      reminder_ts: ahead(3),
      creation_ts,
      sent: false,
    }
    assert.deepEqual(body, whole)
    assert.deepEqual((await world.edna.get(`/rest/reminder/${id}`)).body, whole)
    assert.deepEqual((await world.edna.get('/rest/reminder')).body.reminders.at(-1), whole)

    const [other, missing] = [
      await world.sven.get(`/rest/reminder/${id}`),
      await world.sven.get('/rest/reminder/999999'),
    ]
    assertRefused(other, 404, 51)
    assert.deepEqual({ ...other.body, values: 0, message: 0 }, { ...missing.body, values: 0, message: 0 })
    assert.equal(other.body.message, `There is no reminder “${id}”.`)
    assert.equal(missing.body.message, 'There is no reminder “999999”.')
    for (const ref of [id, 999_999, 'x', '-1', '1e3'])
      assert.deepEqual((await world.sven.delete(`/rest/reminder/${ref}`)).body, { success: 0 })
    assert.deepEqual((await world.sven.get('/rest/reminder?all=1')).body.reminders, [])
    assert.deepEqual((await world.edna.delete(`/rest/reminder/${id}`)).body, { success: 1 })
    assert.deepEqual((await world.edna.delete(`/rest/reminder/${id}`)).body, { success: 0 })
    assertRefused(await world.nobody.get('/rest/reminder'), 401, 410)
  })

  it('are refused for bugs that the caller cannot see, wrong days and long notes, and then nothing is stored', async () => {
    const place = await newPlace(world)
    await setControl(world, place.product, 'security', { membercontrol: 'Shown', othercontrol: 'NA' })
    const bug = await file(world.sven, { ...place, groups: ['security'] })
    const good = { bug_id: bug, note: '', reminder_ts: ahead(1) }
    assertRefused(await world.stan.post('/rest/reminder', good), 401, 102)
    const cases: [object, number, number][] = [
      [{ bug_id: 9_999_999 }, 404, 101],
      [{ bug_id: '' }, 400, 50],
      [{ bug_id: {} }, 400, 53],
      [{ reminder_ts: '' }, 400, 50],
      [{ reminder_ts: ahead(-1) }, 400, 53],
      [{ reminder_ts: '9999-01-01' }, 400, 53],
      [{ reminder_ts: '2027-02-30' }, 400, 56],
      [{ reminder_ts: 'tomorrow' }, 400, 56],
      [{ reminder_ts: `${ahead(1)}T00:00:00Z` }, 400, 56],
      [{ note: 'x'.repeat(1001) }, 400, 104],
      [{ note: 'bell \u0007' }, 400, 53],
      [{ to: stan.login }, 400, 32601],
    ]
    for (const [change, status, code] of cases) {
      const reply = await world.sven.post('/rest/reminder', { ...good, ...change })
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(change)}: ${reply.text}`)
    }
    assert.deepEqual((await world.sven.get('/rest/reminder?all=1')).body.reminders, [])
  })

  itOnOneEngine(world, 'need the parameters, but can always be deleted', async () => {
    const bug = await file(world.edna, await newPlace(world))
    const wanted = { bug_id: bug, reminder_ts: ahead(1) }
    const { body } = await world.edna.post('/rest/reminder', wanted)
    await world.ada.put('/rest/parameters', { reminders_group: 'security' })
    assertRefused(await world.edna.post('/rest/reminder', wanted), 401, 304)
    assert.equal((await world.sven.post('/rest/reminder', wanted)).status, 201)
    await world.ada.put('/rest/parameters', { reminders_group: '', reminders_enabled: false })
    assertRefused(await world.sven.post('/rest/reminder', wanted), 401, 304)
    assert.deepEqual((await world.edna.delete(`/rest/reminder/${body.id}`)).body, { success: 1 })
    await world.ada.put('/rest/parameters', { reminders_enabled: true })
  })
})

describeTogether('Requests to the caller', (world) => {
  it('are listed while the caller sees the bug, and deferred by nobody else, for a week at most', async () => {
    const place = await newPlace(world)
    await setControl(world, place.product, 'security', { membercontrol: 'Shown', othercontrol: 'NA' })
    const { name } = await newType(world, { inclusions: [place.product] })
    const bug = await file(world.sven, { ...place, flags: [{ name, status: '?', requestee: stan.login }] })
    const { id } = sure((await flagsOf(world, bug))[0])
    const read = async () => (await world.stan.get('/rest/request')).body.requests
    assert.deepEqual(
      (await read()).map((it) => [it.id, it.is_overdue, it.deferred_until]),
      [[id, false, null]],
    )
    const path = `/rest/request/${id}` as const
    const deferred = await world.stan.put(path, { deferred_until: ahead(7) })
    assert.equal(deferred.body.requests[0]?.deferred_until, ahead(7))
    for (const [deferred_until, code] of [
      [ahead(0), 53],
      [ahead(8), 53],
      ['soon', 53],
      [{}, 53],
    ] as const)
      assertRefused(await world.stan.put(path, { deferred_until }), 400, code)
    for (const client of [world.sven, world.ada, world.edna])
      assertRefused(await client.put(path, { deferred_until: ahead(2) }), 404, 51)
    assertRefused(await world.stan.put('/rest/request/999999', { deferred_until: ahead(2) }), 404, 51)
    assert.equal((await read())[0]?.deferred_until, ahead(7))
    assert.equal((await world.stan.put(path, { deferred_until: null })).body.requests[0]?.deferred_until, null)
    await world.sven.put(`/rest/bug/${bug}`, { groups: { add: ['security'] }, cc: { remove: [stan.login] } })
    assert.deepEqual(await read(), [])
    assertRefused(await world.stan.put(path, { deferred_until: ahead(2) }), 404, 51)
  })
})
