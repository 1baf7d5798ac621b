import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { newAdministratorOf, newMember } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

/** What holders of one right can begin with, by the place of the administration that it opens. */
const READS = {
  people: '/rest/admin/people',
  groups: '/rest/group/editbugs/uses',
  parameters: '/rest/admin/parameters',
  flags: '/rest/flag_type?target_type=bug',
  status: '/rest/admin/status',
  audit: '/rest/audit',
} as const

describeOnEachEngine('rights over a part of the configuration', (world) => {
  const changes = (who: Client, method: string, path: string, params: object = {}) =>
    who.put('/rest/admin/changes', { dry_run: true, changes: [{ method, path, params }] })
  const administered = async (who: Client) =>
    (await who.get('/rest/product?type=administered&include_fields=name')).body.products.map(({ name }) => name)

  it('opens to the holder of each right what it is for, and nothing else', async () => {
    const name = world.unique('X')
    const product = await newProduct(world)
    const writes = {
      product: ['POST', '/rest/product', { name, description: 'X', version: '1' }],
      component: ['PUT', `/rest/component/${product.name}/Core`, { description: 'New' }],
      flag: ['POST', '/rest/flag_type', { name, description: 'X' }],
      keyword: ['POST', '/rest/keyword', { name, description: 'X' }],
      classification: ['POST', '/rest/classification', { name }],
      group: ['POST', '/rest/group', { name, description: 'X' }],
      parameter: ['PUT', '/rest/parameters', { whinedays: 9 }],
      field: ['POST', '/rest/field/bug', { name: 'cf_x', display_name: 'X', type: 1 }],
      workflow: ['PUT', '/rest/workflow', { transitions: [] }],
    } as const
    const expected: Record<string, string[]> = {
      editusers: ['people'],
      tweakparams: ['parameters', 'parameter'],
      editclassifications: ['classification'],
      editkeywords: ['keyword'],
      creategroups: ['groups', 'group'],
      editcomponents: ['flags', 'product', 'component', 'flag'],
      canconfirm: [],
    }
    for (const [right, allowed] of Object.entries(expected)) {
      const { client } = await newMember(world, right)
      const open: string[] = []
      for (const [place, address] of Object.entries(READS)) {
        const reply = await client.get(address)
        if (reply.status === 200) open.push(place)
        else assertRefused(reply, 401, 304)
      }
      for (const [place, [method, path, params]] of Object.entries(writes)) {
        const reply = await changes(client, method, path, params)
        if (reply.status === 200) open.push(place)
        else assertRefused(reply, 401, 304)
      }
      assert.deepEqual(open, allowed, right)
      const { administers_products, chooses_members } = (await client.get('/rest/whoami')).body
      assert.deepEqual([administers_products, chooses_members], [right === 'editcomponents', right === 'editusers'])
    }
  })

  itOnOneEngine(world, 'shows users with editcomponents in some products exactly these', async () => {
    const [own, other] = [await newProduct(world), await newProduct(world)]
    const hidden = await newHiddenProduct(world)
    const { client } = await newAdministratorOf(world, own.name, hidden.name)
    assert.deepEqual(await administered(client), [own.name])
    assert.equal((await client.get('/rest/whoami')).body.administers_products, true)
    assert.deepEqual(await administered(world.stan), [])
    assert.deepEqual(await administered(world.nobody), [])
    assert.ok((await administered(world.ada)).includes(hidden.name))
    const core = (product: string) => `/rest/component/${product}/Core`
    assert.equal((await changes(client, 'PUT', core(own.name), { description: 'New' })).status, 200)
    assertRefused(await changes(client, 'PUT', core(other.name), { description: 'New' }), 401, 304)
    assertRefused(await changes(client, 'PUT', core(hidden.name), { description: 'New' }), 401, 106)
    assertRefused(await changes(client, 'PUT', `/rest/product/${own.name}`, { description: 'New' }), 401, 304)
    // A product that is hidden from its administrator opens no place.
    const onlyHidden = await newAdministratorOf(world, hidden.name)
    assert.equal((await onlyHidden.client.get('/rest/whoami')).body.administers_products, false)
    const withoutGroups = (await (await world.newUser()).client.get('/rest/whoami')).body
    assert.deepEqual([withoutGroups.groups, withoutGroups.administers_products], [[], false])
    assert.equal((await changes(client, 'PUT', core(`%20${own.name}%20`), { description: 'Newer' })).status, 200)
  })

  itOnOneEngine(world, 'lets users choose the members of the groups that they bless, and of no other', async () => {
    const [blessed, other] = [await world.newGroup(), await world.newGroup()]
    const { id, client } = await world.newUser()
    await world.ada.put(`/rest/user/${id}`, { bless_groups: { add: [blessed.name] }, groups: { add: [other.name] } })
    const [one, two] = [await world.newUser(), await newMember(world, blessed.name)]
    const members = (group: string) => `/rest/group/${group}/members` as const
    assert.equal((await client.get('/rest/whoami')).body.chooses_members, true)
    assert.deepEqual(
      (await client.get('/rest/group')).body.groups.map(({ name }) => name),
      [blessed.name],
    )
    const done = await client.put(members(blessed.name), { add: [one.login], remove: [two.login] })
    assert.deepEqual(done.body, {
      users: [
        { id: one.id, changes: { groups: { removed: '', added: blessed.name } } },
        { id: two.id, changes: { groups: { removed: blessed.name, added: '' } } },
      ],
    })
    const audit = (await world.ada.get(`/rest/audit?class=Tracker::User&id=${one.id}&field=groups`)).body.audit
    assert.deepEqual(
      audit.map(({ who, added }) => [who, added]),
      [[(await client.get('/rest/whoami')).body.name, blessed.name]],
    )
    const again = await client.put(members(blessed.name), { add: [one.login, one.login.toUpperCase()] })
    assert.deepEqual(again.body.users, [{ id: one.id, changes: {} }])
    for (const refused of [other.name, 'admin', 'nosuchgroup'])
      assertRefused(await client.put(members(refused), { add: [one.login] }), 401, 304)
    assertRefused(await world.greta.put(members(blessed.name), { add: [one.login] }), 401, 304)
    assertRefused(await world.uma.put(members('admin'), { add: [cast.uma.login] }), 401, 304)
    assertRefused(await world.nobody.put(members(blessed.name), { add: [one.login] }), 401, 410)
    assertRefused(await client.put(members(blessed.name), { add: ['no@such.test'] }), 404, 51)
    assertRefused(await world.ada.put(members('admin'), { remove: [cast.ada.login] }), 400, 32000)
    assertRefused(await client.put(`/rest/user/${one.id}`, { groups: { add: [blessed.name] } }), 401, 304)
  })

  itOnOneEngine(world, 'names to those who bless a group no other group by which users are in it', async () => {
    const [blessed, inner] = [await world.newGroup(), await world.newGroup()]
    await world.ada.put(`/rest/group/${blessed.name}`, { member_groups: { add: [inner.name] } })
    const inherited = await newMember(world, inner.name)
    const { id, client } = await world.newUser()
    await world.ada.put(`/rest/user/${id}`, { bless_groups: { add: [blessed.name] } })
    const sourcesFor = async (who: Client) =>
      (await who.get(`/rest/group/${blessed.name}/members`)).body.members.find((it) => it.id === inherited.id)?.sources
    assert.deepEqual(await sourcesFor(client), [])
    assert.deepEqual(await sourcesFor(world.greta), [{ kind: 'direct', group: inner.name }])
    assertRefused(await client.get(`/rest/group/${inner.name}/members`), 400, 805)
    assertRefused(await client.get('/rest/group/nosuchgroup/members'), 400, 805)
    assertRefused(await world.stan.get(`/rest/group/${blessed.name}/members`), 401, 304)
  })

  itOnOneEngine(world, 'checks the right to choose members again when the change is made', async () => {
    const blessed = await world.newGroup()
    const [blesser, one] = [await world.newUser(), await world.newUser()]
    const grant = (how: 'add' | 'remove') =>
      world.ada.put(`/rest/user/${blesser.id}`, { bless_groups: { [how]: [blessed.name] } })
    await grant('add')
    const change = { method: 'PUT', path: `/rest/group/${blessed.name}/members`, params: { add: [one.login] } }
    assert.equal((await blesser.client.put('/rest/admin/changes', { changes: [change], dry_run: true })).status, 200)
    const write = () => blesser.client.put('/rest/admin/changes', { changes: [change] })
    assertRefused(await changedMeanwhile(world, write, () => grant('remove'), 'configuration'), 401, 304)
    await grant('add')
    const direct = () => blesser.client.put(`/rest/group/${blessed.name}/members`, { add: [one.login] })
    assertRefused(await changedMeanwhile(world, direct, () => grant('remove'), 'configuration'), 401, 304)
    assert.deepEqual((await world.ada.get(`/rest/group/${blessed.name}/members`)).body.members.length, 1)
  })

  itOnOneEngine(world, 'hides blessed groups that the caller may not see while usevisibilitygroups is on', async () => {
    const blessed = await world.newGroup()
    const [blesser, one] = [await world.newUser(), await world.newUser()]
    await world.ada.put(`/rest/user/${blesser.id}`, { bless_groups: { add: [blessed.name] } })
    await world.withParameters({ usevisibilitygroups: true }, async () => {
      const write = await blesser.client.put(`/rest/group/${blessed.name}/members`, { add: [one.login] })
      assertRefused(write, 401, 304)
      assert.equal((await blesser.client.get('/rest/whoami')).body.chooses_members, false)
    })
  })

  itOnOneEngine(world, 'gives the flag types of a product to its administrators', async () => {
    const own = await newProduct(world)
    const other = await newProduct(world)
    const { client } = await newAdministratorOf(world, own.name)
    const name = world.unique('flag')
    const flag = (inclusions: string[]) => ({ name, description: 'X', inclusions })
    assert.equal((await changes(client, 'POST', '/rest/flag_type', flag([own.name]))).status, 200)
    assertRefused(await changes(client, 'POST', '/rest/flag_type', flag([])), 401, 304)
    assertRefused(await changes(client, 'POST', '/rest/flag_type', flag([own.name, other.name])), 401, 304)
  })
})
