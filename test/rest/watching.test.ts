import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

async function newKeyword(world: World) {
  const name = world.unique('keyword')
  const { body } = await world.ada.post('/rest/keyword', { name, description: 'For a test' })
  return { id: body.id, name }
}

describeTogether('watching', (world) => {
  itOnOneEngine(
    world,
    'answers as BMO does: the new one, nothing for one that was there, and the status of a deletion',
    async () => {
      const { id, name } = await newProduct(world, ['Core', 'Net'])
      const user = await world.newUser()
      const { body } = await user.client.post('/rest/component-watching', { product: name, component: 'core' })
      const watch = body as { id: number; component: { id: number } }
      assert.deepEqual(body, {
        id: watch.id,
        product_name: name,
        component_name: 'Core',
        component_prefix: '',
        product: { id, name },
        component: { id: watch.component.id, name: 'Core' },
      })
      assert.deepEqual(
        (await user.client.post('/rest/component-watching', { product: name, component: ['Core'] })).body,
        {},
      )
      assert.deepEqual((await user.client.get('/rest/component-watching')).body, [body])
      assert.deepEqual((await user.client.get(`/rest/component-watching/${watch.id}`)).body, body)
      assert.deepEqual((await world.ada.get(`/rest/component-watching/${watch.id}`)).body, {})
      assert.deepEqual((await world.ada.delete(`/rest/component-watching/${watch.id}`)).body, { status: 0 })
      assert.deepEqual((await user.client.delete(`/rest/product-watching/${watch.id}`)).body, { status: 0 })
      for (const status of [1, 0])
        assert.deepEqual((await user.client.delete(`/rest/component-watching/${watch.id}`)).body, { status })
      for (const odd of ['x', '0', '99999999999'])
        assert.deepEqual((await user.client.get(`/rest/component-watching/${odd}`)).body, {})
    },
  )

  itOnOneEngine(world, 'replaces watches of components by one of their product', async () => {
    const { name } = await newProduct(world, ['Core', 'Net'])
    const user = await world.newUser()
    await user.client.post('/rest/component-watching', { product: name, component: ['Core', 'Net'] })
    assert.equal((await user.client.get('/rest/component-watching')).body.length, 2)
    const { body } = await user.client.post('/rest/component-watching', { product: name, component: '' })
    assert.deepEqual((await user.client.get('/rest/component-watching')).body, [body])
    assert.deepEqual((await user.client.get('/rest/product-watching')).body, [body])
    assert.deepEqual((await user.client.post('/rest/component-watching', { product: name, component: 'Net' })).body, {})
    assert.deepEqual((await user.client.post('/rest/product-watching', { product: name })).body, {})
  })

  it('refuses what is missing, hidden or malformed, and changes nothing', async () => {
    const hidden = await newHiddenProduct(world)
    const { name } = await newProduct(world)
    const user = await world.newUser()
    for (const product of [hidden.name, hidden.id, 'No such product', 2 ** 40]) {
      const reply = await user.client.post('/rest/component-watching', { product, component: 'Core' })
      assertRefused(reply, 401, 106)
      assertRefused(await user.client.post('/rest/product-watching', { product }), 401, 106)
      assert.equal(reply.text.includes(hidden.name), product === hidden.name)
    }
    assertRefused(
      await user.client.post('/rest/component-watching', { product: name, component: ['Core', 'No'] }),
      404,
      51,
    )
    assertRefused(await user.client.post('/rest/component-watching', { component: 'Core' }), 400, 50)
    assertRefused(await user.client.post('/rest/component-watching', { product: name, component: [{}] }), 400, 58)
    assertRefused(await user.client.post('/rest/keyword-watching', { keyword: 'no such keyword' }), 404, 51)
    for (const kind of ['component', 'product', 'keyword'] as const)
      assertRefused(await world.nobody.get(`/rest/${kind}-watching`), 401, 410)
    assert.deepEqual((await user.client.get('/rest/component-watching')).body, [])
  })

  it('shows nothing of a product that the user no longer sees, and everything again later', async () => {
    const { name } = await newProduct(world)
    const user = await world.newUser()
    const { body } = await user.client.post('/rest/component-watching', { product: name, component: 'Core' })
    const path = `/rest/product/${name}/group_control/security`
    await world.ada.put(path, { entry: true, membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
    assert.deepEqual((await user.client.get('/rest/component-watching')).body, [])
    await world.ada.put(path, { entry: false, membercontrol: 'NA', othercontrol: 'NA' })
    assert.deepEqual((await user.client.get('/rest/component-watching')).body, [body])
  })

  it('follows a keyword that is merged, and ends with what is deleted', async () => {
    const [from, to] = [await newKeyword(world), await newKeyword(world)]
    const { name } = await newProduct(world, ['Core', 'Net'])
    const [one, both] = [await world.newUser(), await world.newUser()]
    for (const user of [one, both]) await user.client.post('/rest/keyword-watching', { keyword: from.name })
    await both.client.post('/rest/keyword-watching', { keyword: to.id })
    await one.client.post('/rest/component-watching', { product: name, component: 'Net' })
    await world.ada.delete(`/rest/keyword/${from.name}?replace_with=${to.name}`)
    for (const user of [one, both])
      assert.deepEqual(
        (await user.client.get('/rest/keyword-watching')).body.map(({ keyword }) => keyword),
        [to],
      )
    assert.equal((await world.ada.delete(`/rest/component/${name}/Net`)).status, 200)
    assert.deepEqual((await one.client.get('/rest/component-watching')).body, [])
  })
})
