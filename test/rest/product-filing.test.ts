import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newMember, setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { describeOnEachEngine, itOnOneEngine, type World } from '../support/world.ts'

async function filingFor(client: World['ada'], product: string) {
  const { status, body, text } = await client.get(`/rest/product/${product}?include_fields=filing`)
  assert.equal(status, 200, text)
  return body.products[0]?.filing
}

async function usesFor(client: World['ada'], product: string): Promise<Record<string, string>> {
  const { groups } = await filingFor(client, product)
  return Object.fromEntries(groups.map(({ name, use }) => [name, use]))
}

describeOnEachEngine('filing of a product', (world) => {
  it('lists the groups that the caller can use, and how', async () => {
    const { name } = await newProduct(world)
    const group = await world.newGroup()
    const member = await newMember(world, group.name)
    const cases = [
      ['Shown', 'NA', 'optional', undefined],
      ['Shown', 'Shown', 'optional', 'optional'],
      ['Shown', 'Mandatory', 'optional', 'mandatory'],
      ['Default', 'NA', 'default', undefined],
      ['Default', 'Default', 'default', 'default'],
      ['Mandatory', 'Mandatory', 'mandatory', 'mandatory'],
      ['NA', 'NA', undefined, undefined],
    ] as const
    for (const [membercontrol, othercontrol, forMember, forOther] of cases) {
      await setControl(world, name, group.name, { membercontrol, othercontrol })
      const label = `${membercontrol}/${othercontrol}`
      assert.equal((await usesFor(member.client, name))[group.name], forMember, label)
      assert.equal((await usesFor(world.edna, name))[group.name], forOther, label)
      assert.equal(await filingFor(world.nobody, name), null, label)
    }
  })

  itOnOneEngine(world, 'lists groups that a new bug then gets', async () => {
    const { name } = await newProduct(world)
    const [optional, usual, always] = [await world.newGroup(), await world.newGroup(), await world.newGroup()]
    await setControl(world, name, optional.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    await setControl(world, name, usual.name, { membercontrol: 'Default', othercontrol: 'Default' })
    await setControl(world, name, always.name, { membercontrol: 'Shown', othercontrol: 'Mandatory' })
    const { groups } = await filingFor(world.edna, name)
    const named = (uses: readonly string[]) => groups.filter((it) => uses.includes(it.use)).map((it) => it.name)
    const file = async (more: object) => {
      const bug = { product: name, component: 'Core', version: '1.0', summary: 'A bug', ...more }
      const { status, body, text } = await world.edna.post('/rest/bug', bug)
      assert.equal(status, 200, text)
      return (await world.edna.get(`/rest/bug/${body.id}?include_fields=groups`)).body.bugs[0].groups.sort()
    }
    assert.deepEqual(await file({}), named(['default', 'mandatory']).sort())
    assert.deepEqual(await file({ groups: [] }), named(['mandatory']))
    assert.deepEqual(await file({ groups: groups.map((it) => it.name) }), groups.map((it) => it.name).sort())
  })

  itOnOneEngine(world, 'leaves out groups that are switched off', async () => {
    const { name } = await newProduct(world)
    const group = await world.newGroup()
    await setControl(world, name, group.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    assert.equal((await usesFor(world.edna, name))[group.name], 'optional')
    await world.ada.put(`/rest/group/${group.name}`, { is_active: false })
    assert.deepEqual(await usesFor(world.edna, name), {})
  })

  itOnOneEngine(world, 'says what the caller can choose, also where only the product gives the right', async () => {
    const { name } = await newProduct(world)
    const none = { groups: [], can_edit: false, can_confirm: false, can_track_time: false }
    assert.deepEqual(await filingFor(world.stan, name), none)
    assert.deepEqual(await filingFor(world.edna, name), {
      groups: [],
      can_edit: true,
      can_confirm: true,
      can_track_time: true,
    })
    const group = await world.newGroup()
    await setControl(world, name, group.name, { editbugs: true })
    const { client } = await newMember(world, group.name)
    assert.deepEqual(await filingFor(client, name), { ...none, can_edit: true })
  })

  itOnOneEngine(world, 'is null where the caller sees bugs but cannot file them', async () => {
    const { name } = await newProduct(world)
    const group = await world.newGroup()
    await setControl(world, name, group.name, { entry: true, membercontrol: 'Shown', othercontrol: 'Shown' })
    assert.equal(await filingFor(world.edna, name), null)
    const { client } = await newMember(world, group.name)
    assert.deepEqual(await usesFor(client, name), { [group.name]: 'optional' })
  })

  it('of a hidden product is not returned', async () => {
    const { name } = await newHiddenProduct(world)
    assert.equal(await filingFor(world.edna, name), undefined)
  })

  itOnOneEngine(world, 'is returned only on request', async () => {
    const { body } = await world.edna.get('/rest/product/TestProduct')
    assert.equal('filing' in body.products[0], false)
  })
})
