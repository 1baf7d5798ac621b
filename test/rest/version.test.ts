import assert from 'node:assert/strict'
import { it } from 'node:test'
import { insertBug, readBugRow } from '../support/bug-rows.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused, outcomesOf } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { testWhoMayChange } from '../support/who-may-change.ts'
import { itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

async function versionsOf(world: World, product: string) {
  const { status, body, text } = await world.ada.get(`/rest/product/${product}/version`)
  assert.equal(status, 200, text)
  return body.versions
}

async function namesOf(world: World, product: string): Promise<string[]> {
  return (await versionsOf(world, product)).map(({ name }) => name)
}

async function defaultOf(world: World, product: string): Promise<string> {
  const { body } = await world.ada.get(`/rest/product/${product}?include_fields=default_version`)
  return body.products[0].default_version
}

async function withVersions(world: World, ...names: string[]) {
  const { name } = await newProduct(world)
  for (const version of names) await world.ada.post(`/rest/product/${name}/version`, { name: version })
  return name
}

describeTogether.onOneEngine('GET /rest/product/(product)/version', (world) => {
  it('lists versions in natural order to every user who may see the product', async () => {
    const product = await withVersions(world, '1.10', '1.9', 'Trunk', '10', 'alpha')
    assert.deepEqual(await namesOf(world, product), ['1.0', '1.9', '1.10', '10', 'alpha', 'Trunk'])
    await world.ada.post(`/rest/product/${product}/version`, { name: '0', sort_key: 5, is_active: false })
    const { body } = await world.nobody.get(`/rest/product/${product.toLowerCase()}/version?exclude_fields=id`)
    assert.deepEqual(body.versions.at(-1), { name: '0', sort_key: 5, is_active: false })
  })

  it('treats a hidden product like one that does not exist', async () => {
    const hidden = await newHiddenProduct(world)
    assert.equal((await world.sven.get(`/rest/product/${hidden.name}/version`)).status, 200)
    for (const ref of [hidden.name, hidden.id, 'NoSuch', '999999'])
      assertRefused(await world.stan.get(`/rest/product/${ref}/version`), 401, 106)
  })
})

describeTogether.onOneEngine('POST /rest/product/(product)/version', (world) => {
  it('makes a version', async () => {
    const { id: productId, name: product } = await newProduct(world)
    const { status, body } = await world.ada.post(`/rest/product/${productId}/version`, { name: ' 2.0 ' })
    assert.equal(status, 201)
    assert.deepEqual((await versionsOf(world, product))[1], { id: body.id, name: '2.0', sort_key: 0, is_active: true })
    const { body: log } = await world.ada.get(`/rest/audit?class=Tracker::Version&id=${body.id}`)
    assert.deepEqual([log.audit[0].field, log.audit[0].added], ['__create__', '2.0'])
  })

  it('refuses with the numbers of the table, and changes nothing', async () => {
    const product = await withVersions(world, 'Trunk')
    const before = await versionsOf(world, product)
    const cases: [body: object, code: number][] = [
      [{}, 50],
      [{ name: '' }, 50],
      [{ name: '  ' }, 50],
      [{ name: 'x'.repeat(65) }, 53],
      [{ name: 'two\nlines' }, 53],
      [{ name: ['1'] }, 53],
      [{ name: 'TRUNK' }, 32000],
      [{ name: 'a', sort_key: -1 }, 53],
      [{ name: 'a', sort_key: 32_768 }, 53],
      [{ name: 'a', sort_key: 'x' }, 52],
      [{ name: 'a', is_active: 'perhaps' }, 53],
    ]
    for (const [body, code] of cases)
      assertRefused(await world.ada.post(`/rest/product/${product}/version`, body), 400, code)
    assert.deepEqual(await versionsOf(world, product), before)
  })
})

describeTogether.onOneEngine('PUT /rest/product/(product)/version/(version)', (world) => {
  it('changes a version; bugs and the product’s default follow its new name', async () => {
    const { name: product } = await newProduct(world)
    const [{ id }] = await versionsOf(world, product)
    const bug = await insertBug(world, { product, component: 'Core', version: '1.0' })
    const wanted = { name: ' 1.0.1 ', sort_key: 7, is_active: true }
    const { status, body } = await world.ada.put(`/rest/product/${product}/version/1.0`, wanted)
    assert.equal(status, 200)
    assert.deepEqual(body.versions, [
      { id, changes: { name: { removed: '1.0', added: '1.0.1' }, sort_key: { removed: '0', added: '7' } } },
    ])
    assert.equal((await readBugRow(world, bug))?.version, '1.0.1')
    assert.equal(await defaultOf(world, product), '1.0.1')
    const again = await world.ada.put(`/rest/product/${product}/version/1.0.1`, wanted)
    assert.deepEqual(again.body.versions, [{ id, changes: {} }])
  })

  it('sorts a version by its new name', async () => {
    const product = await withVersions(world, '1.2', '1.3')
    await world.ada.put(`/rest/product/${product}/version/1.2`, { name: '1.12' })
    assert.deepEqual(await namesOf(world, product), ['1.0', '1.3', '1.12'])
  })

  it('changes several versions alike, or none of them', async () => {
    const product = await withVersions(world, '2', '3')
    const path = `/rest/product/${product}/version/2` as const
    const { body } = await world.ada.put(path, { names: ['3', '2'], is_active: false })
    assert.equal(body.versions.length, 2)
    const before = await versionsOf(world, product)
    assertRefused(await world.ada.put(path, { names: ['3'], name: '4' }), 400, 32000)
    assertRefused(await world.ada.put(path, { names: ['NoSuch'], is_active: true }), 404, 51)
    assert.deepEqual(await versionsOf(world, product), before)
  })

  it('gives the product another default when the default is switched off', async () => {
    const product = await withVersions(world, '2', '0.9')
    await world.ada.put(`/rest/product/${product}/version/1.0`, { is_active: false })
    assert.equal(await defaultOf(world, product), '0.9')
  })

  it('refuses with the numbers of the table, and changes nothing', async () => {
    const product = await withVersions(world, '2')
    const before = await versionsOf(world, product)
    const path = `/rest/product/${product}/version` as const
    const cases: [version: string, body: object, status: number, code: number][] = [
      ['NoSuch', { is_active: false }, 404, 51],
      ['1.0', { name: '' }, 400, 50],
      ['1.0', { name: '2' }, 400, 32000],
      ['1.0', { name: 'x'.repeat(65) }, 400, 53],
      ['1.0', { sort_key: 40_000 }, 400, 53],
      ['1.0', { shoe_size: 44 }, 400, 32601],
    ]
    for (const [version, body, status, code] of cases)
      assertRefused(await world.ada.put(`${path}/${version}`, body), status, code)
    assert.deepEqual(await versionsOf(world, product), before)
  })
})

describeTogether('DELETE /rest/product/(product)/version/(version)', (world) => {
  itOnOneEngine(world, 'deletes a version, but not the last one, and gives the product another default', async () => {
    const product = await withVersions(world, '2/3')
    const [{ id }] = await versionsOf(world, product)
    const { status, body } = await world.ada.delete(`/rest/product/${product}/version/1.0`)
    assert.equal(status, 200)
    assert.deepEqual(body, { id, name: '1.0' })
    assert.equal(await defaultOf(world, product), '2/3')
    assertRefused(await world.ada.delete(`/rest/product/${product}/version/1.0`), 404, 51)
    assertRefused(await world.ada.delete(`/rest/product/${product}/version/2%2F3`), 400, 32000)
    assert.deepEqual(await namesOf(world, product), ['2/3'])
  })

  it('refuses one that any bug has, even while allowbugdeletion is on', async () => {
    const product = await withVersions(world, '2')
    await insertBug(world, { product, component: 'Core', version: '2', groups: ['security'] })
    await world.withParameters({ allowbugdeletion: 1 }, async () => {
      assertRefused(await world.ada.delete(`/rest/product/${product}/version/2`), 400, 32000)
    })
    assert.deepEqual(await namesOf(world, product), ['1.0', '2'])
  })
})

describeTogether.onOneEngine('who may change versions', (world) => testWhoMayChange(world, 'version'))

describeTogether('two administrators of versions at once', (world) => {
  it('cannot delete the last two versions together', async () => {
    const product = await withVersions(world, '2')
    const replies = await Promise.all(
      ['1.0', '2'].map((version) => world.ada.delete(`/rest/product/${product}/version/${version}`)),
    )
    assert.deepEqual(outcomesOf(replies), [32000, 'done'])
    const [left] = await namesOf(world, product)
    assert.equal(await defaultOf(world, product), left)
  })

  itOnPostgres(world, 'cannot both make one version, nor make one the default that the other deletes', async () => {
    const product = await withVersions(world, '2')
    const made = await Promise.all(
      ['New', 'new'].map((name) => world.ada.post(`/rest/product/${product}/version`, { name })),
    )
    assert.deepEqual(outcomesOf(made), [32000, 'done'])
    const [chosen, deleted] = await Promise.all([
      world.ada.put(`/rest/product/${product}`, { default_version: '2' }),
      world.ada.delete(`/rest/product/${product}/version/2`),
    ])
    assert.equal(deleted.status, 200)
    assert.ok(chosen.status === 200 || chosen.body.code === 706, chosen.text)
    assert.equal(await defaultOf(world, product), '1.0')
  })
})
