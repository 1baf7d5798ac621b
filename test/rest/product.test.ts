import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Query } from '../support/body-types.ts'
import { insertBug, readBugRow } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { newAdministratorOf, newMember, setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused, outcomesOf } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const LISTS = ['selectable', 'enterable', 'accessible'] as const

async function idsIn(world: World, list: (typeof LISTS)[number], client = world.nobody): Promise<number[]> {
  const { status, body, text } = await client.get(`/rest/product_${list}`)
  assert.equal(status, 200, text)
  return body.ids
}

/** A query that can begin with the name of a product. */
type ProductQuery = Query | `/${string}`

async function read(world: World, query: ProductQuery, client = world.ada) {
  const { status, body, text } = await client.get(`/rest/product${query}`)
  assert.equal(status, 200, text)
  return body.products
}

function namesOf(items: readonly { name: string }[]): string[] {
  return items.map((item) => item.name)
}

async function allProducts(world: World) {
  return read(world, '')
}

describeTogether.onOneEngine('a fresh installation', (world) => {
  it('has TestProduct with TestComponent, which is assigned to the administrator', async () => {
    const [product] = await read(world, '/TestProduct', world.nobody)
    const { id, description, components, versions, milestones, ...rest } = product
    assert.deepEqual(rest, {
      name: 'TestProduct',
      is_active: true,
      default_milestone: '---',
      has_unconfirmed: true,
      classification: 'Unclassified',
    })
    assert.equal(id, 1)
    assert.ok(description.length > 20)
    assert.deepEqual(
      versions.map(({ id: _, ...version }) => version),
      [{ name: 'unspecified', sort_key: 0, is_active: true }],
    )
    assert.deepEqual(
      milestones.map(({ id: _, ...milestone }) => milestone),
      [{ name: '---', sort_key: 0, is_active: true }],
    )
    assert.deepEqual(
      components.map(({ id: _, description: __, ...component }) => component),
      [
        {
          name: 'TestComponent',
          default_assigned_to: cast.ada.login,
          default_qa_contact: '',
          triage_owner: '',
          triage_rotation: '',
          sort_key: 0,
          is_active: true,
          flag_types: { bug: [], attachment: [] },
        },
      ],
    )
    for (const list of LISTS) assert.deepEqual(await idsIn(world, list), [1])
  })
})

describeTogether('GET /rest/product_(selectable, enterable, accessible)', (world) => {
  it('lists ids by the names of the products, in any letter case', async () => {
    const suffix = world.unique('x')
    const made: { id: number; name: string }[] = []
    for (const name of ['bear', 'Ape', 'CAT', 'äsche', '2 cats']) {
      const product = { name: `${name} ${suffix}`, description: 'An animal', version: '1' }
      const { id } = (await world.ada.post('/rest/product', product)).body
      made.push({ id, name })
      const part = { product: product.name, name: 'C', description: 'd', default_assignee: cast.ada.login }
      await world.ada.post('/rest/component', part)
    }
    const idOf = (name: string) => made.find((it) => it.name === name)?.id
    const expected = ['2 cats', 'Ape', 'bear', 'CAT', 'äsche'].map(idOf)
    for (const list of LISTS) {
      const ids = await idsIn(world, list)
      assert.deepEqual(
        ids.filter((id) => made.some((it) => it.id === id)),
        expected,
      )
    }
  })

  itOnOneEngine(world, 'leaves a closed product out of those that one can file against', async () => {
    const { id, name } = await newProduct(world)
    await world.ada.put(`/rest/product/${name}`, { is_open: false })
    assert.deepEqual(await Promise.all(LISTS.map(async (list) => (await idsIn(world, list)).includes(id))), [
      true,
      false,
      true,
    ])
  })

  itOnOneEngine(
    world,
    'counts only a product with an active component and an active version as one to file against',
    async () => {
      const { id, name } = await newProduct(world, [])
      const isEnterable = async () => (await idsIn(world, 'enterable')).includes(id)
      assert.equal(await isEnterable(), false)
      const part = { product: name, name: 'C', description: 'd', default_assignee: cast.ada.login, is_open: false }
      await world.ada.post('/rest/component', part)
      assert.equal(await isEnterable(), false)
      await world.ada.put(`/rest/component/${name}/C`, { is_open: true })
      assert.equal(await isEnterable(), true)
      await world.ada.put(`/rest/product/${name}/version/1.0`, { is_active: false })
      assert.equal(await isEnterable(), false)
    },
  )

  it('hides a product that belongs to a group from all other users', async () => {
    const { id } = await newHiddenProduct(world)
    for (const list of LISTS) {
      assert.ok((await idsIn(world, list, world.sven)).includes(id), list)
      assert.ok((await idsIn(world, list, world.ada)).includes(id), list)
      for (const client of [world.nobody, world.stan, world.edna])
        assert.ok(!(await idsIn(world, list, client)).includes(id), list)
    }
  })

  itOnOneEngine(
    world,
    'lets every user search in a product that only members can file against, and the other way round',
    async () => {
      const forMembers = await newProduct(world)
      await setControl(world, forMembers.name, 'security', { entry: true })
      const forReaders = await newProduct(world)
      await setControl(world, forReaders.name, 'security', { membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
      const lists = async (id: number) =>
        Promise.all(LISTS.map(async (list) => (await idsIn(world, list, world.stan)).includes(id)))
      assert.deepEqual(await lists(forMembers.id), [true, false, true])
      assert.deepEqual(await lists(forReaders.id), [false, true, true])
    },
  )

  it('asks for all groups of a product, or with or_groups for any', async () => {
    const { id, name } = await newProduct(world)
    const [one, two] = [await world.newGroup(), await world.newGroup()]
    for (const group of [one, two])
      await setControl(world, name, group.name, { entry: true, membercontrol: 3, othercontrol: 3 })
    const inOne = await newMember(world, one.name)
    const inBoth = await newMember(world, one.name, two.name)
    const sees = async (client = inOne.client) => (await idsIn(world, 'accessible', client)).includes(id)
    assert.equal(await sees(), false)
    assert.equal(await sees(inBoth.client), true)
    await world.withParameters({ or_groups: 1 }, async () => {
      assert.equal(await sees(), true)
      assert.equal(await sees(inBoth.client), true)
      assert.equal(await sees(world.stan), false)
    })
  })
})

describeTogether('GET /rest/product', (world) => {
  it('finds products by id, by name in any case, and several at once, ordered by name and each once', async () => {
    const one = await newProduct(world)
    const two = await newProduct(world)
    const expected = [one.name, two.name].sort()
    assert.deepEqual(namesOf(await read(world, `/${one.id}`)), [one.name])
    assert.deepEqual(namesOf(await read(world, `/${one.name.toUpperCase()}`)), [one.name])
    assert.deepEqual(namesOf(await read(world, `/%20${one.name}%20`)), [one.name])
    assert.deepEqual(namesOf(await read(world, `?ids=${two.id}&ids=${one.id}`)), expected)
    assert.deepEqual(namesOf(await read(world, `?names=${two.name}&names=${one.name.toLowerCase()}`)), expected)
    const mixed = `/${one.name}?ids=${one.id}&ids=${two.id}&names=${two.name}` as const
    assert.deepEqual(namesOf(await read(world, mixed)), expected)
  })

  itOnOneEngine(
    world,
    'reads a name of digits as a name where a name is asked for, and as an id in the path',
    async () => {
      const name = String(900_000 + Number(world.unique('').replace(/\D/g, '')))
      const { id } = (await world.ada.post('/rest/product', { name, description: 'Digits', version: '1' })).body
      assert.deepEqual(namesOf(await read(world, `?names=${name}`)), [name])
      assert.deepEqual(await read(world, `/${name}`), [])
      assert.deepEqual(namesOf(await read(world, `/${id}`)), [name])
    },
  )

  itOnOneEngine(world, 'finds a product whose name holds a slash', async () => {
    const name = `Server/API ${world.unique('x')}`
    await world.ada.post('/rest/product', { name, description: 'Slash', version: '1' })
    assert.deepEqual(namesOf(await read(world, `/${encodeURIComponent(name)}`)), [name])
    assert.deepEqual(namesOf(await read(world, `?names=${encodeURIComponent(name)}`)), [name])
  })

  itOnOneEngine(world, 'skips silently what does not exist, what is hidden and an invalid id', async () => {
    const hidden = await newHiddenProduct(world)
    const seen = await newProduct(world)
    for (const ref of ['NoSuch', '999999', '99999999999999999999', '-1', hidden.name, hidden.id])
      assert.deepEqual(await read(world, `/${ref}`, world.stan), [], String(ref))
    const query = `?ids=999999&ids=abc&ids=${hidden.id}&names=NoSuch&names=${hidden.name}&ids=${seen.id}` as const
    assert.deepEqual(namesOf(await read(world, query, world.stan)), [seen.name])
    assert.deepEqual(await read(world, `?ids=${hidden.id},${seen.id}`), [])
  })

  itOnOneEngine(world, 'takes the word get for a name, as python-bugzilla needs it', async () => {
    const one = await newProduct(world)
    const query = `/get?ids=${one.id}&names=NoSuch&include_fields=name&include_fields=components.name` as const
    assert.deepEqual(await read(world, query), [{ name: one.name, components: [{ name: 'Core' }] }])
    assert.deepEqual(await read(world, '/get'), [])
  })

  it('returns the accessible products when nothing is asked for, and merges several types', async () => {
    const closed = await newProduct(world)
    await world.ada.put(`/rest/product/${closed.name}`, { is_open: false })
    const forWriters = await newProduct(world)
    await setControl(world, forWriters.name, 'security', { membercontrol: 3, othercontrol: 3 })
    const own = (products: readonly { name: string }[]) =>
      namesOf(products).filter((name) => [closed.name, forWriters.name].includes(name))
    const both = [closed.name, forWriters.name].sort()
    assert.deepEqual(own(await read(world, '', world.stan)), both)
    assert.deepEqual(own(await read(world, '?type=accessible', world.stan)), both)
    assert.deepEqual(own(await read(world, '?type=selectable', world.stan)), [closed.name])
    assert.deepEqual(own(await read(world, '?type=enterable', world.stan)), [forWriters.name])
    assert.deepEqual(own(await read(world, '?type=enterable&type=selectable', world.stan)), both)
    assert.deepEqual(own(await read(world, `?type=enterable&names=${closed.name}`, world.stan)), both)
  })

  itOnOneEngine(world, 'refuses a type that does not exist', async () => {
    for (const query of ['type=nonsense', 'type=', 'type=selectable&type=Selectable', 'type=__proto__'])
      assertRefused(await world.stan.get(`/rest/product?${query}`), 400, 32000)
  })

  it('returns versions in natural order, milestones by sort key and components by name', async () => {
    const { name } = await newProduct(world, ['beta', 'Alpha', 'gamma'])
    for (const version of ['1.10', '1.9', 'trunk', '1.9.1'])
      await world.ada.post(`/rest/product/${name}/version`, { name: version })
    for (const [milestone, sort_key] of [
      ['later', 30],
      ['M2', 20],
      ['m1', 20],
      ['first', -5],
    ])
      await world.ada.post(`/rest/product/${name}/milestone`, { name: milestone, sort_key })
    const [product] = await read(world, `/${name}`)
    assert.deepEqual(namesOf(product.versions), ['1.0', '1.9', '1.9.1', '1.10', 'trunk'])
    assert.deepEqual(namesOf(product.milestones), ['first', '---', 'm1', 'M2', 'later'])
    assert.deepEqual(namesOf(product.components), ['Alpha', 'beta', 'gamma'])
  })

  itOnOneEngine(world, 'embeds in each component the flag types that apply there', async () => {
    const { name } = await newProduct(world, ['Core', 'UI', 'Docs'])
    const group = await world.newGroup()
    const make = async (more: object) => {
      const type = { name: world.unique('flag'), description: 'A flag', ...more }
      const { status, text } = await world.ada.post('/rest/flag_type', type)
      assert.equal(status, 201, text)
      return type.name
    }
    const everywhere = await make({
      inclusions: [name],
      sortkey: 3,
      grant_group: group.name,
      request_group: 'editbugs',
    })
    const onlyUi = await make({ inclusions: { [name]: ['UI'] }, sortkey: 1, is_active: false })
    const notDocs = await make({
      inclusions: [name],
      exclusions: { [name]: ['Docs'] },
      target_type: 'attachment',
      cc_list: ['a@example.com', 'b@example.com'],
      is_requestable: false,
      is_specifically_requestable: false,
      is_multiplicable: false,
    })
    const elsewhere = await make({ inclusions: ['TestProduct'] })
    const [product] = await read(world, `/${name}`, world.nobody)
    const of = (component: string) => product.components.find((it) => it.name === component).flag_types
    const own = (list: readonly { name: string }[]) =>
      namesOf(list).filter((it) => [everywhere, onlyUi, notDocs, elsewhere].includes(it))
    assert.deepEqual(own(of('Core').bug), [everywhere])
    assert.deepEqual(own(of('UI').bug), [onlyUi, everywhere])
    assert.deepEqual(own(of('Docs').bug), [everywhere])
    assert.deepEqual(own(of('Core').attachment), [notDocs])
    assert.deepEqual(own(of('Docs').attachment), [])
    const { id: _, ...granted } = of('Core').bug.find((it) => it.name === everywhere)
    const editbugs = (await world.ada.get('/rest/group/editbugs')).body.groups[0].id
    assert.deepEqual(granted, {
      name: everywhere,
      description: 'A flag',
      cc_list: '',
      sort_key: 3,
      is_active: true,
      is_requestable: true,
      is_requesteeble: true,
      is_multiplicable: true,
      grant_group: group.id,
      request_group: editbugs,
    })
    const { id: __, ...copied } = of('UI').attachment.find((it) => it.name === notDocs)
    assert.deepEqual(copied, {
      name: notDocs,
      description: 'A flag',
      cc_list: 'a@example.com, b@example.com',
      sort_key: 1,
      is_active: true,
      is_requestable: false,
      is_requesteeble: false,
      is_multiplicable: false,
      grant_group: null,
      request_group: null,
    })
  })

  it('returns the requested fields, and no others', async () => {
    const { id, name } = await newProduct(world, ['Core', 'UI'])
    const fields = async (query: string) => (await read(world, `/${name}?${query}`))[0]
    assert.deepEqual(await fields('include_fields=id,name'), { id, name })
    assert.deepEqual(await fields('include_fields=name,components.name,versions.name,milestones.name'), {
      name,
      components: [{ name: 'Core' }, { name: 'UI' }],
      versions: [{ name: '1.0' }],
      milestones: [{ name: '---' }],
    })
    assert.deepEqual(await fields('include_fields=components.nothing'), { components: [{}, {}] })
    assert.deepEqual(await fields('include_fields=nothing'), {})
    assert.deepEqual(await fields('include_fields=default_version'), { default_version: '1.0' })
    assert.equal('default_version' in (await fields('')), false)
    const excluded = await fields('include_fields=name,components&exclude_fields=components.flag_types,components.id')
    assert.deepEqual(Object.keys(excluded.components[0]).sort(), [
      'default_assigned_to',
      'default_qa_contact',
      'description',
      'is_active',
      'name',
      'sort_key',
      'triage_owner',
      'triage_rotation',
    ])
    const rest = await fields('exclude_fields=components,versions,milestones,description')
    assert.deepEqual(Object.keys(rest).sort(), [
      'classification',
      'default_milestone',
      'has_unconfirmed',
      'id',
      'is_active',
      'name',
    ])
  })

  itOnOneEngine(
    world,
    'makes as many queries for many components as for few, and none for fields that are not selected',
    async () => {
      const few = await newProduct(world, ['A', 'B'])
      const many = await newProduct(
        world,
        Array.from({ length: 40 }, (_, index) => `C${index}`),
      )
      const cost = (query: ProductQuery) => countQueries(world, () => read(world, query))
      const whole = await cost(`/${few.name}`)
      assert.equal(await cost(`/${many.name}`), whole)
      assert.equal(await cost(`?ids=${few.id}&ids=${many.id}`), whole)
      const withoutFlags = await cost(`/${many.name}?exclude_fields=components.flag_types`)
      const withoutComponents = await cost(`/${many.name}?exclude_fields=components`)
      const onlyName = await cost(`/${many.name}?include_fields=name`)
      assert.deepEqual([whole - withoutFlags, whole - withoutComponents, whole - onlyName], [1, 2, 4])
    },
  )

  it('returns many components as they are now, whatever was answered before', async () => {
    const { name } = await newProduct(world, [])
    const person = await world.newUser()
    const components = Array.from({ length: 900 }, (_, index) => ({
      product_id: 0,
      name: `C${index}`,
      name_key: `c${index}`,
      description: 'One of many: '.padEnd(120, '.'),
      default_assignee_id: person.id,
      default_qa_contact_id: null,
      is_active: 1 as const,
    }))
    const [{ id: product_id }] = await read(world, `/${name}?include_fields=id`)
    await world.db.query((q) => q.insertInto('components').values(components.map((it) => ({ ...it, product_id }))))
    const first = async (client = world.ada) => {
      const [product] = await read(world, `/${name}`, client)
      assert.equal(product.components.length, 900)
      return product.components[0]
    }
    assert.equal((await first()).default_assigned_to, person.login)
    const again = await world.ada.get(`/rest/product/${name}`)
    const etag = again.headers.get('etag') ?? ''
    assert.equal((await world.ada.get(`/rest/product/${name}`, { 'If-None-Match': etag })).status, 304)
    await world.withParameters({ webservice_email_filter: 1 }, async () => {
      assert.equal((await first(world.nobody)).default_assigned_to, person.login.split('@')[0])
      assert.equal((await first()).default_assigned_to, person.login)
    })
    const renamed = `renamed.${person.login}`
    await world.ada.put(`/rest/user/${person.id}`, { email: renamed })
    assert.equal((await first()).default_assigned_to, renamed)
    await world.ada.put(`/rest/component/${name}/C0`, { description: 'Another' })
    assert.equal((await first()).description, 'Another')
    const type = { name: world.unique('flag'), description: 'd', inclusions: [name] }
    await world.ada.post('/rest/flag_type', type)
    assert.deepEqual(namesOf((await first()).flag_types.bug).includes(type.name), true)
    assert.notEqual((await world.ada.get(`/rest/product/${name}`)).headers.get('etag'), etag)
    await setControl(world, name, 'security', { membercontrol: 3, othercontrol: 3, entry: true })
    assert.equal((await first(world.sven)).name, 'C0')
    assert.deepEqual(await read(world, `/${name}`, world.stan), [])
    const page = await world.ada.get(`/rest/product/${name}`, { Accept: 'text/html' })
    assert.ok(page.text.includes('C899'))
    const script = await world.ada.get(`/rest/product/${name}?callback=show`)
    assert.ok(script.text.startsWith('/**/show({"products":['))
  })

  it('cuts addresses at the @ for anonymous callers while webservice_email_filter is on', async () => {
    const { name } = await newProduct(world, [])
    const people = { default_assignee: cast.edna.login, default_qa_contact: cast.sven.login }
    await world.ada.post('/rest/component', { product: name, name: 'C', description: 'd', ...people })
    const shown = async (client = world.nobody) => {
      const [product] = await read(world, `/${name}`, client)
      return [product.components[0].default_assigned_to, product.components[0].default_qa_contact]
    }
    assert.deepEqual(await shown(), [cast.edna.login, cast.sven.login])
    await world.withParameters({ webservice_email_filter: 1 }, async () => {
      assert.deepEqual(await shown(), ['edna', 'sven'])
      assert.deepEqual(await shown(world.stan), [cast.edna.login, cast.sven.login])
    })
  })

  itOnOneEngine(world, 'takes odd input for what it is', async () => {
    for (const query of ['names=%00', 'include_fields=%00'])
      assertRefused(await world.ada.get(`/rest/product?${query}`), 400, 53)
    for (const query of ["names='%20or%201=1--", 'names=%25', 'ids=1%20or%201=1', `names=${'x'.repeat(5000)}`])
      assert.deepEqual(await read(world, `?${query}`), [], query)
    const many = Array.from({ length: 2000 }, (_, id) => `ids=${id + 1}`).join('&')
    assert.ok((await world.ada.get(`/rest/product?${many}&include_fields=id`)).status < 500)
  })
})

const NEW = { description: 'A new product', version: '1.0' }

describeTogether('POST /rest/product', (world) => {
  it('creates a product with every default', async () => {
    const name = world.unique('Made')
    const { status, body } = await world.ada.post('/rest/product', { name, ...NEW })
    assert.equal(status, 201)
    const [product] = await read(world, `/${body.id}?include_fields=_all&exclude_fields=filing`)
    const withoutId = ({ id: _, ...part }: { id: number }) => part
    const [versions, milestones] = [product.versions.map(withoutId), product.milestones.map(withoutId)]
    assert.deepEqual(
      { ...product, versions, milestones },
      {
        id: body.id,
        name,
        description: 'A new product',
        bug_template: '',
        votesperuser: 0,
        maxvotesperbug: 1,
        votestoconfirm: 0,
        is_active: true,
        has_unconfirmed: true,
        classification: 'Unclassified',
        default_milestone: '---',
        default_version: '1.0',
        components: [],
        versions: [{ name: '1.0', sort_key: 0, is_active: true }],
        milestones: [{ name: '---', sort_key: 0, is_active: true }],
      },
    )
  })

  itOnOneEngine(world, 'creates a product with all parameters', async () => {
    const wanted = {
      name: `  ${world.unique('Made')}  `,
      description: ' A <b>bold</b> one ',
      version: ' 0.1 ',
      has_unconfirmed: false,
      is_open: false,
      default_milestone: ' M1 ',
      nonsense: 1,
    }
    const { status, body } = await world.ada.post('/rest/product', wanted)
    assert.equal(status, 201)
    const [product] = await read(world, `/${body.id}`)
    assert.deepEqual(
      [product.name, product.description, product.has_unconfirmed, product.is_active, product.default_milestone],
      [wanted.name.trim(), 'A <b>bold</b> one', false, false, 'M1'],
    )
    assert.deepEqual([namesOf(product.versions), namesOf(product.milestones)], [['0.1'], ['M1']])
  })

  itOnOneEngine(world, 'is for members of editcomponents, everywhere', async () => {
    const { name } = await newProduct(world)
    const perProduct = await newAdministratorOf(world, name)
    const wanted = () => ({ name: world.unique('Made'), ...NEW })
    assertRefused(await world.nobody.post('/rest/product', wanted()), 401, 410)
    for (const client of [world.stan, world.edna, world.greta, world.uma, perProduct.client])
      assertRefused(await client.post('/rest/product', wanted()), 401, 304)
    const editor = await newMember(world, 'editcomponents')
    assert.equal((await editor.client.post('/rest/product', wanted())).status, 201)
  })

  itOnOneEngine(world, 'refuses with the numbers of the table, and changes nothing', async () => {
    const { name } = await newProduct(world)
    const before = await allProducts(world)
    const cases: [body: Record<string, unknown>, code: number][] = [
      [{ ...NEW }, 700],
      [{ ...NEW, name: '  ' }, 700],
      [{ ...NEW, name: null }, 700],
      [{ ...NEW, name: 'x'.repeat(65) }, 701],
      [{ ...NEW, name }, 702],
      [{ ...NEW, name: ` ${name.toUpperCase()} ` }, 702],
      [{ ...NEW, name: 'two\nlines' }, 53],
      [{ ...NEW, name: ['a', 'b'] }, 53],
      [{ ...NEW, name: { a: 1 } }, 53],
      [{ ...NEW, name: 'a\u0000b' }, 53],
      [{ ...NEW, name: 'X', description: '' }, 703],
      [{ name: 'X', version: '1' }, 703],
      [{ ...NEW, name: 'X', description: 'x'.repeat(10_001) }, 53],
      [{ ...NEW, name: 'X', bug_template: 'x'.repeat(65_536) }, 53],
      [{ ...NEW, name: 'X', bug_template: ['x'] }, 53],
      [{ name: 'X', description: 'd' }, 704],
      [{ name: 'X', description: 'd', version: ' ' }, 704],
      [{ ...NEW, name: 'X', version: 'x'.repeat(65) }, 53],
      [{ ...NEW, name: 'X', default_milestone: 'x'.repeat(65) }, 53],
      [{ ...NEW, name: 'X', has_unconfirmed: 'perhaps' }, 53],
      [{ ...NEW, name: 'X', is_open: [] }, 53],
    ]
    for (const [body, code] of cases) {
      const reply = await world.ada.post('/rest/product', body)
      assert.equal(reply.body.code, code, `${JSON.stringify(body)}: ${reply.text}`)
      assert.equal(reply.status, 400)
    }
    assert.deepEqual(await allProducts(world), before)
  })

  itOnOneEngine(world, 'takes names of 64 characters, and of any alphabet', async () => {
    const name = `Ünïcode ☃ ${world.unique('x')}`.padEnd(64, 'x')
    assert.equal((await world.ada.post('/rest/product', { ...NEW, name })).status, 201)
    assert.deepEqual(namesOf(await read(world, `?names=${encodeURIComponent(name.toUpperCase())}`)), [name])
    assertRefused(await world.ada.post('/rest/product', { ...NEW, name: name.toLowerCase() }), 400, 702)
  })

  itOnOneEngine(
    world,
    'ignores the classification while classifications are off, and asks for one that exists while they are on',
    async () => {
      const classification = world.unique('Class')
      await world.ada.post('/rest/classification', { name: classification })
      const make = async (more: object) => {
        const { body, status, text } = await world.ada.post('/rest/product', {
          ...NEW,
          name: world.unique('P'),
          ...more,
        })
        if (status !== 201) return body.code
        assert.ok(body.id, text)
        return (await read(world, `/${body.id}`))[0].classification
      }
      assert.equal(await make({ classification }), 'Unclassified')
      assert.equal(await make({ classification: 'NoSuch' }), 'Unclassified')
      await world.withParameters({ useclassification: 1 }, async () => {
        assert.equal(await make({ classification: classification.toUpperCase() }), classification)
        assert.equal(await make({ classification: '' }), 'Unclassified')
        assert.equal(await make({}), 'Unclassified')
        assert.equal(await make({ classification: 'NoSuch' }), 51)
      })
    },
  )

  it('takes the first milestone also while the pages hide milestones', async () => {
    await world.withParameters({ usetargetmilestone: 0 }, async () => {
      const wanted = { ...NEW, name: world.unique('P'), default_milestone: 'M1' }
      const { body } = await world.ada.post('/rest/product', wanted)
      const [product] = await read(world, `/${body.id}`)
      assert.deepEqual([product.default_milestone, namesOf(product.milestones)], ['M1', ['M1']])
    })
  })

  it('creates series for every status, every resolution and all open bugs, unless create_series is off', async () => {
    const seriesOf = (id: number) =>
      world.db.query((q) => q.selectFrom('series').selectAll().where('product_id', '=', id).orderBy('id'))
    const name = world.unique('P')
    const { id } = (await world.ada.post('/rest/product', { ...NEW, name })).body
    const made = await seriesOf(id)
    assert.deepEqual(
      made.map((series) => [series.name, series.query]),
      [
        ['UNCONFIRMED', 'status=UNCONFIRMED'],
        ['CONFIRMED', 'status=CONFIRMED'],
        ['IN_PROGRESS', 'status=IN_PROGRESS'],
        ['RESOLVED', 'status=RESOLVED'],
        ['VERIFIED', 'status=VERIFIED'],
        ['FIXED', 'resolution=FIXED'],
        ['INVALID', 'resolution=INVALID'],
        ['WONTFIX', 'resolution=WONTFIX'],
        ['DUPLICATE', 'resolution=DUPLICATE'],
        ['WORKSFORME', 'resolution=WORKSFORME'],
        ['All Open', 'status=__open__'],
      ],
    )
    assert.ok(made.every((series) => series.category === name && series.subcategory === '-All-'))
    const silent = (await world.ada.post('/rest/product', { ...NEW, name: world.unique('P'), create_series: false }))
      .body
    assert.deepEqual(await seriesOf(silent.id), [])
    await world.ada.put(`/rest/product/${id}`, { name: `${name} II` })
    assert.ok((await seriesOf(id)).every((series) => series.category === `${name} II`))
    await world.ada.put('/rest/field/bug/bug_status/values/VERIFIED', { name: 'SEEN & DONE' })
    const renamed = (await seriesOf(id)).map((series) => [series.name, series.query])
    await world.ada.put('/rest/field/bug/bug_status/values/SEEN%20%26%20DONE', { name: 'VERIFIED' })
    assert.deepEqual(renamed[4], ['SEEN & DONE', 'status=SEEN+%26+DONE'])
    assert.deepEqual((await seriesOf(id))[4]?.query, 'status=VERIFIED')
  })

  itOnOneEngine(
    world,
    'makes a group of its name while makeproductgroups is on, into which members put bugs by default',
    async () => {
      await world.withParameters({ makeproductgroups: 1 }, async () => {
        const name = world.unique('Grouped')
        await world.ada.post('/rest/group', { name, description: 'In the way' })
        assert.equal((await world.ada.post('/rest/product', { ...NEW, name })).status, 201)
        const { body } = await world.ada.get(`/rest/product/${name}/group_control`)
        assert.deepEqual(
          body.group_controls.map(({ id: _, ...control }) => control),
          [
            {
              name: `${name}_`,
              entry: false,
              membercontrol: 'Default',
              othercontrol: 'NA',
              canedit: false,
              editcomponents: false,
              editbugs: false,
              canconfirm: false,
            },
          ],
        )
        const group = (await world.ada.get(`/rest/group/${name}_`)).body.groups[0]
        assert.deepEqual([group.is_bug_group, group.is_active], [1, 1])
        const digits = String(800_000 + Number(world.unique('').replace(/\D/g, '')))
        assert.equal((await world.ada.post('/rest/product', { ...NEW, name: digits })).status, 201)
        assert.equal((await world.ada.get(`/rest/group/${digits}_`)).status, 200)
      })
    },
  )

  itOnOneEngine(world, 'is in the audit log', async () => {
    const name = world.unique('Audited')
    const { id } = (await world.ada.post('/rest/product', { ...NEW, name })).body
    await world.ada.put(`/rest/product/${id}`, { description: 'Other' })
    await world.ada.delete(`/rest/product/${id}`)
    const { body } = await world.ada.get(`/rest/audit?class=Tracker::Product&id=${id}`)
    assert.deepEqual(
      body.audit.map(({ field, removed, added, who }) => [who, field, removed, added]),
      [
        [cast.ada.login, '__remove__', name, ''],
        [cast.ada.login, 'description', 'A new product', 'Other'],
        [cast.ada.login, '__create__', '', name],
      ],
    )
  })
})

describeTogether.onOneEngine('PUT /rest/product/(id or name)', (world) => {
  it('changes everything that it takes, and returns the changes', async () => {
    const { id, name } = await newProduct(world)
    await world.ada.post(`/rest/product/${name}/milestone`, { name: 'M1' })
    await world.ada.post(`/rest/product/${name}/version`, { name: '2.0' })
    const classification = world.unique('Class')
    await world.ada.post('/rest/classification', { name: classification })
    const renamed = world.unique('Renamed')
    const wanted = {
      name: ` ${renamed} `,
      description: 'Better',
      bug_template: 'Steps:',
      default_milestone: 'm1',
      default_version: '2.0',
      has_unconfirmed: false,
      is_open: 0,
      classification: classification.toLowerCase(),
    }
    const { status, body } = await world.ada.put(`/rest/product/${name}`, wanted)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      products: [
        {
          id,
          changes: {
            name: { removed: name, added: renamed },
            description: { removed: 'For a test', added: 'Better' },
            bug_template: { removed: '', added: 'Steps:' },
            default_milestone: { removed: '---', added: 'M1' },
            default_version: { removed: '1.0', added: '2.0' },
            has_unconfirmed: { removed: '1', added: '0' },
            is_open: { removed: '1', added: '0' },
            classification: { removed: 'Unclassified', added: classification },
          },
        },
      ],
    })
    const [product] = await read(
      world,
      `/${id}?include_fields=_all&exclude_fields=components,versions,milestones,filing`,
    )
    assert.deepEqual(product, {
      id,
      name: renamed,
      description: 'Better',
      bug_template: 'Steps:',
      votesperuser: 0,
      maxvotesperbug: 1,
      votestoconfirm: 0,
      default_milestone: 'M1',
      default_version: '2.0',
      has_unconfirmed: false,
      is_active: false,
      classification,
    })
    const again = await world.ada.put(`/rest/product/${id}`, { ...wanted, name: renamed })
    assert.deepEqual(again.body, { products: [{ id, changes: {} }] })
    assert.deepEqual(await read(world, `/${name}`), [])
  })

  it('lets a product change the case of its own name', async () => {
    const { id, name } = await newProduct(world)
    const { body } = await world.ada.put(`/rest/product/${name}`, { name: name.toUpperCase() })
    assert.deepEqual(body.products, [{ id, changes: { name: { removed: name, added: name.toUpperCase() } } }])
  })

  it('changes several products alike, each once, in the order they are named', async () => {
    const [one, two, three] = [await newProduct(world), await newProduct(world), await newProduct(world)]
    const { body } = await world.ada.put(`/rest/product/${two.name}`, {
      ids: [one.id, two.id],
      names: [three.name, one.name.toUpperCase()],
      description: 'Alike',
    })
    assert.deepEqual(
      body.products.map((product) => product.id),
      [two.id, one.id, three.id],
    )
    const products = await read(world, `?ids=${one.id}&ids=${two.id}&ids=${three.id}`)
    assert.ok(products.every(({ description }) => description === 'Alike'))
  })

  it('changes none of several products when one refuses', async () => {
    const [one, two] = [await newProduct(world), await newProduct(world)]
    await world.ada.post(`/rest/product/${one.name}/milestone`, { name: 'M1' })
    const before = await allProducts(world)
    const path = `/rest/product/${one.name}` as const
    const refusals: [body: object, status: number, code: number][] = [
      [{ ids: [two.id], default_milestone: 'M1', description: 'x' }, 400, 705],
      [{ ids: [999_999], description: 'x' }, 401, 106],
      [{ names: ['NoSuch'], description: 'x' }, 401, 106],
      [{ ids: [two.id], name: 'Both' }, 400, 32000],
      [{ ids: ['two'], description: 'x' }, 400, 52],
    ]
    for (const [body, status, code] of refusals) assertRefused(await world.ada.put(path, body), status, code)
    assert.deepEqual(await allProducts(world), before)
  })

  itOnOneEngine(world, 'refuses with the numbers of the table, and changes nothing', async () => {
    const { name } = await newProduct(world)
    const other = await newProduct(world)
    await world.ada.post(`/rest/product/${name}/milestone`, { name: 'Off', is_active: false })
    await world.ada.post(`/rest/product/${name}/version`, { name: 'Off', is_active: false })
    await world.ada.post(`/rest/product/${other.name}/milestone`, { name: 'Theirs' })
    const before = await allProducts(world)
    const cases: [body: object, code: number][] = [
      [{ name: '' }, 700],
      [{ name: 'x'.repeat(65) }, 701],
      [{ name: other.name.toUpperCase() }, 702],
      [{ description: '  ' }, 703],
      [{ bug_template: '😀'.repeat(65_536) }, 53],
      [{ default_milestone: 'never' }, 705],
      [{ default_milestone: 'Theirs' }, 705],
      [{ default_milestone: 'Off' }, 705],
      [{ default_version: 'never' }, 706],
      [{ default_version: 'Off' }, 706],
      [{ classification: 'NoSuch' }, 51],
      [{ is_open: 'perhaps' }, 53],
      [{ shoe_size: 44 }, 32601],
      [{ version: '2' }, 32601],
      [{ id: 7 }, 32601],
    ]
    for (const [body, code] of cases) {
      const reply = await world.ada.put(`/rest/product/${name}`, { description: 'x', ...body })
      assert.equal(reply.body.code, code, `${JSON.stringify(body)}: ${reply.text}`)
    }
    assert.deepEqual(await allProducts(world), before)
  })

  it('is for members of editcomponents, everywhere', async () => {
    const { name } = await newProduct(world)
    const perProduct = await newAdministratorOf(world, name)
    const change = { description: 'x' }
    assertRefused(await world.nobody.put(`/rest/product/${name}`, change), 401, 410)
    for (const client of [world.stan, world.edna, world.greta, perProduct.client]) {
      assertRefused(await client.put(`/rest/product/${name}`, change), 401, 304)
      assertRefused(await client.put('/rest/product/NoSuch', change), 401, 304)
    }
    const editor = await newMember(world, 'editcomponents')
    assert.equal((await editor.client.put(`/rest/product/${name}`, change)).status, 200)
  })

  it('treats a hidden product like one that does not exist', async () => {
    const hidden = await newHiddenProduct(world)
    const editor = await newMember(world, 'editcomponents')
    const words = (reply: { text: string }, ref: string) => reply.text.replaceAll(ref, '…')
    for (const [method, body] of [
      ['PUT', { description: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const missing = await editor.client.send(method, '/rest/product/NoSuch', body)
      const unseen = await editor.client.send(method, `/rest/product/${hidden.name}`, body)
      assertRefused(missing, 401, 106)
      assertRefused(unseen, 401, 106)
      assert.equal(words(unseen, hidden.name), words(missing, 'NoSuch'))
    }
    assert.equal((await read(world, `/${hidden.name}`))[0].description, 'For a test')
  })
})

describeTogether('DELETE /rest/product/(id or name)', (world) => {
  it('deletes a product with all that is in it', async () => {
    const { id, name } = await newProduct(world, ['Core', 'UI'])
    await setControl(world, name, 'security', { membercontrol: 'Shown' })
    await world.ada.post('/rest/flag_type', {
      name: world.unique('flag'),
      description: 'd',
      inclusions: { [name]: ['UI'] },
    })
    const { status, body } = await world.ada.delete(`/rest/product/${name}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { id, name })
    assert.deepEqual(await read(world, `/${id}`), [])
    const tables = ['components', 'versions', 'milestones', 'group_controls', 'series', 'flag_type_scopes'] as const
    for (const table of tables) {
      const left = await world.db.query((q) => q.selectFrom(table).select('product_id').where('product_id', '=', id))
      assert.deepEqual(left, [], table)
    }
    assertRefused(await world.ada.delete(`/rest/product/${name}`), 401, 106)
    assert.equal((await world.ada.post('/rest/product', { ...NEW, name })).status, 201)
  })

  itOnOneEngine(world, 'is for members of editcomponents, everywhere', async () => {
    const { name } = await newProduct(world)
    const perProduct = await newAdministratorOf(world, name)
    assertRefused(await world.nobody.delete(`/rest/product/${name}`), 401, 410)
    for (const client of [world.stan, world.edna, perProduct.client])
      assertRefused(await client.delete(`/rest/product/${name}`), 401, 304)
    assert.equal((await read(world, `/${name}`)).length, 1)
  })

  it('refuses while the product has bugs, unless allowbugdeletion is on: then no bug refers to them any more', async () => {
    const { name } = await newProduct(world)
    const doomed = await insertBug(world, { product: name, component: 'Core', groups: ['security'] })
    const other = await insertBug(world, { product: 'TestProduct', component: 'TestComponent', dupe_of: doomed })
    const field = `cf_ref_${world.unique('x')}`
    await world.ada.post('/rest/field/bug', { name: field, type: 6, display_name: 'Refers to' })
    const [{ id: field_id }] = (await world.db.query((q) =>
      q.selectFrom('fields').select('id').where('name', '=', field),
    )) as [{ id: number }]
    await world.db.query((q) =>
      q.insertInto('bug_custom_values').values({ bug_id: other, field_id, text_value: null, number_value: doomed }),
    )
    assertRefused(await world.ada.delete(`/rest/product/${name}`), 400, 32000)
    assert.equal((await readBugRow(world, doomed))?.product, name)
    await world.withParameters({ allowbugdeletion: 1 }, async () => {
      assert.equal((await world.ada.delete(`/rest/product/${name}`)).status, 200)
    })
    assert.equal(await readBugRow(world, doomed), undefined)
    assert.equal((await readBugRow(world, other))?.dupe_of_id, null)
    const references = await world.db.query((q) =>
      q.selectFrom('bug_custom_values').select('id').where('field_id', '=', field_id),
    )
    assert.deepEqual(references, [])
  })

  it('refuses while a field is shown because of the product or of one of its components', async () => {
    const { name } = await newProduct(world, ['Core', 'UI'])
    const field = `cf_${world.unique('shown')}`
    const made = await world.ada.post('/rest/field/bug', {
      name: field,
      type: 1,
      display_name: 'Shown',
      visibility_field: 'product',
      visibility_values: [name],
    })
    assert.equal(made.status, 201, made.text)
    assertRefused(await world.ada.delete(`/rest/product/${name}`), 400, 32000)
    await world.ada.put(`/rest/field/bug/${field}`, { visibility_field: '' })
    assert.equal((await world.ada.delete(`/rest/product/${name}`)).status, 200)
  })
})

describeTogether('two administrators at once', (world) => {
  it('cannot both make a product of one name', async () => {
    const name = world.unique('Twice')
    const replies = await Promise.all([
      world.ada.post('/rest/product', { ...NEW, name }),
      world.ada.post('/rest/product', { ...NEW, name: name.toUpperCase() }),
      world.ada.post('/rest/product', { ...NEW, name: ` ${name}` }),
    ])
    assert.deepEqual(outcomesOf(replies), [702, 702, 'done'])
    assert.equal((await read(world, `?names=${name}`)).length, 1)
  })

  itOnPostgres(world, 'lose no rename: each response has the name that it really replaced', async () => {
    const { id, name } = await newProduct(world)
    const names = Array.from({ length: 6 }, (_, index) => `${name} ${index}`)
    const replies = await Promise.all(names.map((it) => world.ada.put(`/rest/product/${id}`, { name: it })))
    const changes = replies.map(({ body }) => sure(body.products[0].changes.name))
    const steps = new Map(changes.map(({ removed, added }) => [removed, added]))
    let last = name
    for (let step = 0; step < names.length; step++) last = sure(steps.get(last))
    assert.equal(steps.size, names.length)
    assert.deepEqual(namesOf(await read(world, `/${id}`)), [last])
  })

  itOnPostgres(world, 'cannot both give one name to two products', async () => {
    const [one, two] = [await newProduct(world), await newProduct(world)]
    const name = world.unique('Wanted')
    const replies = await Promise.all([
      world.ada.put(`/rest/product/${one.name}`, { name }),
      world.ada.put(`/rest/product/${two.name}`, { name }),
    ])
    assert.deepEqual(outcomesOf(replies), [702, 'done'])
    assert.equal((await read(world, `?ids=${one.id}&ids=${two.id}`)).filter((it) => it.name === name).length, 1)
  })

  itOnPostgres(world, 'cannot both delete a product, nor change one that is gone', async () => {
    const { id, name } = await newProduct(world)
    const [first, second, changed] = await Promise.all([
      world.ada.delete(`/rest/product/${id}`),
      world.ada.delete(`/rest/product/${name}`),
      world.ada.put(`/rest/product/${id}`, { description: 'Other' }),
    ])
    assert.deepEqual(outcomesOf([first, second]), [106, 'done'])
    assert.ok(changed.status === 200 || changed.body.code === 106, changed.text)
    assert.deepEqual(await read(world, `/${id}`), [])
  })

  itOnPostgres(world, 'leave nothing behind in a product that is deleted while it is filled', async () => {
    const { id, name } = await newProduct(world)
    const part = { product: name, description: 'd', default_assignee: cast.ada.login }
    const replies = await Promise.all([
      world.ada.post('/rest/component', { ...part, name: 'Late' }),
      world.ada.delete(`/rest/product/${name}`),
      world.ada.post(`/rest/product/${name}/version`, { name: 'late' }),
      world.ada.post(`/rest/product/${name}/milestone`, { name: 'late' }),
      world.ada.put(`/rest/product/${name}/group_control/security`, { membercontrol: 'Shown' }),
    ])
    for (const { status, body, text } of replies) assert.ok(status < 300 || body.code === 106, text)
    for (const table of ['components', 'versions', 'milestones', 'group_controls'] as const) {
      const left = await world.db.query((q) => q.selectFrom(table).select('product_id').where('product_id', '=', id))
      assert.deepEqual(left, [], table)
    }
  })
})
