import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  savedSearchesAskSomething,
  savedSearchesHaveALimit,
  savedSearchesHaveAName,
  savedSearchesUseNoOther,
  savedSearchNamesArePlain,
} from '../../src/people/saved-searches/saved-search-rules.ts'
import type { Query } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnce, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('saved searches', (world) => {
  async function save(
    who: Client,
    more: Record<string, unknown> = {},
    path: 'saved_search' | 'saved_report' = 'saved_search',
  ): Promise<number> {
    const search = { name: world.unique('Search'), query: 'product=TestProduct', ...more }
    const { status, body, text } = await who.post(`/rest/${path}`, search)
    assert.equal(status, 201, text)
    return body.id
  }

  async function listed(who: Client, query: Query = '') {
    const { status, body, text } = await who.get(`/rest/saved_search${query}`)
    assert.equal(status, 200, text)
    return body.saved_searches
  }

  itOnOneEngine(world, 'are saved, listed, read, changed and deleted by their owner', async () => {
    const id = await save(world.rhea, { name: '  Mine  ', query: '?product=TestProduct&status=NEW' })
    const whole = {
      id,
      name: 'Mine',
      query: 'product=TestProduct&status=NEW',
      owner_id: (await world.rhea.get('/rest/whoami')).body.id,
      owner: cast.rhea.login,
      shared_with: null,
      paused_shares: [],
      sort_key: 0,
    }
    assert.deepEqual(await listed(world.rhea), [whole])
    assert.deepEqual((await world.rhea.get(`/rest/saved_search/${id}`)).body, { saved_searches: [whole] })
    const changed = await world.rhea.put(`/rest/saved_search/${id}`, { name: 'Ours', query: 'id=1' })
    assert.deepEqual(changed.body, {
      saved_searches: [
        {
          id,
          changes: {
            name: { removed: 'Mine', added: 'Ours' },
            query: { removed: 'product=TestProduct&status=NEW', added: 'id=1' },
          },
        },
      ],
    })
    assert.deepEqual((await world.rhea.delete(`/rest/saved_search/${id}`)).body, { id, name: 'Ours' })
    assert.deepEqual(await listed(world.rhea), [])
  })

  it('are listed in the order that their owner gives them, then by name', async () => {
    const { client, login } = await world.newUser()
    const names = ['Alpha', 'Beta', 'Gamma']
    const [alpha] = [await save(client, { name: 'Alpha' }), await save(client, { name: 'Gamma', sort_key: 2 })]
    await save(client, { name: 'Beta', sort_key: 2 })
    const changed = await client.put(`/rest/saved_search/${alpha}`, { sort_key: 3 })
    assert.deepEqual(changed.body.saved_searches[0].changes, { sort_key: { removed: '0', added: '3' } })
    const inOrder = (await listed(client)).map(({ name }) => name)
    assert.deepEqual([inOrder, inOrder.toSorted()], [['Beta', 'Gamma', 'Alpha'], names])
    const { body } = await client.get(`/rest/user/${login}?include_fields=saved_searches`)
    assert.deepEqual(
      body.users[0].saved_searches.map(({ name }) => name),
      inOrder,
    )
    for (const sort_key of [-1, 32_768])
      assertRefused(await client.put(`/rest/saved_search/${alpha}`, { sort_key }), 400, 53)
    assertRefused(await client.put(`/rest/saved_search/${alpha}`, { sort_key: 'first' }), 400, 52)
  })

  itOnOneEngine(
    world,
    'keep what stands behind the question mark of an address, and no key that stood there',
    async () => {
      const id = await save(world.rhea, {
        query: 'https://bugs.example.com/buglist.cgi?product=A%26B&Bugzilla_api_key=secret&token=t&login=me&password=p',
      })
      const [saved] = (await world.rhea.get(`/rest/saved_search/${id}`)).body.saved_searches
      assert.equal(saved.query, 'product=A%26B')
    },
  )

  itOnOneEngine(world, 'refuse anonymous callers', async () => {
    const id = await save(world.rhea)
    const replies = [
      await world.nobody.get('/rest/saved_search'),
      await world.nobody.get(`/rest/saved_search/${id}`),
      await world.nobody.post('/rest/saved_search', { name: 'x', query: 'id=1' }),
      await world.nobody.put(`/rest/saved_search/${id}`, { name: 'x' }),
      await world.nobody.delete(`/rest/saved_search/${id}`),
    ]
    for (const reply of replies) assertRefused(reply, 401, 410)
  })

  itOnOneEngine(world, 'are the same to others as if they were not there', async () => {
    const id = await save(world.rhea)
    for (const who of [world.stan, world.ada, world.uma]) {
      for (const ref of [id, 999_999, 'nothing']) assertRefused(await who.get(`/rest/saved_search/${ref}`), 404, 51)
      assertRefused(await who.put(`/rest/saved_search/${id}`, { name: 'x' }), 404, 51)
      assertRefused(await who.delete(`/rest/saved_search/${id}`), 404, 51)
      assert.ok((await listed(who)).every((search) => search.id !== id))
    }
  })

  itOnOneEngine(world, 'are shared with the members of a group, who may use them and not change them', async () => {
    const group = await world.newGroup()
    const friend = await world.newUser()
    await world.ada.put(`/rest/user/${friend.id}`, { groups: { add: [group.name] } })
    await world.ada.put(`/rest/user/${cast.edna.login}`, { groups: { add: [group.name] } })
    const id = await save(world.edna, { shared_with: group.name.toUpperCase() })
    assert.deepEqual(
      (await listed(friend.client)).map((search) => [search.id, search.owner, search.shared_with]),
      [[id, cast.edna.login, group.name]],
    )
    assert.deepEqual(await listed(friend.client, '?shared=false'), [])
    assert.equal((await friend.client.get(`/rest/saved_search/${id}`)).status, 200)
    assertRefused(await friend.client.put(`/rest/saved_search/${id}`, { name: 'x' }), 401, 304)
    assertRefused(await friend.client.delete(`/rest/saved_search/${id}`), 401, 304)
    assertRefused(await world.stan.get(`/rest/saved_search/${id}`), 404, 51)

    const { body } = await world.edna.put(`/rest/saved_search/${id}`, { shared_with: '' })
    assert.deepEqual(body.saved_searches[0].changes, { shared_with: { removed: group.name, added: '' } })
    assert.deepEqual(await listed(friend.client), [])
  })

  itOnOneEngine(world, 'are not shown to a group while their owner could not share them with it', async () => {
    const [group, owner, friend] = [await world.newGroup(), await world.newUser(), await world.newUser()]
    const join = (user: number, groups: Record<string, string[]>) => world.ada.put(`/rest/user/${user}`, { groups })
    await join(owner.id, { add: [group.name, 'editbugs'] })
    await join(friend.id, { add: [group.name] })
    const name = world.unique('Paused')
    const id = await save(owner.client, { name, shared_with: group.name })
    const found = `/rest/bug?savedsearch=${name}&sharer_id=${owner.id}` as const
    const seenBy = async (who: Client) => {
      const isListed = (await listed(who)).some((it) => it.id === id)
      for (const path of [`/rest/saved_search/${id}`, found, `${found}&count_only=1`] as const) {
        const reply = await who.get(path)
        if (isListed) assert.equal(reply.status, 200, reply.text)
        else assertRefused(reply, 404, 51)
      }
      return isListed
    }
    const paused = async () => (await listed(owner.client))[0]
    assert.equal(await seenBy(friend.client), true)
    for (const [lost, reason] of [
      [group.name, 'owner_not_in_group'],
      ['editbugs', 'owner_may_not_share'],
    ] as const) {
      await join(owner.id, { remove: [lost] })
      assert.equal(await seenBy(friend.client), false, lost)
      assertRefused(await friend.client.put(`/rest/saved_search/${id}`, { name: 'x' }), 404, 51)
      const { shared_with, paused_shares } = await paused()
      assert.deepEqual([shared_with, paused_shares], [group.name, [{ group: group.name, reason }]])
      // What was shared can be saved again, and stays paused.
      assert.equal((await owner.client.put(`/rest/saved_search/${id}`, { shared_with: group.name })).status, 200)
      assert.equal((await owner.client.get(found)).status, 200)
      await join(owner.id, { add: [lost] })
      assert.equal(await seenBy(friend.client), true, lost)
      assert.deepEqual((await paused()).paused_shares, [])
    }
    // A disabled account is still in its groups.
    await world.ada.put(`/rest/user/${owner.id}`, { login_denied_text: 'on leave' })
    assert.equal(await seenBy(friend.client), true)
  })

  it('are shared no longer once their group is deleted', async () => {
    const group = await world.newGroup()
    await world.ada.put(`/rest/user/${cast.edna.login}`, { groups: { add: [group.name] } })
    const id = await save(world.edna, { shared_with: group.name })
    await world.ada.put(`/rest/user/${cast.edna.login}`, { groups: { remove: [group.name] } })
    assert.equal((await world.ada.delete(`/rest/group/${group.id}`)).status, 200)
    const [search] = (await world.edna.get(`/rest/saved_search/${id}`)).body.saved_searches
    assert.equal(search.shared_with, null)
  })

  itOnOneEngine(world, 'are shared only by members of querysharegroup, and only with groups of theirs', async () => {
    const own = await save(world.stan)
    const share = (who: Client, group: string) =>
      who.post('/rest/saved_search', { name: world.unique('S'), query: 'id=1', shared_with: group })
    const outside = await share(world.stan, 'security')
    assertRefused(outside, 401, 304)
    assert.deepEqual(outside.body.values, { groups: ['editbugs'] })
    assertRefused(await world.stan.put(`/rest/saved_search/${own}`, { shared_with: 'security' }), 401, 304)
    for (const group of ['security', 'no such group']) assertRefused(await share(world.edna, group), 400, 804)
    assert.equal((await share(world.sven, 'security')).status, 201)
    await world.withParameters({ querysharegroup: '' }, async () => {
      const off = await share(world.sven, 'security')
      assertRefused(off, 401, 304)
      assert.match(off.body.message, /querysharegroup is empty/)
    })
  })

  itOnOneEngine(world, 'are shown by Get User to their owner alone, reports apart', async () => {
    const user = await world.newUser()
    const search = await save(user.client, { name: 'My crashes', query: 'product=Widget&short_desc=crash' })
    const report = await save(user.client, { name: 'My table', query: 'x_axis_field=status' }, 'saved_report')
    const read = async (who: Client, more = '') => (await who.get(`/rest/user/${user.id}${more}`)).body.users[0]
    const own = await read(user.client)
    assert.deepEqual(own.saved_searches, [{ id: search, name: 'My crashes', query: 'product=Widget&short_desc=crash' }])
    assert.deepEqual(own.saved_reports, [{ id: report, name: 'My table', query: 'x_axis_field=status' }])
    assert.deepEqual(await read(user.client, '?include_fields=saved_searches.name'), {
      saved_searches: [{ name: 'My crashes' }],
    })
    for (const who of [world.stan, world.uma, world.ada]) {
      const seen = await read(who)
      assert.ok(!('saved_searches' in seen) && !('saved_reports' in seen))
    }
  })

  itOnOneEngine(world, 'have one name for a search and another for a report', async () => {
    const name = world.unique('Twice')
    const search = await save(world.rhea, { name })
    const report = await save(world.rhea, { name }, 'saved_report')
    assertRefused(await world.rhea.post('/rest/saved_search', { name: name.toUpperCase(), query: 'id=1' }), 400, 32000)
    assertRefused(await world.rhea.post('/rest/saved_report', { name, query: 'id=1' }), 400, 32000)
    assertRefused(await world.rhea.get(`/rest/saved_report/${search}`), 404, 51)
    assertRefused(await world.rhea.get(`/rest/saved_search/${report}`), 404, 51)
    await save(world.stan, { name })
    const other = await save(world.rhea)
    assertRefused(await world.rhea.put(`/rest/saved_search/${other}`, { name }), 400, 32000)
  })

  describe('in a search', () => {
    async function found(who: Client, query: Record<string, string>): Promise<number[]> {
      const { status, body, text } = await who.get(
        `/rest/bug?${new URLSearchParams({ ...query, include_fields: 'id' })}`,
      )
      assert.equal(status, 200, text)
      return body.bugs.map(({ id }) => id)
    }

    itOnOneEngine(world, 'are asked for by name, whatever else is asked for as well', async () => {
      const { name: product } = await newProduct(world, ['Core', 'Shell'])
      const place = { product, version: '1.0' }
      const core = await fileBug(world.rhea, { ...place, component: 'Core' })
      const shell = await fileBug(world.rhea, { ...place, component: 'Shell' })
      const name = world.unique('Named')
      await save(world.rhea, { name, query: `product=${product}&order=bug_id%20DESC&limit=1` })
      assert.deepEqual(await found(world.rhea, { savedsearch: name.toLowerCase() }), [shell, core])
      assert.deepEqual(await found(world.rhea, { savedsearch: name, order: 'bug_id' }), [core, shell])
      assert.deepEqual(await found(world.rhea, { savedsearch: name, component: 'Core' }), [core])
      assert.deepEqual(await found(world.rhea, { savedsearch: name, product: 'TestProduct' }), [])
    })

    it('are used by others when they are shared, and find what those see', async () => {
      const group = await world.newGroup()
      for (const who of [cast.sven, cast.stan, cast.edna])
        await world.ada.put(`/rest/user/${who.login}`, { groups: { add: [group.name] } })
      const hidden = await newHiddenProduct(world)
      const secret = await fileBug(world.ada, { product: hidden.name, component: 'Core', version: '1.0' })
      const open = await fileBug(world.rhea)
      const name = world.unique('Shared')
      const sharer_id = String((await world.sven.get('/rest/whoami')).body.id)
      await save(world.sven, { name, query: `id=${secret},${open}`, shared_with: group.name })
      assert.deepEqual(await found(world.sven, { savedsearch: name }), [secret, open])
      assert.deepEqual(await found(world.stan, { savedsearch: name, sharer_id }), [open])
      const pathFor = (query: Record<string, string>) => `/rest/bug?${new URLSearchParams(query)}`
      assertRefused(await world.stan.get(pathFor({ savedsearch: name })), 404, 51)
      assertRefused(await world.rhea.get(pathFor({ savedsearch: name, sharer_id })), 404, 51)
      assertRefused(await world.nobody.get(pathFor({ savedsearch: name, sharer_id })), 401, 410)
      assertRefused(await world.stan.get(pathFor({ savedsearch: name, sharer_id: '99999999999' })), 404, 51)
      assertRefused(await world.stan.get(pathFor({ savedsearch: name, sharer_id: 'sven' })), 400, 52)
    })

    itOnOneEngine(world, 'answer their own fault where they are used', async () => {
      const name = world.unique('Broken')
      await save(world.rhea, { name, query: 'f1=nothing&o1=equals&v1=1' })
      assertRefused(await world.rhea.get(`/rest/bug?savedsearch=${name}`), 400, 108)
    })

    itOnOneEngine(world, 'are not reports', async () => {
      const name = world.unique('Report')
      await save(world.rhea, { name }, 'saved_report')
      assertRefused(await world.rhea.get(`/rest/bug?savedsearch=${name}`), 404, 51)
    })
  })

  itOnOneEngine(world, 'go on meaning a value, a product and a keyword that get a new name', async () => {
    const product = await newProduct(world)
    const keyword = world.unique('keyword')
    await world.ada.post('/rest/keyword', { name: keyword, description: 'For a test' })
    await world.ada.post('/rest/field/bug/priority/values', { name: 'Soon' })
    const id = await save(world.rhea, {
      query: `product=${product.name}&keywords=${keyword}&f1=priority&o1=equals&v1=Soon&short_desc=Soon`,
    })
    await world.ada.put(`/rest/product/${product.name}`, { name: `${product.name} 2` })
    await world.ada.put(`/rest/keyword/${keyword}`, { name: `${keyword}-2` })
    await world.ada.put('/rest/field/bug/priority/values/Soon', { name: 'Now' })
    const [saved] = (await world.rhea.get(`/rest/saved_search/${id}`)).body.saved_searches
    const expected = `product=${product.name}+2&keywords=${keyword}-2&f1=priority&o1=equals&v1=Now&short_desc=Soon`
    assert.equal(saved.query, expected)
  })

  itOnOneEngine(world, 'refuse parameters that a change does not know', async () => {
    const id = await save(world.rhea)
    assertRefused(await world.rhea.put(`/rest/saved_search/${id}`, { colour: 'red' }), 400, 32601)
  })

  const wrong = [
    { rule: savedSearchesHaveAName, search: { name: '  ', query: 'id=1' }, code: 50 },
    { rule: savedSearchNamesArePlain, search: { name: 'a<b', query: 'id=1' }, code: 53 },
    { rule: savedSearchNamesArePlain, search: { name: 'x'.repeat(65), query: 'id=1' }, code: 53 },
    { rule: savedSearchesAskSomething, search: { name: 'x', query: ' ? ' }, code: 50 },
    { rule: savedSearchesHaveALimit, search: { name: 'x', query: `id=${'1'.repeat(20_000)}` }, code: 53 },
    { rule: savedSearchesUseNoOther, search: { name: 'x', query: 'savedsearch=y&id=1' }, code: 53 },
  ]
  for (const { rule, search, code } of wrong) {
    describe(rule.says, () => {
      for (const path of ['saved_search', 'saved_report'] as const) {
        itOnce(
          world,
          `is kept by ${path}: ${JSON.stringify(search).slice(0, 50)} is refused with ${code}`,
          async () => {
            const id = await save(world.rhea, {}, path)
            const before = (await world.rhea.get(`/rest/${path}/${id}`)).body
            assertRefused(await world.rhea.post(`/rest/${path}`, search), 400, code)
            assertRefused(await world.rhea.put(`/rest/${path}/${id}`, search), 400, code)
            assert.deepEqual((await world.rhea.get(`/rest/${path}/${id}`)).body, before)
          },
        )
      }
    })
  }
})
