import assert from 'node:assert/strict'
import { it } from 'node:test'
import { insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { changeBug, historyOf } from '../support/change-bug.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { sampled, sampledOnPostgres } from '../support/sample.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

const STATUSES = ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'VERIFIED'] as const
type Status = (typeof STATUSES)[number]
const OPEN: readonly Status[] = ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS']

/** The steps of the shipped workflow. */
const STEPS: Record<Status, readonly Status[]> = {
  UNCONFIRMED: ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED'],
  CONFIRMED: ['IN_PROGRESS', 'RESOLVED'],
  IN_PROGRESS: ['CONFIRMED', 'RESOLVED'],
  RESOLVED: ['UNCONFIRMED', 'CONFIRMED', 'VERIFIED'],
  VERIFIED: ['UNCONFIRMED', 'CONFIRMED'],
}

const isOpen = (status: Status) => OPEN.includes(status)

describeOnEachEngine('The status of a bug', (world) => {
  /** A bug with a status, as if it had come there by itself. */
  async function bugAt(status: Status, { isConfirmed = status !== 'UNCONFIRMED', ...more } = {}): Promise<number> {
    const resolution = isOpen(status) ? '' : 'FIXED'
    const id = await insertBug(world, {
      product: 'TestProduct',
      component: 'TestComponent',
      assigned_to: cast.greta.login,
      status,
      resolution,
      ...more,
    })
    await world.db.query((q) =>
      q
        .updateTable('bugs')
        .set({ is_confirmed: isConfirmed ? 1 : 0 })
        .where('id', '=', id),
    )
    return id
  }

  /** Who takes a step, and whether the confirmed state may change through it and a step between open statuses be taken. */
  const PEOPLE: {
    who: string
    client: (it: { confirmer: Client }) => Client
    confirms: boolean
    works: boolean
    closes: boolean
  }[] = [
    { who: 'with editbugs', client: () => world.edna, confirms: true, works: true, closes: true },
    { who: 'with canconfirm', client: ({ confirmer }) => confirmer, confirms: true, works: false, closes: false },
    { who: 'the assignee', client: () => world.greta, confirms: false, works: true, closes: true },
    { who: 'the reporter', client: () => world.rhea, confirms: false, works: false, closes: true },
    { who: 'another user', client: () => world.stan, confirms: false, works: false, closes: false },
  ]

  for (const [turn, { who, client, confirms, works, closes }] of PEOPLE.entries())
    for (const isConfirmed of [true, false])
      itOnOneEngine(
        world,
        `goes just where the workflow and the rights of a user lead: ${who}, ${isConfirmed ? '' : 'not '}confirmed`,
        async () => {
          const confirmer = (await newMember(world, 'canconfirm')).client
          for (const [place, from] of STATUSES.entries())
            for (const to of sampled(STATUSES, 2, place + turn)) {
              if (isOpen(from) && isConfirmed === (from === 'UNCONFIRMED')) continue
              const after = isOpen(to) ? to !== 'UNCONFIRMED' : isConfirmed
              const mayTake = after !== isConfirmed ? confirms : isOpen(from) && isOpen(to) ? works : closes
              const expected = from === to ? 200 : STEPS[from].includes(to) && mayTake ? 200 : 400
              const id = await bugAt(from, { isConfirmed })
              const change = { status: to, ...(!isOpen(to) && isOpen(from) && { resolution: 'WONTFIX' }) }
              const reply = await client({ confirmer }).put(`/rest/bug/${id}`, change)
              const says = `${who}: ${from} to ${to}: ${reply.text}`
              assert.equal(reply.status, expected, says)
              const bug = await readBug(world.ada, id)
              if (expected === 400) {
                assert.equal(reply.body.code, 123, says)
                assert.deepEqual([bug.status, bug.is_confirmed], [from, isConfirmed], says)
                continue
              }
              assert.deepEqual([bug.status, bug.is_confirmed, bug.is_open], [to, after, isOpen(to)], says)
              const resolution = isOpen(to) ? '' : isOpen(from) ? 'WONTFIX' : 'FIXED'
              assert.equal(bug.resolution, resolution, says)
              assert.equal(reply.body.bugs[0].changes.is_confirmed !== undefined, after !== isConfirmed, says)
            }
        },
      )

  it('is found in any letter case', async () => {
    const id = await bugAt('CONFIRMED')
    assert.deepEqual(await changeBug(world.edna, id, { status: 'in_progress' }), {
      status: { removed: 'CONFIRMED', added: 'IN_PROGRESS' },
    })
  })

  itOnOneEngine(world, 'reports that a bug was confirmed, but not when it is closed unconfirmed', async () => {
    const confirmed = await bugAt('UNCONFIRMED')
    const changes = await changeBug(world.edna, confirmed, { status: 'CONFIRMED' })
    assert.deepEqual(changes.is_confirmed, { removed: '0', added: '1' })
    assert.ok((await historyOf(world.ada, confirmed)).includes('edna: is_confirmed 0 → 1'))
    const closed = await bugAt('UNCONFIRMED')
    await changeBug(world.edna, closed, { status: 'RESOLVED', resolution: 'INVALID' })
    assert.equal((await readBug(world.ada, closed)).is_confirmed, false)
  })

  itOnOneEngine(world, 'is UNCONFIRMED only in products that have it', async () => {
    const product = await newProduct(world)
    await world.ada.put(`/rest/product/${product.name}`, { has_unconfirmed: false })
    const id = await bugAt('RESOLVED', { product: product.name, component: 'Core' } as object)
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { status: 'UNCONFIRMED' }), 400, 123)
    await changeBug(world.edna, id, { status: 'CONFIRMED' })
  })

  itOnOneEngine(world, 'is changed by those to whom the product gives canconfirm or editbugs', async () => {
    const product = await newProduct(world)
    const [confirmers, editors] = [await world.newGroup(), await world.newGroup()]
    await setControl(world, product.name, confirmers.name, { canconfirm: true })
    await setControl(world, product.name, editors.name, { editbugs: true })
    const place = { product: product.name, component: 'Core' } as object
    for (const group of [confirmers, editors]) {
      const member = (await newMember(world, group.name)).client
      await changeBug(member, await bugAt('UNCONFIRMED', place), { status: 'CONFIRMED' })
      assertRefused(await member.put(`/rest/bug/${await bugAt('UNCONFIRMED')}`, { status: 'CONFIRMED' }), 400, 123)
    }
  })

  const RESOLUTIONS: [from: Status, change: object, code: number | { status: string; resolution: string }][] = [
    ['CONFIRMED', { status: 'RESOLVED' }, 121],
    ['CONFIRMED', { status: 'RESOLVED', resolution: '' }, 121],
    ['CONFIRMED', { status: 'RESOLVED', resolution: 'nosuch' }, 51],
    ['CONFIRMED', { status: 'RESOLVED', resolution: 'fixed' }, { status: 'RESOLVED', resolution: 'FIXED' }],
    ['CONFIRMED', { resolution: 'FIXED' }, 122],
    ['CONFIRMED', { resolution: '' }, 50],
    ['CONFIRMED', { resolution: null }, 50],
    ['CONFIRMED', { status: 'IN_PROGRESS', resolution: 'FIXED' }, { status: 'IN_PROGRESS', resolution: '' }],
    ['CONFIRMED', { status: 'CONFIRMED', resolution: 'FIXED' }, { status: 'CONFIRMED', resolution: '' }],
    ['CONFIRMED', { status: 'RESOLVED', resolution: 'DUPLICATE' }, 119],
    ['RESOLVED', { resolution: 'DUPLICATE' }, 119],
    ['RESOLVED', { resolution: '' }, 121],
    ['RESOLVED', { resolution: null }, 121],
    ['RESOLVED', { resolution: 'WONTFIX' }, { status: 'RESOLVED', resolution: 'WONTFIX' }],
    ['RESOLVED', { status: 'VERIFIED' }, { status: 'VERIFIED', resolution: 'FIXED' }],
    ['RESOLVED', { status: 'VERIFIED', resolution: 'INVALID' }, { status: 'VERIFIED', resolution: 'INVALID' }],
    ['RESOLVED', { status: 'CONFIRMED' }, { status: 'CONFIRMED', resolution: '' }],
    ['VERIFIED', { status: 'UNCONFIRMED', resolution: 'FIXED' }, { status: 'UNCONFIRMED', resolution: '' }],
  ]

  for (const [from, change, expected] of sampledOnPostgres(world.engine, RESOLUTIONS, 4))
    it(`goes with its resolution: ${JSON.stringify(change)} on a bug that is ${from}`, async () => {
      const id = await bugAt(from)
      const reply = await world.edna.put(`/rest/bug/${id}`, change)
      if (typeof expected === 'number') {
        assert.equal(reply.body.code, expected, reply.text)
        if (expected === 121) assert.match(reply.body.message, /\bRESOLVED\b/)
        const { status, resolution } = await readBug(world.ada, id)
        return assert.deepEqual([status, resolution], [from, isOpen(from) ? '' : 'FIXED'])
      }
      assert.equal(reply.status, 200, reply.text)
      const { status, resolution } = await readBug(world.ada, id)
      assert.deepEqual({ status, resolution }, expected)
    })

  it('sets the remaining hours to none when it closes', async () => {
    const id = await bugAt('CONFIRMED')
    await changeBug(world.edna, id, { remaining_time: 4 })
    const closed = await changeBug(world.edna, id, { status: 'RESOLVED', resolution: 'FIXED' })
    assert.deepEqual(closed.remaining_time, { removed: '4.00', added: '0' })
    await changeBug(world.edna, id, { remaining_time: 2 })
    assert.equal((await changeBug(world.edna, id, { status: 'VERIFIED' })).remaining_time?.added, '0')
    await changeBug(world.edna, id, { remaining_time: 2 })
    assert.equal((await changeBug(world.edna, id, { status: 'CONFIRMED' })).remaining_time, undefined)
  })

  itOnOneEngine(world, 'waits for a comment where the workflow asks for one', async () => {
    const { transitions } = (await world.ada.get('/rest/workflow')).body
    const asking = transitions.map((step: { from: string | null; to: string }) => ({
      ...step,
      comment_required: step.from === 'CONFIRMED' && step.to === 'IN_PROGRESS',
    }))
    await world.ada.put('/rest/workflow', { transitions: asking })
    try {
      const id = await bugAt('CONFIRMED')
      assertRefused(await world.edna.put(`/rest/bug/${id}`, { status: 'IN_PROGRESS' }), 400, 32_000)
      assertRefused(
        await world.edna.put(`/rest/bug/${id}`, { status: 'IN_PROGRESS', comment: { body: ' ' } }),
        400,
        32_000,
      )
      await changeBug(world.edna, id, { status: 'IN_PROGRESS', comment: { body: 'On it' } })
    } finally {
      await world.ada.put('/rest/workflow', { transitions })
    }
  })

  it('starts work only with a milestone, with musthavemilestoneonaccept', async () => {
    const product = await newProduct(world)
    const place = { product: product.name, component: 'Core' } as object
    await world.withParameters({ musthavemilestoneonaccept: 1 }, async () => {
      await changeBug(world.edna, await bugAt('CONFIRMED', place), { status: 'IN_PROGRESS' })
      await world.ada.post(`/rest/product/${product.name}/milestone`, { name: 'M1' })
      const id = await bugAt('CONFIRMED', place)
      assertRefused(await world.edna.put(`/rest/bug/${id}`, { status: 'IN_PROGRESS' }), 400, 32_000)
      await changeBug(world.edna, id, { status: 'IN_PROGRESS', target_milestone: 'M1' })
    })
  })

  itOnOneEngine(world, 'needs a comment for a change of the resolution, with commentonchange_resolution', async () => {
    await world.withParameters({ commentonchange_resolution: 1 }, async () => {
      const id = await bugAt('CONFIRMED')
      const change = { status: 'RESOLVED', resolution: 'FIXED' }
      for (const { client, hours } of [
        { client: world.edna, hours: {} },
        { client: world.ada, hours: { work_time: 1 } },
      ])
        assertRefused(await client.put(`/rest/bug/${id}`, { ...change, ...hours }), 400, 32_000)
      await changeBug(world.edna, id, { ...change, comment: { body: 'Done' } })
      assertRefused(await world.edna.put(`/rest/bug/${id}`, { resolution: 'INVALID' }), 400, 32_000)
      assert.deepEqual(Object.keys(await changeBug(world.edna, id, { status: 'VERIFIED' })), ['status'])
    })
  })

  it('is not FIXED while the bug waits for open ones, with noresolveonopenblockers', async () => {
    await world.withParameters({ noresolveonopenblockers: 1 }, async () => {
      const [id, other] = [await bugAt('CONFIRMED'), await bugAt('CONFIRMED')]
      const fixed = { status: 'RESOLVED', resolution: 'FIXED' }
      await changeBug(world.edna, id, { depends_on: { add: [other] } })
      assertRefused(await world.edna.put(`/rest/bug/${id}`, fixed), 400, 32_000)
      await changeBug(world.edna, id, { ...fixed, resolution: 'INVALID' })
      assertRefused(await world.edna.put(`/rest/bug/${id}`, { resolution: 'FIXED' }), 400, 32_000)
      await changeBug(world.edna, id, { resolution: 'FIXED', depends_on: { remove: [other] } })
      await changeBug(world.edna, other, fixed)
      await changeBug(world.edna, id, { depends_on: { add: [other] } })
      const [later, open] = [await bugAt('CONFIRMED'), await bugAt('UNCONFIRMED')]
      await changeBug(world.edna, later, { ...fixed, depends_on: { add: [other] } })
      await changeBug(world.edna, later, { status: 'CONFIRMED', depends_on: { add: [open] } })
      assertRefused(await world.edna.put(`/rest/bug/${later}`, fixed), 400, 32_000)
    })
  })

  itOnOneEngine(world, 'that is no longer in use is refused', async () => {
    const name = world.unique('WAITING')
    await world.ada.post('/rest/field/bug/bug_status/values', { name, is_open: true })
    const { transitions } = (await world.ada.get('/rest/workflow')).body
    const step = { from: 'CONFIRMED', to: name, comment_required: false }
    await world.ada.put('/rest/workflow', { transitions: [...transitions, step] })
    const id = await fileBug(world.edna)
    await changeBug(world.edna, id, { status: name })
    await world.ada.put(`/rest/field/bug/bug_status/values/${name}`, { is_active: false })
    assert.deepEqual(await changeBug(world.edna, id, { status: name }), {})
    assertRefused(await world.edna.put(`/rest/bug/${await fileBug(world.edna)}`, { status: name }), 400, 32_000)
  })
})
