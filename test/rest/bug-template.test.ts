import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newAdministratorOf, newMember } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnOneEngine, type World } from '../support/world.ts'

const TEMPLATE = '  What I did:\n\n<b>What</b> happened: “ü” 😀\n'

async function templateOf(world: World, product: string, client = world.nobody) {
  const { body } = await client.get(`/rest/product/${product}?include_fields=bug_template`)
  return body.products[0]
}

describeOnEachEngine('the bug template of a product', (world) => {
  itOnOneEngine(world, 'is empty at first, is kept as it was typed, and can be emptied', async () => {
    const { id, name } = await newProduct(world)
    assert.deepEqual(await templateOf(world, name), { bug_template: '' })
    const { status, body } = await world.ada.put(`/rest/product/${name}`, { bug_template: TEMPLATE })
    assert.equal(status, 200)
    assert.deepEqual(body.products, [{ id, changes: { bug_template: { removed: '', added: TEMPLATE } } }])
    assert.deepEqual(await templateOf(world, name), { bug_template: TEMPLATE })
    const again = await world.ada.put(`/rest/product/${name}`, { bug_template: TEMPLATE, description: 'For a test' })
    assert.deepEqual(again.body.products, [{ id, changes: {} }])
    await world.ada.put(`/rest/product/${name}`, { bug_template: ' \n ' })
    assert.deepEqual(await templateOf(world, name), { bug_template: '' })
  })

  itOnOneEngine(world, 'can be given with a new product, and has lines that end like those of comments', async () => {
    const name = world.unique('Made')
    const wanted = { name, description: 'd', version: '1', bug_template: 'One\r\nTwo\rThree' }
    assert.equal((await world.ada.post('/rest/product', wanted)).status, 201)
    assert.deepEqual(await templateOf(world, name, world.ada), { bug_template: 'One\nTwo\nThree' })
  })

  itOnOneEngine(world, 'may have 65,535 characters', async () => {
    const { name } = await newProduct(world)
    const long = '😀'.repeat(65_535)
    assert.equal((await world.ada.put(`/rest/product/${name}`, { bug_template: long })).status, 200)
    assertRefused(await world.ada.put(`/rest/product/${name}`, { bug_template: `${long}x` }), 400, 53)
    assert.deepEqual(await templateOf(world, name), { bug_template: long })
  })

  itOnOneEngine(world, 'is returned only on request', async () => {
    const { name } = await newProduct(world)
    const { body } = await world.nobody.get(`/rest/product/${name}`)
    assert.equal('bug_template' in body.products[0], false)
  })

  itOnOneEngine(world, 'is set by members of editcomponents, not by administrators of one product', async () => {
    const { name } = await newProduct(world)
    const limited = await newAdministratorOf(world, name)
    const change = { bug_template: 'Mine' }
    assertRefused(await world.nobody.put(`/rest/product/${name}`, change), 401, 410)
    assertRefused(await world.edna.put(`/rest/product/${name}`, change), 401, 304)
    assertRefused(await limited.client.put(`/rest/product/${name}`, change), 401, 304)
    assert.deepEqual(await templateOf(world, name), { bug_template: '' })
    const editor = await newMember(world, 'editcomponents')
    assert.equal((await editor.client.put(`/rest/product/${name}`, change)).status, 200)
  })

  it('of a hidden product is not returned', async () => {
    const { name } = await newHiddenProduct(world)
    await world.ada.put(`/rest/product/${name}`, { bug_template: 'Secret questions' })
    assert.equal(await templateOf(world, name, world.edna), undefined)
  })

  itOnOneEngine(world, 'is in the audit log', async () => {
    const { id, name } = await newProduct(world)
    await world.ada.put(`/rest/product/${name}`, { bug_template: TEMPLATE })
    const { body } = await world.ada.get(`/rest/audit?class=Tracker::Product&id=${id}`)
    const [{ field, removed, added }] = body.audit
    assert.deepEqual([field, removed, added], ['bug_template', '', TEMPLATE])
  })
})
