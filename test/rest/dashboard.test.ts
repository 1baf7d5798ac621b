import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { cast } from '../support/cast.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { type Client, describeOnEachEngine, itOnce, itOnOneEngine } from '../support/world.ts'

const TILE = { title: 'Open', kind: 'over_time', chart: 'area', width: 2, query: 'product=TestProduct' }

describeOnEachEngine('dashboards', (world) => {
  async function create(who: Client, more: Record<string, unknown> = {}): Promise<number> {
    const { status, body, text } = await who.post('/rest/dashboard', { name: world.unique('Board'), ...more })
    assert.equal(status, 201, text)
    return body.id
  }

  async function read(who: Client, id: number) {
    const { status, body, text } = await who.get(`/rest/dashboard/${id}`)
    assert.equal(status, 200, text)
    return body.dashboards[0]
  }

  /** Two users in one new group, of whom the second may share. */
  async function team() {
    const [group, member, lead] = [await world.newGroup(), await world.newUser(), await world.newUser()]
    for (const [{ id }, groups] of [
      [member, [group.name]],
      [lead, [group.name, 'editbugs']],
    ] as const)
      assert.equal((await world.ada.put(`/rest/user/${id}`, { groups: { add: groups } })).status, 200)
    return { group, member, lead }
  }

  itOnOneEngine(world, 'are created, listed, read, changed and deleted by their owner', async () => {
    const { client, id: owner_id, login: owner } = await world.newUser()
    const address = 'https://bugs.example.com/reports?product=A%26B&Bugzilla_api_key=secret&y_axis_field=status'
    const tiles = [TILE, { title: ' How many ', kind: 'count', query: 'quicksearch=ALL' }]
    const id = await create(client, { name: '  Team ', tiles })
    const listed = {
      id,
      name: 'Team',
      owner_id,
      owner,
      shared_with: [],
      paused_shares: [],
      can_change: true,
      version: 1,
    }
    const second = { title: 'How many', kind: 'count', chart: 'number', width: 1, query: 'quicksearch=ALL' }
    assert.deepEqual((await client.get('/rest/dashboard')).body, { dashboards: [listed] })
    assert.deepEqual(await read(client, id), { ...listed, tiles: [TILE, second] })
    const report = { ...TILE, kind: 'table', chart: 'pie', query: address }
    const { body } = await client.put(`/rest/dashboard/${id}`, { name: 'Ours', tiles: [report] })
    const after = { ...listed, name: 'Ours', version: 2 }
    assert.deepEqual(body.dashboards, [
      { ...after, tiles: [{ ...report, query: 'product=A%26B&y_axis_field=status' }] },
    ])
    assert.deepEqual(await read(client, id), body.dashboards[0])
    assert.deepEqual((await client.delete(`/rest/dashboard/${id}`)).body, { id, name: 'Ours' })
    assertRefused(await client.get(`/rest/dashboard/${id}`), 404, 51)
  })

  itOnOneEngine(world, 'are the same to others as if they were not there, and need a login', async () => {
    const id = await create(world.rhea)
    for (const who of [world.stan, world.ada]) {
      for (const ref of [id, 999_999, 'nothing']) assertRefused(await who.get(`/rest/dashboard/${ref}`), 404, 51)
      assertRefused(await who.put(`/rest/dashboard/${id}`, { name: 'x' }), 404, 51)
      assertRefused(await who.delete(`/rest/dashboard/${id}`), 404, 51)
      assert.ok((await who.get('/rest/dashboard')).body.dashboards.every((it) => it.id !== id))
    }
    for (const reply of [
      await world.nobody.get('/rest/dashboard'),
      await world.nobody.get(`/rest/dashboard/${id}`),
      await world.nobody.post('/rest/dashboard', { name: 'x' }),
      await world.nobody.put(`/rest/dashboard/${id}`, { name: 'x' }),
      await world.nobody.delete(`/rest/dashboard/${id}`),
    ])
      assertRefused(reply, 401, 410)
  })

  it('are read by the groups that they are shared with, who learn of no other group and change nothing', async () => {
    const [one, two] = [await team(), await team()]
    await world.ada.put(`/rest/user/${one.lead.id}`, { groups: { add: [two.group.name] } })
    const groups = [one.group.name, two.group.name].sort()
    const id = await create(one.lead.client, { tiles: [TILE], shared_with: [...groups, ''] })
    assert.deepEqual((await read(one.lead.client, id)).shared_with, groups)
    const seen = await read(one.member.client, id)
    assert.deepEqual([seen.shared_with, seen.can_change, seen.tiles], [[one.group.name], false, [TILE]])
    const [listed] = (await one.member.client.get('/rest/dashboard')).body.dashboards
    assert.deepEqual([listed.id, listed.owner, listed.shared_with], [id, one.lead.login, [one.group.name]])
    assertRefused(await one.member.client.put(`/rest/dashboard/${id}`, { name: 'x' }), 401, 304)
    assertRefused(await one.member.client.delete(`/rest/dashboard/${id}`), 401, 304)
    // Who leaves the group no longer reads it.
    await world.ada.put(`/rest/user/${one.member.id}`, { groups: { remove: [one.group.name] } })
    assertRefused(await one.member.client.get(`/rest/dashboard/${id}`), 404, 51)
    await read(two.member.client, id)
    // A disabled owner's stays readable, and nobody changes it. A deleted group is no longer named.
    await world.ada.put(`/rest/user/${one.lead.id}`, { login_denied_text: 'gone' })
    assert.equal((await read(two.member.client, id)).can_change, false)
    await world.ada.put(`/rest/user/${one.lead.id}`, { login_denied_text: '' })
    for (const { id: user } of [two.member, two.lead, one.lead])
      await world.ada.put(`/rest/user/${user}`, { groups: { remove: [two.group.name] } })
    assert.equal((await world.ada.delete(`/rest/group/${two.group.id}`)).status, 200)
    assertRefused(await two.member.client.get(`/rest/dashboard/${id}`), 404, 51)
    assert.deepEqual((await read(one.lead.client, id)).shared_with, [one.group.name])
  })

  itOnOneEngine(world, 'are not shown to a group while their owner could not share them with it', async () => {
    const [one, two] = [await team(), await team()]
    const join = (user: number, groups: Record<string, string[]>) => world.ada.put(`/rest/user/${user}`, { groups })
    await join(one.lead.id, { add: [two.group.name] })
    await join(one.member.id, { add: [two.group.name] })
    const groups = [one.group.name, two.group.name].sort()
    const id = await create(one.lead.client, { shared_with: groups })
    const seenBy = async (who: Client) => {
      const { dashboards } = (await who.get('/rest/dashboard')).body
      const isListed = dashboards.some((it) => it.id === id)
      const { status } = await who.get(`/rest/dashboard/${id}`)
      assert.equal(status, isListed ? 200 : 404)
      return isListed
    }
    assert.deepEqual((await read(one.lead.client, id)).paused_shares, [])
    await join(one.lead.id, { remove: [two.group.name] })
    // The owner reads why, and can save the dashboard, which changes nothing about it.
    assert.equal((await one.lead.client.put(`/rest/dashboard/${id}`, { shared_with: groups })).status, 200)
    const own = await read(one.lead.client, id)
    assert.deepEqual(own.shared_with, groups)
    assert.deepEqual(own.paused_shares, [{ group: two.group.name, reason: 'owner_not_in_group' }])
    assert.equal(await seenBy(two.member.client), false)
    assertRefused(await two.member.client.put(`/rest/dashboard/${id}`, { name: 'x' }), 404, 51)
    // Who is in both groups reads it by the other one, and learns nothing of the paused share.
    const seen = await read(one.member.client, id)
    assert.deepEqual([seen.shared_with, seen.paused_shares], [[one.group.name], []])
    // It is shared again as soon as its owner is in the group in any way.
    await world.ada.put(`/rest/group/${two.group.id}`, { member_groups: { add: [one.group.name] } })
    assert.equal(await seenBy(two.member.client), true)
    assert.deepEqual((await read(one.lead.client, id)).paused_shares, [])
    await join(one.lead.id, { remove: ['editbugs'] })
    assert.deepEqual(
      (await read(one.lead.client, id)).paused_shares,
      groups.map((group) => ({ group, reason: 'owner_may_not_share' })),
    )
    assert.equal(await seenBy(two.member.client), false)
    await world.withParameters({ querysharegroup: one.group.name }, async () => {
      assert.equal(await seenBy(two.member.client), true)
    })
    await world.withParameters({ querysharegroup: '' }, async () => {
      assert.equal(await seenBy(one.member.client), false)
    })
  })

  itOnOneEngine(world, 'are shared only by members of querysharegroup, with groups of their own', async () => {
    const { group, member, lead } = await team()
    const other = await world.newGroup()
    assertRefused(await member.client.post('/rest/dashboard', { name: 'x', shared_with: [group.name] }), 401, 304)
    for (const shared_with of [[other.name], ['no-such-group']])
      assertRefused(await lead.client.post('/rest/dashboard', { name: 'x', shared_with }), 400, 804)
    assert.deepEqual((await lead.client.get('/rest/dashboard')).body.dashboards, [])
  })

  it('refuse a change of what somebody else has changed meanwhile', async () => {
    const { client } = await world.newUser()
    const id = await create(client)
    const etag = (await client.get(`/rest/dashboard/${id}`)).headers.get('etag') ?? ''
    assert.match(etag, /^"1\./)
    const change = (name: string, version: string) =>
      client.put(`/rest/dashboard/${id}`, { name }, { 'If-Match': version })
    const replies = await Promise.all(['Mine', 'Yours', 'Theirs'].map((name) => change(name, etag)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412, 412])
    const { name, version } = await read(client, id)
    assert.equal(replies.find(({ status }) => status === 200)?.body.dashboards?.[0].name, name)
    for (const wrong of [etag, '"x"', '']) assertRefused(await change('Late', wrong), 412, 32000)
    assertRefused(await client.delete(`/rest/dashboard/${id}`, { 'If-Match': etag }), 412, 32000)
    assert.equal((await change('Last', `"${version}"`)).status, 200)
    assert.equal((await change('Any', '*')).body.dashboards[0].version, version + 2)
  })

  itOnPostgres(world, 'refuse a change of what another transaction changes at the same moment', async () => {
    const { client } = await world.newUser()
    const id = await create(client)
    const [written, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = world.db.transaction(async (tx) => {
      await tx.query((q) => q.updateTable('dashboards').set({ name: 'First', version: 2 }).where('id', '=', id))
      written.resolve()
      await mayEnd.promise
    }, 'accounts')
    await written.promise
    const late = client.put(`/rest/dashboard/${id}`, { name: 'Late' }, { 'If-Match': '"1"' })
    // Long enough to read the version before the other transaction ends, if nothing kept it from that.
    await wait(300)
    mayEnd.resolve()
    await other
    assertRefused(await late, 412, 32000)
    assert.equal((await read(client, id)).name, 'First')
  })

  it('follow the new name of a value, and nothing that a client read before overwrites it', async () => {
    const product = await newProduct(world)
    const { client } = await world.newUser()
    const query = `product=${product.name}&f1=product&o1=equals&v1=${product.name}`
    const id = await create(client, { tiles: [TILE, { ...TILE, query }] })
    const renamed = world.unique('Renamed')
    assert.equal((await world.ada.put(`/rest/product/${product.id}`, { name: renamed })).status, 200)
    const { tiles, version } = await read(client, id)
    assert.deepEqual(
      tiles.map((tile) => tile.query),
      [TILE.query, `product=${renamed}&f1=product&o1=equals&v1=${renamed}`],
    )
    assert.equal(version, 2)
    assertRefused(await client.put(`/rest/dashboard/${id}`, { tiles: [] }, { 'If-Match': '"1"' }), 412, 32000)
  })

  itOnOneEngine(
    world,
    'refuse a tile whose search or report would be refused, and keep one that was right when it was saved',
    async () => {
      const { client, id: user } = await world.newUser()
      const id = await create(client, { tiles: [TILE] })
      const address = `/rest/dashboard/${id}` as const
      const words = Array.from({ length: 101 }, (_, at) => `w${at}`).join('+')
      for (const [tile, status, reason] of [
        [{ query: 'product=TestProduct&no_such=1' }, 400, 'not_searchable'],
        [{ query: 'f1=no_such&o1=equals&v1=1' }, 400, 'not_searchable'],
        [{ query: 'f1=product&o1=resembles&v1=1' }, 400, 'no_such_operator'],
        [{ query: 'quicksearch=%22open' }, 400, 'quicksearch_wrong'],
        [{ query: `f1=short_desc&o1=anywords&v1=${words}` }, 400, 'search_too_large'],
        [{ query: 'f1=longdescs.isprivate&o1=equals&v1=1' }, 401, 'not_allowed'],
        [{ query: 'f1=estimated_time&o1=greaterthan&v1=1' }, 400, 'not_searchable'],
        [{ query: 'product=TestProduct&from=soon' }, 400, 'bad_date'],
        [{ query: 'product=TestProduct&interval=day&from=2001-01-01' }, 400, 'bad_value'],
        [{ kind: 'table', chart: 'bars', query: 'product=TestProduct&y_axis_field=no_such' }, 400, 'bad_value'],
        [{ kind: 'table', chart: 'bars', query: 'y_axis_field=keywords&as_of=2026-01-01' }, 400, 'bad_value'],
        [{ kind: 'count', chart: 'number', query: 'no_such=1' }, 400, 'nothing_known_asked'],
      ] as const) {
        const tiles = [TILE, { ...TILE, ...tile }]
        for (const reply of [
          await client.put(address, { tiles }),
          await client.post('/rest/dashboard', { name: 'x', tiles }),
        ]) {
          const { body } = reply
          assert.deepEqual([reply.status, body.reason, body.field], [status, reason, 'tiles.query'], reply.text)
        }
      }
      assert.deepEqual((await read(client, id)).tiles, [TILE])
      // What was saved with a right stays and can be moved without it, but not saved anew.
      const late = { ...TILE, query: 'f1=estimated_time&o1=greaterthan&v1=1' }
      await world.ada.put(`/rest/user/${user}`, { groups: { add: ['editbugs'] } })
      const { status, text } = await client.put(address, { tiles: [TILE, late] })
      assert.equal(status, 200, text)
      await world.ada.put(`/rest/user/${user}`, { groups: { remove: ['editbugs'] } })
      assert.equal((await client.put(address, { tiles: [{ ...late, title: 'First' }, TILE] })).status, 200)
      assertRefused(await client.put(address, { tiles: [{ ...late, query: `${late.query}0` }] }), 400, 108)
      assertRefused(await world.stan.put(address, { tiles: [late] }), 404, 51)
    },
  )

  itOnce(world, 'refuse what no tile has', async () => {
    const refused = async (more: Record<string, unknown>, code: number) =>
      assertRefused(await world.rhea.post('/rest/dashboard', { name: 'x', ...more }), 400, code)
    for (const wrong of [
      { kind: 'pie' },
      { kind: '' },
      { kind: 'constructor' },
      { chart: 'pie' },
      { chart: '__proto__' },
      { width: 0 },
      { width: 4 },
      { title: 'x'.repeat(81) },
      { title: 'two\nlines' },
      { query: `product=${'x'.repeat(5000)}` },
      { query: 'savedsearch=Mine&sharer_id=1' },
      { more: 1 },
      { query: ['a', 'b'] },
    ])
      await refused({ tiles: [{ ...TILE, ...wrong }] }, 53)
    for (const missing of [{ title: ' ' }, { query: '' }, { query: '?api_key=secret' }])
      await refused({ tiles: [{ ...TILE, ...missing }] }, 50)
    await refused({ tiles: [{ ...TILE, width: 'wide' }] }, 52)
    for (const tiles of ['x', { 0: TILE }, [null], [[TILE]]]) await refused({ tiles }, 53)
    await refused({ tiles: Array(25).fill(TILE) }, 53)
    await refused({ shared_with: Array(21).fill('editbugs') }, 53)
    await refused({ name: 'x'.repeat(65) }, 53)
    await refused({ name: ' ' }, 50)
    await refused({ colour: 'red' }, 32601)
    await create(world.rhea, { name: 'Twice' })
    await refused({ name: 'tWICE' }, 32000)
    const { body } = await world.rhea.get(`/rest/dashboard?include_fields=name,tiles,owner`)
    assert.ok(body.dashboards.every((it) => it.owner === cast.rhea.login && !('tiles' in it)))
  })
})
