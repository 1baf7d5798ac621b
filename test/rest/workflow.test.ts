import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import type { Client, World } from '../support/world.ts'

const describeTogether = inOneWorld()

interface Transition {
  from: string | null
  to: string
  comment_required: boolean
}

async function workflow(client: Client): Promise<Transition[]> {
  const { status, body, text } = await client.get('/rest/workflow')
  assert.equal(status, 200, text)
  return body.transitions
}

const step = (from: string | null, to: string, comment_required = false) => ({ from, to, comment_required })

const SHIPPED = [
  step(null, 'UNCONFIRMED'),
  step(null, 'CONFIRMED'),
  step(null, 'IN_PROGRESS'),
  step('UNCONFIRMED', 'CONFIRMED'),
  step('UNCONFIRMED', 'IN_PROGRESS'),
  step('UNCONFIRMED', 'RESOLVED'),
  step('CONFIRMED', 'IN_PROGRESS'),
  step('CONFIRMED', 'RESOLVED'),
  step('IN_PROGRESS', 'CONFIRMED'),
  step('IN_PROGRESS', 'RESOLVED'),
  step('RESOLVED', 'UNCONFIRMED'),
  step('RESOLVED', 'CONFIRMED'),
  step('RESOLVED', 'VERIFIED'),
  step('VERIFIED', 'UNCONFIRMED'),
  step('VERIFIED', 'CONFIRMED'),
]

const put = (world: World, transitions: unknown) => world.ada.put('/rest/workflow', { transitions })

/** The possible next statuses in the response of the fields call. */
async function stepsFrom(world: World, status: string | null) {
  const { body } = await world.nobody.get('/rest/field/bug/bug_status')
  return body.fields[0].values.find(({ name }) => name === status).can_change_to
}

describeTogether.onOneEngine('GET /rest/workflow', (world) => {
  it('returns the shipped workflow to every caller, in the order of the statuses', async () => {
    assert.deepEqual(await workflow(world.nobody), SHIPPED)
  })
})

describeTogether.onOneEngine('PUT /rest/workflow', (world) => {
  it('replaces the whole workflow, and adds what lets every status become that of duplicates', async () => {
    const wanted = [
      step(null, 'CONFIRMED'),
      step('confirmed', 'in_progress', true),
      { from: 'IN_PROGRESS', to: 'RESOLVED', comment_required: '1' },
      { from: 'RESOLVED', to: 'CONFIRMED' },
    ]
    const { status, body } = await put(world, wanted)
    assert.equal(status, 200)
    const now = [
      step(null, 'CONFIRMED'),
      step('UNCONFIRMED', 'RESOLVED'),
      step('CONFIRMED', 'IN_PROGRESS', true),
      step('CONFIRMED', 'RESOLVED'),
      step('IN_PROGRESS', 'RESOLVED', true),
      step('RESOLVED', 'CONFIRMED'),
      step('VERIFIED', 'RESOLVED'),
    ]
    assert.deepEqual(body.transitions, now)
    assert.deepEqual(await workflow(world.nobody), now)
    const { removed, added } = sure(body.changes.transitions)
    assert.equal(added, 'CONFIRMED > IN_PROGRESS *, IN_PROGRESS > RESOLVED *, VERIFIED > RESOLVED')
    assert.ok(removed.includes('(new bug) > UNCONFIRMED') && removed.includes('CONFIRMED > IN_PROGRESS'))
    assert.deepEqual(await stepsFrom(world, 'CONFIRMED'), [
      { name: 'IN_PROGRESS', comment_required: true },
      { name: 'RESOLVED', comment_required: false },
    ])
    assert.deepEqual(await stepsFrom(world, null), [{ name: 'CONFIRMED', comment_required: false }])
  })

  it('changes nothing when it is given what there is', async () => {
    const before = await workflow(world.nobody)
    const { body } = await put(world, before)
    assert.deepEqual(body, { transitions: before, changes: {} })
  })

  it('is written into the audit log', async () => {
    await put(world, [step(null, 'IN_PROGRESS')])
    const { body } = await world.ada.get('/rest/audit?class=Tracker::Workflow&limit=1')
    assert.equal(body.audit[0].who, 'ada@lacewing.test')
    assert.equal(body.audit[0].field, 'transitions')
    assert.ok(body.audit[0].added.includes('(new bug) > IN_PROGRESS'))
  })

  it('takes statuses that were made, and follows their names', async () => {
    await world.ada.post('/rest/field/bug/bug_status/values', { name: 'TRIAGED', is_open: true })
    const { body } = await world.ada.get('/rest/audit?class=Tracker::Workflow&limit=1')
    assert.equal(body.audit[0].added, 'TRIAGED > RESOLVED', 'also a step that a new status brings is recorded')
    await put(world, [step(null, 'TRIAGED'), step('TRIAGED', 'IN_PROGRESS', true)])
    await world.ada.put('/rest/field/bug/bug_status/values/TRIAGED', { name: 'SORTED', sort_key: 150 })
    assert.deepEqual(await stepsFrom(world, null), [{ name: 'SORTED', comment_required: false }])
    assert.deepEqual(
      (await workflow(world.nobody)).filter(({ from }) => from === 'SORTED'),
      [step('SORTED', 'IN_PROGRESS', true), step('SORTED', 'RESOLVED')],
    )
    // It is the only status that new bugs can begin with.
    assertRefused(await world.ada.delete('/rest/field/bug/bug_status/values/SORTED'), 400, 32000)
    assertRefused(await world.ada.put('/rest/field/bug/bug_status/values/SORTED', { is_active: false }), 400, 32000)
    await put(world, SHIPPED)
    assert.equal((await world.ada.delete('/rest/field/bug/bug_status/values/SORTED')).status, 200)
    assert.ok(!JSON.stringify(await workflow(world.nobody)).includes('SORTED'))
  })

  it('lets every status reach whatever status duplicates have', async () => {
    await world.withParameters({ duplicate_or_move_bug_status: 'VERIFIED' }, async () => {
      const { body } = await put(world, [step(null, 'CONFIRMED')])
      assert.deepEqual(body.transitions, [
        step(null, 'CONFIRMED'),
        ...['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED'].map((from) => step(from, 'VERIFIED')),
      ])
    })
  })

  it('refuses an invalid workflow, each with its number, and changes nothing', async () => {
    await put(world, SHIPPED)
    const before = await workflow(world.nobody)
    const wrong: [unknown, number, number][] = [
      [undefined, 400, 50],
      [null, 400, 50],
      ['', 400, 50],
      ['CONFIRMED', 400, 53],
      [{ from: null, to: 'CONFIRMED' }, 400, 53],
      [['CONFIRMED'], 400, 53],
      [[null], 400, 53],
      [[[]], 400, 53],
      [[{ to: 'CONFIRMED' }], 400, 50],
      [[{ from: null }], 400, 50],
      [[{ from: null, to: 3 }], 400, 50],
      [[{ from: 3, to: 'CONFIRMED' }], 400, 53],
      [[{ from: null, to: 'CONFIRMED', comment_required: 'maybe' }], 400, 53],
      [[{ from: null, to: 'CONFIRMED', comment: true }], 400, 53],
      [[step(null, 'CONFIRMED'), step(null, 'nosuch')], 404, 51],
      [[step(null, 'CONFIRMED'), step('nosuch', 'CONFIRMED')], 404, 51],
      [[step(null, 'CONFIRMED'), step('', 'CONFIRMED')], 404, 51],
      [[step(null, 'CONFIRMED'), step(null, 'confirmed')], 400, 53],
      [[step(null, 'CONFIRMED'), step('CONFIRMED', 'CONFIRMED')], 400, 53],
      [[], 400, 32000],
      [[step('CONFIRMED', 'RESOLVED')], 400, 32000],
      [[step(null, 'UNCONFIRMED')], 400, 32000],
    ]
    for (const [transitions, status, code] of wrong) {
      const reply = await put(world, transitions)
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(transitions)}: ${reply.text}`)
    }
    assertRefused(await world.ada.put('/rest/workflow', { transitions: SHIPPED, colour: 'red' }), 400, 32601)
    assert.deepEqual(await workflow(world.nobody), before)
  })

  it('refuses a workflow in which new bugs could begin only with a status out of use', async () => {
    await world.ada.post('/rest/field/bug/bug_status/values', { name: 'OLD', is_open: true, is_active: false })
    assertRefused(await put(world, [step(null, 'OLD')]), 400, 32000)
    assert.equal((await put(world, [step(null, 'OLD'), step(null, 'CONFIRMED')])).status, 200)
    assert.deepEqual(await stepsFrom(world, null), [{ name: 'CONFIRMED', comment_required: false }])
  })

  it('allows and forbids one step, and leaves all others as they are', async () => {
    await put(world, SHIPPED)
    const before = await workflow(world.nobody)
    const set = (path: `from/${string}/${string}` | `new/${string}`, body: object, who = world.ada) =>
      who.put(`/rest/workflow/${path}`, body)
    const added = await set('from/CONFIRMED/verified', { is_allowed: true, comment_required: true })
    assert.deepEqual(added.body.changes.transitions, { removed: '', added: 'CONFIRMED > VERIFIED *' })
    assert.equal((await workflow(world.nobody)).length, before.length + 1)
    await set('from/CONFIRMED/VERIFIED', { is_allowed: false })
    assert.deepEqual(await workflow(world.nobody), before)
    await set('new/CONFIRMED', { is_allowed: false })
    assertRefused(await set('new/IN_PROGRESS', { is_allowed: false }), 400, 32000)
    await set('new/CONFIRMED', { is_allowed: true })
    await set('from/CONFIRMED/RESOLVED', { is_allowed: false })
    assert.deepEqual(await workflow(world.nobody), before, 'every status can change to that of duplicates')
    assertRefused(await set('from/CONFIRMED/CONFIRMED', { is_allowed: true }), 400, 53)
    assertRefused(await set('from/CONFIRMED/NOTHING', { is_allowed: true }), 404, 51)
    assertRefused(await set('from/CONFIRMED/VERIFIED', {}), 400, 50)
    assertRefused(await set('from/CONFIRMED/VERIFIED', { is_allowed: true }, world.edna), 401, 304)
    assertRefused(await set('new/CONFIRMED', { is_allowed: true }, world.nobody), 401, 410)
    assert.deepEqual(await workflow(world.nobody), before)
  })

  it('refuses anonymous callers and users outside of admin', async () => {
    const before = await workflow(world.nobody)
    const wanted = { transitions: [step(null, 'IN_PROGRESS')] }
    assertRefused(await world.nobody.put('/rest/workflow', wanted), 401, 410)
    for (const client of [world.edna, world.sven, world.pam, world.greta, world.uma])
      assertRefused(await client.put('/rest/workflow', wanted), 401, 304)
    assert.deepEqual(await workflow(world.nobody), before)
  })
})

describeTogether('Two administrators of the workflow at once', (world) => {
  it('leave the workflow of one of them, whole', async () => {
    const one = [step(null, 'CONFIRMED'), step('CONFIRMED', 'IN_PROGRESS')]
    const two = [step(null, 'IN_PROGRESS'), step('IN_PROGRESS', 'CONFIRMED', true)]
    for (let round = 0; round < randomCases(2); round++) {
      const replies = await Promise.all([put(world, one), put(world, two)])
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200],
      )
      const now = JSON.stringify(await workflow(world.nobody))
      assert.ok(replies.some(({ body }) => JSON.stringify(body.transitions) === now))
    }
  })

  itOnPostgres(world, 'never leave a step to a status that the other deleted', async () => {
    for (let round = 0; round < randomCases(2); round++) {
      const name = world.unique('STATUS')
      await world.ada.post('/rest/field/bug/bug_status/values', { name, is_open: true })
      const [changed, deleted] = await Promise.all([
        put(world, [...SHIPPED, step('CONFIRMED', name)]),
        world.ada.delete(`/rest/field/bug/bug_status/values/${name}`),
      ])
      assert.equal(deleted.status, 200)
      assert.ok([200, 404].includes(changed.status), changed.text)
      assert.ok(!JSON.stringify(await workflow(world.nobody)).includes(name))
    }
  })
})
