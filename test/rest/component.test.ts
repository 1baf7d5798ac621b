import assert from 'node:assert/strict'
import { it } from 'node:test'
import { insertBug, readBugRow } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { newAdministratorOf, newMember } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused, outcomesOf } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const NEW = { name: 'New', description: 'A new part', default_assignee: cast.edna.login }

async function componentsOf(world: World, product: string) {
  return (await world.ada.get(`/rest/product/${product}?include_fields=components`)).body.products[0].components
}

async function idOf(world: World, product: string, component: string): Promise<number> {
  return (await componentsOf(world, product)).find((it) => it.name === component).id
}

async function getOne(world: World, path: string, client = world.ada) {
  const { status, body, text } = await client.get(`/rest/component/${path}`)
  assert.equal(status, 200, text)
  return body.components[0]
}

describeTogether('POST /rest/component', (world) => {
  itOnOneEngine(world, 'creates a component with every default', async () => {
    const { name: product } = await newProduct(world, [])
    const { status, body } = await world.ada.post('/rest/component', { product, ...NEW })
    assert.equal(status, 201)
    assert.deepEqual(await getOne(world, `${product}/New`), {
      id: body.id,
      product,
      name: 'New',
      description: 'A new part',
      default_assigned_to: cast.edna.login,
      default_qa_contact: '',
      triage_owner: '',
      triage_rotation: '',
      default_cc: [],
      sort_key: 0,
      is_active: true,
      flag_types: { bug: [], attachment: [] },
    })
  })

  itOnOneEngine(world, 'creates a component with all parameters', async () => {
    const { name: product } = await newProduct(world, [])
    const { body } = await world.ada.post('/rest/component', {
      product: product.toUpperCase(),
      component: '  Odd one ',
      description: ' d ',
      default_assignee: cast.edna.login.toUpperCase(),
      default_qa_contact: cast.sven.login,
      default_cc: [cast.sven.login, cast.ada.login, cast.ada.login.toUpperCase(), ''],
      is_open: false,
      nonsense: 1,
    })
    const component = await getOne(world, String(body.id))
    assert.deepEqual(
      [component.name, component.description, component.default_assigned_to, component.default_qa_contact],
      ['Odd one', 'd', cast.edna.login, cast.sven.login],
    )
    assert.deepEqual(component.default_cc, [cast.ada.login, cast.sven.login])
    assert.equal(component.is_active, false)
  })

  itOnOneEngine(world, 'takes the same name in another product, and not twice in one', async () => {
    const [one, two] = [await newProduct(world, []), await newProduct(world, [])]
    for (const product of [one.name, two.name])
      assert.equal((await world.ada.post('/rest/component', { product, ...NEW })).status, 201)
    assertRefused(await world.ada.post('/rest/component', { product: one.name, ...NEW }), 400, 1200)
    assertRefused(await world.ada.post('/rest/component', { product: one.name, ...NEW, name: ' nEW ' }), 400, 1200)
  })

  itOnOneEngine(world, 'refuses with the numbers of the table, and changes nothing', async () => {
    const { name: product } = await newProduct(world)
    const before = await componentsOf(world, product)
    const cases: [body: Record<string, unknown>, status: number, code: number][] = [
      [{ ...NEW }, 400, 50],
      [{ ...NEW, product: '' }, 400, 50],
      [{ ...NEW, product: 'NoSuch' }, 401, 106],
      [{ ...NEW, product, name: undefined }, 400, 105],
      [{ ...NEW, product, name: '  ' }, 400, 105],
      [{ ...NEW, product, name: 'x'.repeat(65) }, 400, 105],
      [{ ...NEW, product, name: 'two\nlines' }, 400, 105],
      [{ ...NEW, product, name: ['a'] }, 400, 53],
      [{ ...NEW, product, description: '' }, 400, 32000],
      [{ ...NEW, product, description: undefined }, 400, 32000],
      [{ ...NEW, product, description: 'x'.repeat(10_001) }, 400, 53],
      [{ ...NEW, product, default_assignee: undefined }, 400, 32000],
      [{ ...NEW, product, default_assignee: '' }, 400, 32000],
      [{ ...NEW, product, default_assignee: 'nobody@example.com' }, 404, 51],
      [{ ...NEW, product, default_qa_contact: 'nobody@example.com' }, 404, 51],
      [{ ...NEW, product, default_cc: [cast.ada.login, 'nobody@example.com'] }, 401, 504],
      [{ ...NEW, product, default_cc: [{}] }, 400, 58],
      [{ ...NEW, product, is_open: 'perhaps' }, 400, 53],
    ]
    for (const [body, status, code] of cases) {
      const reply = await world.ada.post('/rest/component', body)
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(body)}: ${reply.text}`)
    }
    assert.deepEqual(await componentsOf(world, product), before)
  })

  itOnOneEngine(world, 'takes a QA contact also while the pages hide it', async () => {
    const { name: product } = await newProduct(world, [])
    await world.withParameters({ useqacontact: 0 }, async () => {
      const wanted = { product, ...NEW, default_qa_contact: cast.sven.login }
      assert.equal((await world.ada.post('/rest/component', wanted)).status, 201)
      assert.equal((await getOne(world, `${product}/New`)).default_qa_contact, cast.sven.login)
      await world.ada.put(`/rest/component/${product}/New`, { default_qa_contact: cast.rhea.login })
    })
    assert.equal((await getOne(world, `${product}/New`)).default_qa_contact, cast.rhea.login)
  })

  it('creates two series, unless create_series is off', async () => {
    const { name: product } = await newProduct(world, [])
    const seriesOf = async (id: number) => {
      const series = await world.db.query((q) =>
        q.selectFrom('series').selectAll().where('component_id', '=', id).orderBy('id'),
      )
      return series.map(({ category, subcategory, name, query }) => ({ category, subcategory, name, query }))
    }
    const { id } = (await world.ada.post('/rest/component', { product, ...NEW })).body
    assert.deepEqual(await seriesOf(id), [
      { category: product, subcategory: 'New', name: 'All Open', query: 'status=__open__' },
      { category: product, subcategory: 'New', name: 'All Closed', query: 'status=__closed__' },
    ])
    await world.ada.put(`/rest/component/${id}`, { name: 'Renamed' })
    assert.ok((await seriesOf(id)).every(({ subcategory }) => subcategory === 'Renamed'))
    const silent = (await world.ada.post('/rest/component', { product, ...NEW, create_series: 0 })).body
    assert.deepEqual(await seriesOf(silent.id), [])
  })
})

describeTogether.onOneEngine('GET /rest/component', (world) => {
  it('returns a component by product and name, and by id, to every user who may see the product', async () => {
    const { name } = await newProduct(world, ['Core', 'A/B'])
    const id = await idOf(world, name, 'Core')
    for (const client of [world.nobody, world.stan]) {
      const component = await getOne(world, `${name.toLowerCase()}/CORE`, client)
      assert.deepEqual(await getOne(world, String(id), client), component)
      assert.deepEqual([component.id, component.product, component.name], [id, name, 'Core'])
    }
    assert.equal((await getOne(world, `${name}/${encodeURIComponent('A/B')}`)).name, 'A/B')
  })

  it('shows default_cc only to users who may change it', async () => {
    const { name: product } = await newProduct(world, [])
    await world.ada.post('/rest/component', { product, ...NEW, default_cc: [cast.stan.login] })
    const administrator = await newAdministratorOf(world, product)
    assert.deepEqual((await getOne(world, `${product}/New`)).default_cc, [cast.stan.login])
    assert.deepEqual((await getOne(world, `${product}/New`, administrator.client)).default_cc, [cast.stan.login])
    for (const client of [world.nobody, world.stan])
      assert.equal('default_cc' in (await getOne(world, `${product}/New`, client)), false)
  })

  it('returns the requested fields', async () => {
    const { name } = await newProduct(world)
    assert.deepEqual(await getOne(world, `${name}/Core?include_fields=name,product`), { name: 'Core', product: name })
    assert.deepEqual(await getOne(world, `${name}/Core?include_fields=flag_types.bug`), { flag_types: { bug: [] } })
    const rest = await getOne(world, `${name}/Core?exclude_fields=flag_types,default_cc,id`)
    assert.deepEqual(Object.keys(rest).sort(), [
      'default_assigned_to',
      'default_qa_contact',
      'description',
      'is_active',
      'name',
      'product',
      'sort_key',
      'triage_owner',
      'triage_rotation',
    ])
  })

  it('treats what is hidden like what does not exist', async () => {
    const hidden = await newHiddenProduct(world)
    const id = await idOf(world, hidden.name, 'Core')
    const { name } = await newProduct(world)
    assert.equal((await getOne(world, `${hidden.name}/Core`, world.sven)).id, id)
    assert.equal((await getOne(world, String(id), world.sven)).id, id)
    for (const client of [world.nobody, world.stan]) {
      assertRefused(await client.get(`/rest/component/${hidden.name}/Core`), 401, 106)
      assertRefused(await client.get('/rest/component/NoSuch/Core'), 401, 106)
      assertRefused(await client.get(`/rest/component/${name}/NoSuch`), 404, 51)
      const refs = [id, 999_999, '99999999999999999999', 'Core', '0']
      for (const ref of refs) assertRefused(await client.get(`/rest/component/${ref}`), 404, 51)
    }
  })
})

describeTogether.onOneEngine('PUT /rest/component', (world) => {
  it('changes everything that it takes, and returns the changes; bugs follow', async () => {
    const { name: product } = await newProduct(world)
    const id = await idOf(world, product, 'Core')
    const bug = await insertBug(world, { product, component: 'Core' })
    const wanted = {
      name: ' Kernel ',
      description: 'Better',
      default_assignee: cast.edna.login,
      default_qa_contact: cast.sven.login,
      default_cc: [cast.stan.login, cast.rhea.login],
      is_open: false,
    }
    const { status, body } = await world.ada.put(`/rest/component/${product}/Core`, wanted)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      components: [
        {
          id,
          changes: {
            name: { removed: 'Core', added: 'Kernel' },
            description: { removed: 'A part', added: 'Better' },
            default_assignee: { removed: cast.ada.login, added: cast.edna.login },
            default_qa_contact: { removed: '', added: cast.sven.login },
            default_cc: { removed: '', added: `${cast.rhea.login}, ${cast.stan.login}` },
            is_open: { removed: '1', added: '0' },
          },
        },
      ],
    })
    assert.equal((await readBugRow(world, bug))?.component, 'Kernel')
    const cleared = await world.ada.put(`/rest/component/${id}`, { default_qa_contact: '', default_cc: [] })
    assert.deepEqual(Object.keys(cleared.body.components[0].changes).sort(), ['default_cc', 'default_qa_contact'])
    const again = await world.ada.put(`/rest/component/${id}`, { name: 'Kernel', is_active: false })
    assert.deepEqual(again.body.components, [{ id, changes: {} }])
    const { body: log } = await world.ada.get(`/rest/audit?class=Tracker::Component&id=${id}`)
    assert.equal(log.audit.length, 9)
  })

  it('takes the form in which python-bugzilla sends it', async () => {
    const { name: product } = await newProduct(world, ['Core', 'UI'])
    const { status, body } = await world.ada.put(`/rest/component/${product}/Core`, {
      names: [{ product, component: 'Core' }],
      updates: { default_assignee: cast.edna.login, is_active: false, default_cc: [cast.stan.login] },
    })
    assert.equal(status, 200)
    assert.deepEqual(body.components, [
      {
        id: await idOf(world, product, 'Core'),
        changes: {
          default_assignee: { removed: cast.ada.login, added: cast.edna.login },
          default_cc: { removed: '', added: cast.stan.login },
          is_open: { removed: '1', added: '0' },
        },
      },
    ])
    const both = { updates: { description: 'gathered', is_open: true }, description: 'beside' }
    const { changes } = (await world.ada.put(`/rest/component/${product}/Core`, both)).body.components[0]
    assert.deepEqual([changes.description?.added, changes.is_open?.added], ['beside', '1'])
  })

  it('changes several components alike, or none of them', async () => {
    const one = await newProduct(world, ['Core', 'UI'])
    const two = await newProduct(world, ['Core'])
    const ui = await idOf(world, one.name, 'UI')
    const path = `/rest/component/${one.name}/Core` as const
    const names = [
      { product: two.name, component: 'core' },
      { product: one.name, component: 'Core' },
    ]
    const { body } = await world.ada.put(path, { ids: [ui], names, description: 'Alike' })
    assert.equal(body.components.length, 3)
    const before = await componentsOf(world, one.name)
    const refusals: [body: object, status: number, code: number][] = [
      [{ ids: [ui], name: 'Both' }, 400, 32000],
      [{ ids: [999_999], description: 'x' }, 404, 51],
      [{ names: [{ product: 'NoSuch', component: 'Core' }], description: 'x' }, 401, 106],
      [{ names: [{ product: two.name, component: 'NoSuch' }], description: 'x' }, 404, 51],
      [{ names: ['Core'], description: 'x' }, 400, 53],
      [{ names: [{ product: 1, component: 'Core' }], description: 'x' }, 400, 53],
      [{ names: [null], description: 'x' }, 400, 53],
      [{ ids: ['x'], description: 'x' }, 400, 52],
    ]
    for (const [wanted, status, code] of refusals) assertRefused(await world.ada.put(path, wanted), status, code)
    assert.deepEqual(await componentsOf(world, one.name), before)
  })

  itOnOneEngine(world, 'refuses with the numbers of the table, and changes nothing', async () => {
    const { name: product } = await newProduct(world, ['Core', 'UI'])
    const before = await componentsOf(world, product)
    const cases: [body: Record<string, unknown>, status: number, code: number][] = [
      [{ name: '' }, 400, 105],
      [{ name: 'x'.repeat(65) }, 400, 105],
      [{ name: 'ui' }, 400, 1200],
      [{ description: ' ' }, 400, 32000],
      [{ default_assignee: '' }, 400, 32000],
      [{ default_assignee: 'nobody@example.com' }, 404, 51],
      [{ default_qa_contact: 'nobody@example.com' }, 404, 51],
      [{ default_cc: ['nobody@example.com'] }, 401, 504],
      [{ is_open: 2 }, 400, 53],
      [{ product: 'TestProduct' }, 400, 32601],
      [{ updates: { product: 'TestProduct' } }, 400, 32601],
      [{ updates: { toString: 'x' } }, 400, 32601],
      [{ updates: 'x' }, 400, 53],
      [{ updates: [] }, 400, 53],
      [{ updates: { name: {} } }, 400, 53],
    ]
    for (const [body, status, code] of cases) {
      const reply = await world.ada.put(`/rest/component/${product}/Core`, { description: 'x', ...body })
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(body)}: ${reply.text}`)
    }
    assertRefused(await world.ada.put(`/rest/component/${product}/NoSuch`, { description: 'x' }), 404, 51)
    assert.deepEqual(await componentsOf(world, product), before)
  })
})

describeTogether.onOneEngine('DELETE /rest/component', (world) => {
  it('deletes a component, but never the last one of a product', async () => {
    const { name: product } = await newProduct(world, ['Core', 'UI'])
    const [core, ui] = [await idOf(world, product, 'Core'), await idOf(world, product, 'UI')]
    const { status, body } = await world.ada.delete(`/rest/component/${product}/core`)
    assert.equal(status, 200)
    assert.deepEqual(body, { id: core, name: 'Core' })
    assertRefused(await world.ada.delete(`/rest/component/${product}/Core`), 404, 51)
    assertRefused(await world.ada.delete(`/rest/component/${core}`), 404, 51)
    assertRefused(await world.ada.delete(`/rest/component/${ui}`), 400, 1201)
    assert.deepEqual(
      (await componentsOf(world, product)).map(({ name }) => name),
      ['UI'],
    )
  })

  it('refuses one that has bugs, unless allowbugdeletion is on', async () => {
    const { name: product } = await newProduct(world, ['Core', 'UI'])
    const doomed = await insertBug(world, { product, component: 'Core' })
    const kept = await insertBug(world, { product, component: 'UI', dupe_of: doomed })
    assertRefused(await world.ada.delete(`/rest/component/${product}/Core`), 400, 1202)
    await world.withParameters({ allowbugdeletion: 1 }, async () => {
      assert.equal((await world.ada.delete(`/rest/component/${product}/Core`)).status, 200)
      assertRefused(await world.ada.delete(`/rest/component/${product}/UI`), 400, 1201)
    })
    assert.equal(await readBugRow(world, doomed), undefined)
    assert.equal((await readBugRow(world, kept))?.dupe_of_id, null)
  })

  it('refuses one that decides whether a field is shown', async () => {
    const { name: product } = await newProduct(world, ['Core', world.unique('Special')])
    const [, special] = await componentsOf(world, product)
    const [row] = await world.db.query((q) => q.selectFrom('fields').select('id').where('name', '=', 'component'))
    const field = `cf_${world.unique('part')}`
    await world.ada.post('/rest/field/bug', { name: field, type: 1, display_name: 'Part' })
    await world.db.query((q) =>
      q
        .updateTable('fields')
        .set({ visibility_field_id: row?.id ?? null })
        .where('name', '=', field),
    )
    const [own] = await world.db.query((q) => q.selectFrom('fields').select('id').where('name', '=', field))
    await world.db.query((q) =>
      q.insertInto('field_visibility_values').values({ field_id: own?.id ?? 0, value_id: special.id }),
    )
    assertRefused(await world.ada.delete(`/rest/component/${special.id}`), 400, 32000)
    assertRefused(await world.ada.delete(`/rest/product/${product}`), 400, 32000)
    assert.equal((await world.ada.delete(`/rest/component/${product}/Core`)).status, 200)
  })
})

describeTogether('who may change components', (world) => {
  itOnOneEngine(world, 'are members of editcomponents, everywhere or in the product', async () => {
    const own = await newProduct(world, ['Core', 'UI'])
    const other = await newProduct(world, ['Core', 'UI'])
    const core = await idOf(world, own.name, 'Core')
    const theirs = await idOf(world, other.name, 'Core')
    const writes = (product: string, id: number) =>
      [
        ['POST', '/rest/component', { product, ...NEW }],
        ['PUT', `/rest/component/${product}/Core`, { description: 'x' }],
        ['PUT', `/rest/component/${id}`, { description: 'x' }],
        ['DELETE', `/rest/component/${product}/UI`, undefined],
        ['DELETE', `/rest/component/${id}`, undefined],
      ] as const
    const before = await componentsOf(world, own.name)
    for (const [method, path, body] of writes(own.name, core)) {
      assertRefused(await world.nobody.send(method, path, body), 401, 410)
      for (const client of [world.stan, world.edna, world.greta, world.uma])
        assertRefused(await client.send(method, path, body), 401, 304)
    }
    assert.deepEqual(await componentsOf(world, own.name), before)
    const administrator = await newAdministratorOf(world, own.name)
    for (const [method, path, body] of writes(other.name, theirs))
      assertRefused(await administrator.client.send(method, path, body), 401, 304)
    for (const [method, path, body] of writes(own.name, core)) {
      const reply = await administrator.client.send(method, path, body)
      assert.ok(reply.status < 300, reply.text)
    }
    const editor = await newMember(world, 'editcomponents')
    for (const [method, path, body] of writes(other.name, theirs)) {
      const reply = await editor.client.send(method, path, body)
      assert.ok(reply.status < 300, reply.text)
    }
  })

  itOnOneEngine(world, 'get the same error for hidden and for missing components', async () => {
    const hidden = await newHiddenProduct(world, ['Core', 'UI'])
    const id = await idOf(world, hidden.name, 'Core')
    const own = await newProduct(world)
    const administrator = await newAdministratorOf(world, own.name)
    const editor = await newMember(world, 'editcomponents')
    const attempts = (product: string, id: number) =>
      [
        ['POST', '/rest/component', { product, ...NEW }, 106],
        ['PUT', `/rest/component/${product}/Core`, { description: 'x' }, 106],
        ['DELETE', `/rest/component/${product}/Core`, undefined, 106],
        ['PUT', `/rest/component/${id}`, { description: 'x' }, 51],
        ['DELETE', `/rest/component/${id}`, undefined, 51],
      ] as const
    for (const client of [administrator.client, editor.client])
      for (const [product, ref] of [
        [hidden.name, id],
        ['NoSuch', 999_999],
      ] as const)
        for (const [method, path, body, code] of attempts(product, ref))
          assertRefused(await client.send(method, path, body), code === 51 ? 404 : 401, code)
    for (const [product, ref] of [
      [hidden.name, id],
      ['NoSuch', 999_999],
    ] as const)
      for (const [method, path, body] of attempts(product, ref))
        assertRefused(await world.stan.send(method, path, body), 401, 304)
    assert.equal((await componentsOf(world, hidden.name)).length, 2)
  })
})

describeTogether('two administrators of components at once', (world) => {
  it('cannot delete the last two components together', async () => {
    const { name } = await newProduct(world, ['Core', 'UI'])
    const replies = await Promise.all([
      world.ada.delete(`/rest/component/${name}/Core`),
      world.ada.delete(`/rest/component/${name}/UI`),
    ])
    assert.deepEqual(outcomesOf(replies), [1201, 'done'])
    assert.equal((await componentsOf(world, name)).length, 1)
  })

  itOnPostgres(world, 'cannot both make, or rename to, one name', async () => {
    const { name: product } = await newProduct(world, ['Core', 'UI'])
    const replies = await Promise.all([
      world.ada.post('/rest/component', { product, ...NEW }),
      world.ada.post('/rest/component', { product, ...NEW, name: 'NEW' }),
      world.ada.put(`/rest/component/${product}/Core`, { name: 'new' }),
      world.ada.put(`/rest/component/${product}/UI`, { name: 'nEw' }),
    ])
    assert.deepEqual(outcomesOf(replies), [1200, 1200, 1200, 'done'])
  })

  itOnPostgres(world, 'lose no change of different parts of one component', async () => {
    const { name: product } = await newProduct(world)
    await Promise.all([
      world.ada.put(`/rest/component/${product}/Core`, { description: 'Other words' }),
      world.ada.put(`/rest/component/${product}/Core`, { default_assignee: cast.edna.login }),
      world.ada.put(`/rest/component/${product}/Core`, { default_cc: [cast.stan.login] }),
      world.ada.put(`/rest/component/${product}/Core`, { is_open: false }),
    ])
    const component = await getOne(world, `${product}/Core`)
    assert.deepEqual(
      [component.description, component.default_assigned_to, component.default_cc, component.is_active],
      ['Other words', cast.edna.login, [cast.stan.login], false],
    )
  })

  itOnPostgres(world, 'cannot change what the other deletes without one of them hearing of it', async () => {
    const { name: product } = await newProduct(world, ['Core', 'UI'])
    const [renamed, deleted] = await Promise.all([
      world.ada.put(`/rest/component/${product}/Core`, { name: 'Kernel' }),
      world.ada.delete(`/rest/component/${product}/Core`),
    ])
    assert.deepEqual(outcomesOf([renamed, deleted]), [51, 'done'])
    const names = (await componentsOf(world, product)).map(({ name }) => name)
    assert.deepEqual(names, renamed.status === 200 ? ['Kernel', 'UI'] : ['UI'])
  })
})
