import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { fileBug } from '../support/file-bug.ts'
import { newMember } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnce, itOnOneEngine } from '../support/world.ts'

const DAY = 86_400_000
const inDays = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().slice(0, 19)}Z`

describeOnEachEngine('triage queues', (world) => {
  /** A queue of the open bugs of a new product, with two workers and three bugs. */
  async function newQueue(more: object = {}) {
    const product = await newProduct(world)
    const group = await world.newGroup()
    const [ann, bob] = [await world.newUser(), await world.newUser()]
    for (const { id } of [ann, bob]) await world.ada.put(`/rest/user/${id}`, { groups: { add: [group.name] } })
    const name = world.unique('Queue')
    const query = `product=${product.name}&resolution=---`
    const { status, text, body } = await world.ada.post('/rest/triage', { name, query, group: group.name, ...more })
    assert.equal(status, 201, text)
    const where = { product: product.name, component: 'Core', version: '1.0' }
    const bugs = [await fileBug(world.edna, where), await fileBug(world.edna, where), await fileBug(world.edna, where)]
    return { id: body.id, name, path: `/rest/triage/${name}` as '/rest/triage/x', group, ann, bob, bugs, query, where }
  }

  async function read(client: Client, path: '/rest/triage/x') {
    const { body, text } = await client.get(path)
    assert.ok(body.queues?.[0], text)
    return body.queues[0]
  }

  itOnOneEngine(world, 'show their bugs to their workers, the oldest first', async () => {
    const { path, name, ann, bugs, query, group } = await newQueue({ aim_days: 3 })
    const queue = await read(ann.client, path)
    assert.deepEqual([queue.bugs, queue.bug_count, queue.aim_days, queue.group], [bugs, 3, 3, group.name])
    assert.deepEqual([queue.is_worker, queue.can_change, queue.query, queue.rotation], [true, false, undefined, null])
    const listed = (await ann.client.get('/rest/triage')).body.queues
    assert.deepEqual(
      listed.map((it) => [it.name, it.bug_count]),
      [[name, 3]],
    )
    const editor = (await newMember(world, 'editcomponents')).client
    const seen = await read(editor, path)
    assert.deepEqual([seen.is_worker, seen.can_change, seen.query], [false, true, query])
    for (const [client, code] of [
      [world.rhea, 51],
      [world.edna, 51],
      [world.nobody, 410],
    ] as const) {
      assert.equal((await client.get(path)).body.code, code)
      assert.equal((await client.get(`${path}/report`)).body.code, code)
      assert.equal((await client.put(`${path}/claim`, { bug: bugs[0] })).body.code, code)
      assert.equal((await client.post(`${path}/decision`, { bug: bugs[0], decision: 'accepted' })).body.code, code)
    }
    assertRefused(await editor.post(`${path}/decision`, { bug: bugs[0], decision: 'accepted' }), 401, 304)
    await world.ada.put(`/rest/user/${ann.id}`, { groups: { remove: [group.name] } })
    assertRefused(await ann.client.get(path), 404, 51)
    assert.deepEqual((await ann.client.get('/rest/triage')).body.queues, [])
  })

  it('record decisions, which can be taken back, and count them', async () => {
    const { path, ann, bob, bugs } = await newQueue()
    const [one, two, three] = bugs as [number, number, number]
    const decide = async (client: Client, bug: number, decision: string, more: object = {}) => {
      const { body, status, text } = await client.post(`${path}/decision`, { bug, decision, ...more })
      assert.equal(status, 201, text)
      return body.id
    }
    await world.db.query((q) =>
      q
        .updateTable('bugs')
        .set({ created_at: inDays(-2) })
        .where('id', '=', one),
    )
    const first = await decide(ann.client, one, 'accepted')
    const until = inDays(2)
    const snoozed = await decide(bob.client, two, 'snoozed', { until })
    const queue = await read(ann.client, path)
    assert.deepEqual([queue.bugs, queue.bug_count], [[three], 1])
    assert.deepEqual(queue.snoozed, [{ bug_id: two, until, person: queue.snoozed[0]?.person }])
    assert.equal(queue.snoozed[0]?.person.id, bob.id)
    assert.deepEqual(
      queue.decided.map((it) => [it.id, it.bug_id, it.decision, it.person.id]),
      [
        [snoozed, two, 'snoozed', bob.id],
        [first, one, 'accepted', ann.id],
      ],
    )
    const report = (await ann.client.get(`${path}/report?days=30`)).body
    assert.deepEqual([report.came_in, report.waiting, report.decisions], [3, 1, 2])
    assert.deepEqual(
      report.users.map((it) => [it.id, it.decisions]).sort(),
      [
        [ann.id, 1],
        [bob.id, 1],
      ].sort(),
    )
    assert.equal(report.kinds.find(({ kind }) => kind === 'accepted')?.median_hours, 48)
    assert.equal((await ann.client.get(`${path}/report?days=1`)).body.came_in, 2)
    assertRefused(await ann.client.delete(`${path}/decision/${snoozed}`), 404, 51)
    assert.equal((await bob.client.delete(`${path}/decision/${snoozed}`)).status, 200)
    assert.deepEqual((await read(ann.client, path)).bugs, [two, three])
    await world.db.query((q) =>
      q
        .updateTable('triage_decisions')
        .set({ at: inDays(-1) })
        .where('id', '=', first),
    )
    assertRefused(await ann.client.delete(`${path}/decision/${first}`), 404, 51)
    // A bug that has changed since comes back, and a snooze that is over counts as nothing.
    assert.deepEqual((await read(ann.client, path)).bugs, bugs)
    await decide(ann.client, two, 'snoozed', { until })
    await world.db.query((q) =>
      q
        .updateTable('triage_snoozes')
        .set({ until: inDays(-1) })
        .where('bug_id', '=', two),
    )
    assert.deepEqual((await read(ann.client, path)).bugs, bugs)
  })

  it('let one user at a time have a bug, also when many want it at once', async () => {
    const { path, ann, bob, bugs } = await newQueue()
    const [one, two] = bugs as [number, number]
    const claim = async (client: Client, bug: number) => {
      const { body, status, text } = await client.put(`${path}/claim`, { bug })
      assert.equal(status, 200, text)
      return body.person.id
    }
    const clients = [ann.client, bob.client]
    const holders = await Promise.all(Array.from({ length: 12 }, (_, at) => claim(clients[at % 2] as Client, one)))
    assert.equal(new Set(holders).size, 1)
    const [holder, other] = holders[0] === ann.id ? [ann, bob] : [bob, ann]
    assert.deepEqual(
      (await read(other.client, path)).claims.map((it) => [it.bug_id, it.person.id]),
      [[one, holder.id]],
    )
    assert.deepEqual((await read(holder.client, path)).claims, [])
    // Both change places at once, again and again.
    for (let round = 0; round < 4; round++)
      await Promise.all([claim(holder.client, round % 2 ? one : two), claim(other.client, round % 2 ? two : one)])
    const rows = await world.db.query((q) =>
      q.selectFrom('triage_claims').select(['user_id', 'bug_id']).where('bug_id', 'in', [one, two]),
    )
    assert.ok(new Set(rows.map(({ user_id }) => user_id)).size === rows.length, JSON.stringify(rows))
    await world.db.query((q) => q.updateTable('triage_claims').set({ expires_at: inDays(-1) }))
    assert.equal(await claim(ann.client, one), ann.id)
    assert.equal(await claim(bob.client, one), ann.id)
    await ann.client.post(`${path}/decision`, { bug: one, decision: 'asked' })
    assert.equal(await claim(bob.client, one), bob.id)
  })

  it('show nothing of bugs that the reader may not see', async () => {
    const { path, ann, bob, bugs, where } = await newQueue()
    const [one, two] = bugs as [number, number]
    await ann.client.post(`${path}/decision`, { bug: one, decision: 'accepted' })
    await ann.client.post(`${path}/decision`, { bug: two, decision: 'snoozed', until: inDays(1) })
    await ann.client.put(`${path}/claim`, { bug: one })
    const secret = await world.newGroup()
    await world.ada.put(`/rest/product/${where.product}/group_control/${secret.name}`, {
      membercontrol: 'Shown',
      othercontrol: 'NA',
    })
    await world.ada.put(`/rest/user/${ann.id}`, { groups: { add: [secret.name] } })
    for (const id of [one, two]) {
      await world.db.query((q) => q.insertInto('bug_groups').values({ bug_id: id, group_id: secret.id }))
    }
    const seen = await read(bob.client, path)
    assert.deepEqual([seen.bugs, seen.bug_count, seen.claims, seen.snoozed, seen.decided], [[bugs[2]], 1, [], [], []])
    const report = (await bob.client.get(`${path}/report`)).body
    assert.deepEqual([report.came_in, report.waiting, report.decisions, report.users], [1, 1, 0, []])
    for (const bug of [one, two]) {
      assert.equal((await bob.client.put(`${path}/claim`, { bug })).body.code, 102)
      assert.equal((await bob.client.post(`${path}/decision`, { bug, decision: 'asked' })).body.code, 102)
    }
    const all = await read(ann.client, path)
    assert.deepEqual([all.bugs, all.snoozed.length, all.decided.length], [[bugs[2]], 1, 2])
  })

  itOnOneEngine(world, 'are changed and deleted by administrators, and follow names and users', async () => {
    const { path, ann, name, where, group, bugs } = await newQueue()
    const rotation = world.unique('Rotation')
    await world.ada.post('/rest/rotation', { name: rotation, users: [ann.id] })
    const changed = await world.ada.put(path, { rotation, aim_days: 2 })
    assert.deepEqual(changed.body.queues[0].changes, {
      rotation: { removed: '', added: rotation },
      aim_days: { removed: '', added: '2' },
    })
    assert.equal((await read(ann.client, path)).rotation?.turns[0]?.person?.id, ann.id)
    assert.equal((await world.ada.delete(`/rest/rotation/${rotation}`)).body.code, 32000)
    assert.equal((await world.ada.delete(`/rest/group/${group.name}`)).status, 400)
    await world.ada.put(`/rest/product/${where.product}`, { name: `${where.product} 2` })
    assert.equal((await read(world.ada, path)).query, `product=${where.product}+2&resolution=---`)
    assert.equal((await read(ann.client, path)).bug_count, 3)
    await ann.client.post(`${path}/decision`, { bug: bugs[0], decision: 'accepted' })
    const audit = (await world.ada.get('/rest/audit?class=TriageQueue')).body
    assert.ok(JSON.stringify(audit).includes(name))
    await world.ada.post(`/rest/user/${ann.id}/anonymise`)
    assert.equal((await read(world.ada, path)).decided[0]?.person.name, `former-user-${ann.id}`)
    for (const verb of ['put', 'delete'] as const) assertRefused(await world.edna[verb](path, {}), 401, 304)
    assert.equal((await world.ada.delete(path)).body.name, name)
    assertRefused(await world.ada.get(path), 404, 51)
  })

  itOnce(world, 'refuse what cannot be', async () => {
    const { path, name, group, ann, bugs } = await newQueue()
    const query = 'product=x'
    for (const [wrong, code] of [
      [{ name }, 32000],
      [{ name: '' }, 50],
      [{ name: 'x'.repeat(65) }, 53],
      [{ name: 'two\nlines' }, 53],
      [{ query: '' }, 50],
      [{ query: 'colour=red' }, 1000],
      [{ query: 'savedsearch=x' }, 53],
      [{ query: `product=${'x'.repeat(20_000)}` }, 53],
      [{ group: 'none' }, 51],
      [{ group: '' }, 50],
      [{ rotation: 'none' }, 51],
      [{ aim_days: -1 }, 53],
      [{ aim_days: 'x' }, 52],
      [{ colour: 'red' }, 32601],
    ] as const) {
      const wanted = { name: world.unique('Q'), query, group: group.name, ...wrong }
      const { body, text } = await world.ada.post('/rest/triage', wanted)
      assert.equal(body.code, code, `${JSON.stringify(wrong).slice(0, 80)}: ${text}`)
    }
    for (const [wrong, code] of [
      [{ decision: 'eaten' }, 53],
      [{ decision: 'snoozed' }, 50],
      [{ decision: 'snoozed', until: inDays(-1) }, 53],
      [{ decision: 'snoozed', until: inDays(91) }, 53],
      [{ decision: 'accepted', until: inDays(1) }, 53],
      [{ decision: 'accepted', bug: 999_999 }, 101],
      [{ decision: 'accepted', bug: '' }, 50],
      [{ bug: bugs[1] }, 50],
    ] as const) {
      const { body, text } = await ann.client.post(`${path}/decision`, { bug: bugs[0], ...wrong })
      assert.equal(body.code, code, `${JSON.stringify(wrong)}: ${text}`)
    }
    for (const days of ['0', '366', 'x'])
      assert.equal((await ann.client.get(`${path}/report?days=${days}`)).status, 400)
    assert.equal((await ann.client.get(`${path}?since=soon`)).body.code, 56)
    // A search that is refused for a worker says so, and the list of queues goes on.
    await world.ada.put('/rest/parameters', { insidergroup: 'admin' })
    await world.ada.put(path, { query: 'f1=longdescs.isprivate&o1=equals&v1=1' })
    assert.equal((await ann.client.get(path)).body.code, 304)
    assert.equal((await ann.client.get('/rest/triage')).body.queues[0]?.bug_count, null)
  })

  // The search waits for a lock that is held until the answer is there, so that the time decides and not the machine.
  if (world.engine === 'postgres')
    it('are listed without a number when counting takes longer than two seconds', async () => {
      const { ann, group, where } = await newQueue()
      const [fast, slow, last] = [world.unique('A fast'), world.unique('B slow'), world.unique('C last')]
      const ofProduct = `product=${where.product}`
      const add = (name: string, query: string) => world.ada.post('/rest/triage', { name, query, group: group.name })
      await add(fast, ofProduct)
      await add(slow, `${ofProduct}&f1=longdesc&o1=regexp&v1=x`)
      await add(last, ofProduct)
      const counts = async () => {
        const { status, text, body } = await ann.client.get('/rest/triage?include_fields=name,bug_count')
        assert.equal(status, 200, text)
        return [fast, slow, last].map((wanted) => body.queues.find(({ name }) => name === wanted)?.bug_count)
      }
      assert.deepEqual(await counts(), [3, 0, 3])
      const holder = new pg.Client(world.databaseUrl)
      await holder.connect()
      try {
        await holder.query('begin; lock table comments in access exclusive mode')
        // The queues after the slow one are not counted either: the time is for all of them together.
        assert.deepEqual(await counts(), [3, null, null])
      } finally {
        await holder.end()
      }
      assert.deepEqual(await counts(), [3, 0, 3])
    })
})
