import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused, outcomesOf } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

async function newClassification(world: World, more: object = {}) {
  const name = world.unique('Class')
  const { status, body, text } = await world.ada.post('/rest/classification', { name, ...more })
  assert.equal(status, 201, text)
  return { id: body.id as number, name }
}

async function all(world: World, client = world.ada) {
  const { status, body, text } = await client.get('/rest/classification')
  assert.equal(status, 200, text)
  return body.classifications
}

const classified = (world: World, work: () => Promise<void>) => world.withParameters({ useclassification: 1 }, work)

describeTogether.onOneEngine('GET /rest/classification', (world) => {
  it('is refused while classifications are off, but for those who manage them', async () => {
    const editor = await newMember(world, 'editclassifications')
    for (const path of ['/rest/classification', '/rest/classification/Unclassified', '/rest/classification/NoSuch']) {
      assertRefused(await world.nobody.get(path), 400, 900)
      assertRefused(await world.stan.get(path), 400, 900)
    }
    const { status, body } = await editor.client.get('/rest/classification/unclassified')
    assert.equal(status, 200)
    const [{ id, name, sort_key, products }] = body.classifications
    assert.deepEqual([id, name, sort_key], [1, 'Unclassified', 0])
    assert.deepEqual(Object.keys(products[0]).sort(), ['description', 'id', 'name'])
    assertRefused(await editor.client.get('/rest/classification/NoSuch'), 404, 51)
  })

  it('lists classifications by sort key and name, with the products that the caller may see', async () => {
    const late = await newClassification(world, { sort_key: 20, description: 'Late ones' })
    const early = await newClassification(world, { sort_key: 10 })
    const [seen, hidden] = [await newProduct(world), await newHiddenProduct(world)]
    const onlyHidden = await newHiddenProduct(world)
    for (const { name } of [seen, hidden]) await world.ada.put(`/rest/product/${name}`, { classification: late.name })
    await world.ada.put(`/rest/product/${onlyHidden.name}`, { classification: early.name })
    await classified(world, async () => {
      const names = async (client = world.ada) =>
        (await all(world, client)).map(({ name }) => name).filter((it) => [late.name, early.name].includes(it))
      assert.deepEqual(await names(), [early.name, late.name])
      assert.deepEqual(await names(world.sven), [early.name, late.name])
      assert.deepEqual(await names(world.stan), [late.name])
      assert.deepEqual(await names(world.nobody), [late.name])
      const productsOf = async (client = world.ada) =>
        (await client.get(`/rest/classification/${late.id}`)).body.classifications[0].products
      assert.deepEqual(
        (await productsOf()).map(({ name }) => name),
        [hidden.name, seen.name].sort(),
      )
      assert.deepEqual(await productsOf(world.stan), [{ id: seen.id, name: seen.name, description: 'For a test' }])
      const editor = await newMember(world, 'editclassifications')
      assert.deepEqual(await productsOf(editor.client), [{ id: seen.id, name: seen.name, description: 'For a test' }])
    })
  })

  it('treats one that holds nothing for the caller like one that does not exist', async () => {
    const empty = await newClassification(world)
    await classified(world, async () => {
      assert.equal((await world.ada.get(`/rest/classification/${empty.name}`)).status, 200)
      for (const ref of [empty.name, empty.id, 'NoSuch', '999999', '99999999999999999999'])
        assertRefused(await world.stan.get(`/rest/classification/${ref}`), 404, 51)
    })
  })

  it('returns the requested fields', async () => {
    await classified(world, async () => {
      const { body } = await world.stan.get('/rest/classification/1?include_fields=name,products.name')
      const [found] = body.classifications
      assert.equal(found.name, 'Unclassified')
      assert.ok(found.products.length > 0)
      assert.ok(found.products.every((product) => Object.keys(product).join() === 'name'))
      const whole = await world.stan.get('/rest/classification/1?exclude_fields=products')
      assert.deepEqual(Object.keys(whole.body.classifications[0]).sort(), ['description', 'id', 'name', 'sort_key'])
    })
  })
})

describeTogether('POST, PUT and DELETE /rest/classification', (world) => {
  itOnOneEngine(world, 'make, change and delete a classification', async () => {
    const { id, name } = await newClassification(world, { description: ' d ', sort_key: 3 })
    const renamed = world.unique('Renamed')
    const wanted = { name: ` ${renamed} `, description: '', sort_key: 4 }
    const { body } = await world.ada.put(`/rest/classification/${name.toUpperCase()}`, wanted)
    assert.deepEqual(body.classifications, [
      {
        id,
        changes: {
          name: { removed: name, added: renamed },
          description: { removed: 'd', added: '' },
          sort_key: { removed: '3', added: '4' },
        },
      },
    ])
    const deleted = await world.ada.delete(`/rest/classification/${id}`)
    assert.deepEqual([deleted.status, deleted.body], [200, { id, name: renamed }])
    assertRefused(await world.ada.delete(`/rest/classification/${renamed}`), 404, 51)
    const { body: log } = await world.ada.get(`/rest/audit?class=Tracker::Classification&id=${id}`)
    assert.deepEqual(
      log.audit.map(({ field }) => field),
      ['__remove__', 'sort_key', 'description', 'name', '__create__'],
    )
  })

  itOnOneEngine(world, 'change several alike, or none of them', async () => {
    const [one, two] = [await newClassification(world), await newClassification(world)]
    const path = `/rest/classification/${one.name}` as const
    const { body } = await world.ada.put(path, { ids: [one.id], names: [two.name], sort_key: 9 })
    assert.equal(body.classifications.length, 2)
    const before = await all(world)
    assertRefused(await world.ada.put(path, { names: [two.name], name: 'Both' }), 400, 32000)
    assertRefused(await world.ada.put(path, { names: ['NoSuch'], sort_key: 1 }), 404, 51)
    assert.deepEqual(await all(world), before)
  })

  itOnOneEngine(world, 'refuse with the numbers of the table, and change nothing', async () => {
    const { name } = await newClassification(world)
    const before = await all(world)
    const cases: [body: object, code: number][] = [
      [{ name: '' }, 50],
      [{ name: '  ' }, 50],
      [{ name: 'x'.repeat(65) }, 53],
      [{ name: 'two\nlines' }, 53],
      [{ name: 'UNCLASSIFIED' }, 32000],
      [{ name: 'a', sort_key: -1 }, 53],
      [{ name: 'a', sort_key: 32_768 }, 53],
      [{ name: 'a', sort_key: 'x' }, 52],
      [{ name: 'a', description: 'x'.repeat(10_001) }, 53],
      [{ name: ['a'] }, 53],
    ]
    for (const [body, code] of cases) {
      assertRefused(await world.ada.post('/rest/classification', body), 400, code)
      assertRefused(await world.ada.put(`/rest/classification/${name}`, body), 400, code)
    }
    assertRefused(await world.ada.post('/rest/classification', {}), 400, 50)
    assertRefused(await world.ada.put(`/rest/classification/${name}`, { shoe_size: 44 }), 400, 32601)
    assert.deepEqual(await all(world), before)
  })

  itOnOneEngine(world, 'move the products of a deleted one to the first, which cannot be deleted', async () => {
    const { id, name } = await newClassification(world)
    const product = await newProduct(world)
    await world.ada.put(`/rest/product/${product.name}`, { classification: name })
    assertRefused(await world.ada.delete('/rest/classification/Unclassified'), 400, 32000)
    assertRefused(await world.ada.delete('/rest/classification/1'), 400, 32000)
    assert.equal((await world.ada.delete(`/rest/classification/${id}`)).status, 200)
    const { body } = await world.ada.get(`/rest/product/${product.id}`)
    assert.equal(body.products[0].classification, 'Unclassified')
    const { body: log } = await world.ada.get(`/rest/audit?class=Tracker::Product&id=${product.id}`)
    const { field, removed, added } = log.audit[0]
    assert.deepEqual([field, removed, added], ['classification', name, 'Unclassified'])
  })

  it('go on moving products to the first one when it has another name', async () => {
    const renamed = await world.ada.put('/rest/classification/1', { name: 'Everything else' })
    assert.equal(renamed.status, 200)
    const { name } = await newClassification(world)
    const product = await newProduct(world)
    await world.ada.put(`/rest/product/${product.name}`, { classification: name })
    await world.ada.delete(`/rest/classification/${name}`)
    const { body } = await world.ada.get(`/rest/product/${product.id}`)
    assert.equal(body.products[0].classification, 'Everything else')
    await world.ada.put('/rest/classification/1', { name: 'Unclassified' })
  })

  itOnOneEngine(world, 'are for members of editclassifications', async () => {
    const { name } = await newClassification(world)
    const writes = [
      ['POST', '/rest/classification', { name: world.unique('Class') }],
      ['PUT', `/rest/classification/${name}`, { sort_key: 1 }],
      ['PUT', '/rest/classification/NoSuch', { sort_key: 1 }],
      ['DELETE', `/rest/classification/${name}`, undefined],
    ] as const
    const components = await newMember(world, 'editcomponents')
    for (const [method, path, body] of writes) {
      assertRefused(await world.nobody.send(method, path, body), 401, 410)
      for (const client of [world.stan, world.edna, world.greta, components.client])
        assertRefused(await client.send(method, path, body), 401, 304)
    }
    const editor = await newMember(world, 'editclassifications')
    for (const [method, path, body] of writes) {
      const reply = await editor.client.send(method, path, body)
      if (path.endsWith('NoSuch')) assertRefused(reply, 404, 51)
      else assert.ok(reply.status < 300, reply.text)
    }
  })

  itOnOneEngine(world, 'refuse one that decides whether a field is shown', async () => {
    const { id, name } = await newClassification(world)
    const field = `cf_${world.unique('class')}`
    const made = await world.ada.post('/rest/field/bug', {
      name: field,
      type: 1,
      display_name: 'By class',
      visibility_field: 'classification',
      visibility_values: [name],
    })
    assert.equal(made.status, 201, made.text)
    assertRefused(await world.ada.delete(`/rest/classification/${id}`), 400, 32000)
    await world.ada.put(`/rest/field/bug/${field}`, { visibility_field: '' })
    assert.equal((await world.ada.delete(`/rest/classification/${id}`)).status, 200)
  })
})

describeTogether('two administrators of classifications at once', (world) => {
  it('cannot both make one name, nor both delete one', async () => {
    const name = world.unique('Twice')
    const made = await Promise.all(
      [name, name.toLowerCase()].map((it) => world.ada.post('/rest/classification', { name: it })),
    )
    assert.deepEqual(outcomesOf(made), [32000, 'done'])
    const deleted = await Promise.all([1, 2].map(() => world.ada.delete(`/rest/classification/${name}`)))
    assert.deepEqual(outcomesOf(deleted), [51, 'done'])
  })

  itOnPostgres(world, 'cannot put a product into a classification that is being deleted', async () => {
    const { name } = await newClassification(world)
    const product = await newProduct(world)
    const [moved, deleted] = await Promise.all([
      world.ada.put(`/rest/product/${product.name}`, { classification: name }),
      world.ada.delete(`/rest/classification/${name}`),
    ])
    assert.equal(deleted.status, 200)
    assert.ok(moved.status === 200 || moved.body.code === 51, moved.text)
    const { body } = await world.ada.get(`/rest/product/${product.id}`)
    assert.equal(body.products[0].classification, 'Unclassified')
  })
})
