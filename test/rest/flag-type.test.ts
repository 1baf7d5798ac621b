import assert from 'node:assert/strict'
import { it } from 'node:test'
import { timeNow } from '../../src/platform/time/clock.ts'
import { insertBug, readBugRow } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { newAdministratorOf, newMember, setControl } from '../support/new-member.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import type { SureList } from '../support/sure-list.ts'
import { itOnce, itOnOneEngine, type Reply, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

/** A product with the components Core and UI, for one test. */
async function newProduct(world: World, name = world.unique('Product'), components = ['Core', 'UI']) {
  const made = await world.ada.post('/rest/product', { name, description: 'To be flagged', version: '1.0' })
  assert.equal(made.status, 201, made.text)
  for (const component of components) {
    const part = { product: name, name: component, description: 'A part', default_assignee: cast.ada.login }
    assert.equal((await world.ada.post('/rest/component', part)).status, 201)
  }
  return name
}

/** A product that only members of its group see. */
async function newHiddenProduct(world: World) {
  const name = await newProduct(world)
  const group = await world.newGroup()
  await setControl(world, name, group.name, { entry: true, membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
  return { name, group: group.name }
}

async function newType(world: World, more: Record<string, unknown> = {}): Promise<{ id: number; name: string }> {
  const name = (more.name as string) ?? world.unique('flag')
  const { status, body, text } = await world.ada.post('/rest/flag_type', { name, description: 'A flag', ...more })
  assert.equal(status, 201, text)
  return { id: body.id, name }
}

/** All that is stored of a flag type. */
async function stored(world: World, id: number) {
  const { status, body, text } = await world.ada.get(`/rest/flag_type?ids=${id}`)
  assert.equal(status, 200, text)
  return body.flagtypes[0]
}

async function countTypes(world: World) {
  return (await world.db.query((q) => q.selectFrom('flag_types').select('id'))).length
}

function named<Item extends { name: string }>(list: SureList<Item>, name: string) {
  return list.find((type) => type.name === name)
}

describeTogether.onOneEngine('GET /rest/flag_type/(product)', (world) => {
  it('returns the flag types of the product to every caller', async () => {
    const product = await newProduct(world)
    const bug = await newType(world, { inclusions: [product], is_multiplicable: false, sortkey: 5 })
    const attachment = await newType(world, {
      inclusions: [product],
      target_type: 'attachment',
      is_specifically_requestable: false,
      is_active: false,
    })
    const { status, body } = await world.nobody.get(`/rest/flag_type/${product}`)
    assert.equal(status, 200)
    assert.deepEqual(named(body.bug, bug.name), {
      id: bug.id,
      name: bug.name,
      type: 'bug',
      description: 'A flag',
      values: ['X', '?', '+', '-'],
      is_active: true,
      is_requesteeble: true,
      is_multiplicable: false,
      is_question: false,
    })
    assert.deepEqual(named(body.attachment, attachment.name), {
      id: attachment.id,
      name: attachment.name,
      type: 'attachment',
      description: 'A flag',
      values: ['X', '?', '+', '-'],
      is_active: false,
      is_requesteeble: false,
      is_multiplicable: true,
      is_question: false,
    })
    assert.equal(named(body.attachment, bug.name), undefined)
  })

  it('sorts by sort key, then by name without regard to case', async () => {
    const product = await newProduct(world)
    const make = (name: string, sortkey: number) => newType(world, { name, sortkey, inclusions: [product] })
    const [d, b, C, a] = ['d', 'b', 'C', 'a'].map((message) => `${message}${product}`) as [
      string,
      string,
      string,
      string,
    ]
    await make(d, 1)
    await make(b, 2)
    await make(C, 2)
    await make(a, 3)
    const { body } = await world.nobody.get(`/rest/flag_type/${product}?include_fields=name`)
    const own = body.bug.map((type) => type.name).filter((name: string) => name.endsWith(product))
    assert.deepEqual(own, [d, b, C, a])
  })

  it('shows each caller the values that they can set', async () => {
    const product = await newProduct(world)
    const granters = await world.newGroup()
    const askers = await world.newGroup()
    const open = await newType(world, { inclusions: [product] })
    const unaskable = await newType(world, { inclusions: [product], is_requestable: false })
    const granted = await newType(world, { inclusions: [product], grant_group: granters.name })
    const both = await newType(world, {
      inclusions: [product],
      grant_group: granters.name,
      request_group: askers.name,
    })
    const onlyAsked = await newType(world, { inclusions: [product], request_group: askers.name })
    const people = {
      nobody: world.nobody,
      otherUser: (await newMember(world)).client,
      asker: (await newMember(world, askers.name)).client,
      granter: (await newMember(world, granters.name)).client,
    }
    const expected = {
      nobody: ['X?+-', 'X+-', 'X?', 'X', 'X?+-'],
      otherUser: ['X?+-', 'X+-', 'X?', 'X', 'X?+-'],
      asker: ['X?+-', 'X+-', 'X?', 'X?', 'X?+-'],
      granter: ['X?+-', 'X+-', 'X?+-', 'X?+-', 'X?+-'],
    }
    for (const [who, client] of Object.entries(people)) {
      const { body } = await client.get(`/rest/flag_type/${product}`)
      const values = [open, unaskable, granted, both, onlyAsked].map((it) => named(body.bug, it.name).values.join(''))
      assert.deepEqual(values, expected[who as keyof typeof expected], who)
    }
  })

  it('lists components only when the flag type is limited to some, or kept out of some', async () => {
    const product = await newProduct(world, undefined, ['Core', 'UI', 'Docs'])
    const other = await newProduct(world)
    const whole = await newType(world, { inclusions: [product] })
    const some = await newType(world, { inclusions: [{ [product]: ['UI', 'Docs'] }, other] })
    const notAll = await newType(world, { exclusions: [{ [product]: ['UI'] }, { [other]: ['Core'] }] })
    const { body } = await world.nobody.get(`/rest/flag_type/${product}`)
    assert.deepEqual(Object.keys(named(body.bug, whole.name)).includes('inclusions'), false)
    assert.deepEqual(named(body.bug, some.name).inclusions, ['Docs', 'UI'])
    assert.equal(named(body.bug, some.name).exclusions, undefined)
    assert.deepEqual(named(body.bug, notAll.name).exclusions, ['UI'])
    assert.equal(named(body.bug, notAll.name).inclusions, undefined)
  })

  it('leaves out what is included only elsewhere, or excluded here', async () => {
    const product = await newProduct(world)
    const other = await newProduct(world)
    const elsewhere = await newType(world, { inclusions: [other] })
    const excluded = await newType(world, { exclusions: [product] })
    const cancelled = await newType(world, {
      inclusions: [{ [product]: ['UI'] }],
      exclusions: [{ [product]: ['UI'] }],
    })
    const { body } = await world.nobody.get(`/rest/flag_type/${product}`)
    for (const { name } of [elsewhere, excluded, cancelled]) assert.equal(named(body.bug, name), undefined)
  })

  it('takes a product by name in any letter case, with a slash written as %2F, and never by id', async () => {
    const name = await newProduct(world, `${world.unique('Server')}/API`)
    const type = await newType(world, { inclusions: [name] })
    const { status, body } = await world.nobody.get(`/rest/flag_type/${encodeURIComponent(name.toUpperCase())}`)
    assert.equal(status, 200)
    assert.ok(named(body.bug, type.name))
    const { body: found } = await world.ada.get(`/rest/product?names=${encodeURIComponent(name)}`)
    assertRefused(await world.nobody.get(`/rest/flag_type/${found.products[0].id}`), 401, 106)
  })

  it('takes digits for a name when a product is called that', async () => {
    const type = await newType(world, { inclusions: [await newProduct(world, '4711')] })
    const { body } = await world.nobody.get('/rest/flag_type/4711')
    assert.ok(named(body.bug, type.name))
  })

  it('returns 106 for a hidden product and for one that does not exist, in the same words', async () => {
    const hidden = await newHiddenProduct(world)
    const missing = hidden.name.replace('Product', 'Missing')
    for (const client of [world.nobody, world.stan]) {
      const one = await client.get(`/rest/flag_type/${hidden.name}`)
      const other = await client.get(`/rest/flag_type/${missing}`)
      assertRefused(one, 401, 106)
      assertRefused(other, 401, 106)
      assert.equal(one.body.message.replace(hidden.name, ''), other.body.message.replace(missing, ''))
      assertRefused(await client.get(`/rest/flag_type/${hidden.name}/Core`), 401, 106)
      assertRefused(await client.get(`/rest/flag_type/${hidden.name}/NoSuch`), 401, 106)
    }
    const member = await newMember(world, hidden.group)
    assert.equal((await member.client.get(`/rest/flag_type/${hidden.name}`)).status, 200)
  })

  it('asks the database as often for many flag types as for one, and less for fewer fields', async () => {
    const product = await newProduct(world)
    const few = await newType(world, { inclusions: { [product]: ['UI'] }, exclusions: { [product]: ['Core'] } })
    const read = (more = '') => countQueries(world, () => world.nobody.get(`/rest/flag_type/${product}${more}`))
    const before = await read()
    const names = Array.from({ length: 60 }, (_, index) => `${few.name}-${index}`)
    for (const name of names) await newType(world, { name, inclusions: { [product]: ['UI', 'Core'] } })
    assert.ok((await world.nobody.get(`/rest/flag_type/${product}`)).body.bug.length > 60)
    assert.equal(await read(), before)
    assert.equal(await read('?include_fields=name,values'), before - 1)
  })

  it('returns only the requested fields', async () => {
    const product = await newProduct(world)
    const { name, id } = await newType(world, { inclusions: [{ [product]: ['UI'] }] })
    const { body } = await world.nobody.get(`/rest/flag_type/${product}?include_fields=id,name,inclusions`)
    assert.deepEqual(named(body.bug, name), { id, name, inclusions: ['UI'] })
    const without = await world.nobody.get(`/rest/flag_type/${product}?exclude_fields=inclusions,values`)
    assert.equal(named(without.body.bug, name).inclusions, undefined)
    assert.equal(named(without.body.bug, name).values, undefined)
    assert.equal(named(without.body.bug, name).id, id)
  })
})

describeTogether.onOneEngine('GET /rest/flag_type/(product)/(component)', (world) => {
  it('returns the flag types that apply to that component', async () => {
    const product = await newProduct(world)
    const whole = await newType(world, { inclusions: [product] })
    const ui = await newType(world, { inclusions: [{ [product]: ['UI'] }] })
    const notUi = await newType(world, { exclusions: [{ [product]: ['UI'] }] })
    const names = async (component: string) => {
      const { body } = await world.nobody.get(`/rest/flag_type/${product}/${component}`)
      return [whole, ui, notUi].map(({ name }) => named(body.bug, name) !== undefined)
    }
    assert.deepEqual(await names('UI'), [true, true, false])
    assert.deepEqual(await names('core'), [true, false, true])
  })

  it('takes a component with a slash in its name', async () => {
    const product = await newProduct(world, undefined, ['I/O', '12'])
    const type = await newType(world, { inclusions: { [product]: ['I/O'] } })
    const { body } = await world.nobody.get(`/rest/flag_type/${product}/I%2FO`)
    assert.ok(named(body.bug, type.name))
    assert.equal((await world.nobody.get(`/rest/flag_type/${product}/12`)).status, 200)
  })

  it('returns 51 for a component that the product does not have', async () => {
    const product = await newProduct(world)
    const other = await newProduct(world, undefined, ['Elsewhere'])
    assertRefused(await world.nobody.get(`/rest/flag_type/${product}/NoSuch`), 404, 51)
    assertRefused(await world.nobody.get(`/rest/flag_type/${product}/Elsewhere`), 404, 51)
    assert.equal((await world.nobody.get(`/rest/flag_type/${other}/Elsewhere`)).status, 200)
  })
})

describeTogether.onOneEngine('GET /rest/flag_type', (world) => {
  it('returns all that is stored, in the form that an update takes', async () => {
    const product = await newProduct(world)
    const other = await newProduct(world)
    const group = await world.newGroup()
    const { id, name } = await newType(world, {
      target_type: 'attachment',
      sortkey: 7,
      cc_list: ['a@example.com', 'b@example.com'],
      is_requestable: false,
      grant_group: group.name,
      inclusions: [{ [product]: ['UI'] }, other],
      exclusions: [{ [other]: ['Core'] }],
    })
    const type = await stored(world, id)
    const { id: _, target_type: __, ...same } = type
    assert.deepEqual(type, {
      id,
      name,
      description: 'A flag',
      target_type: 'attachment',
      sortkey: 7,
      is_active: true,
      is_requestable: false,
      is_specifically_requestable: true,
      is_multiplicable: true,
      is_question: false,
      cc_list: ['a@example.com', 'b@example.com'],
      grant_group: group.name,
      request_group: null,
      inclusions: [{ [product]: ['UI'] }, other],
      exclusions: [{ [other]: ['Core'] }],
    })
    const { body } = await world.ada.put(`/rest/flag_type/${id}`, same)
    assert.deepEqual(body.flagtypes, [{ id, name, changes: {} }])
  })

  it('returns no inclusions when the flag type applies everywhere', async () => {
    const type = await stored(world, (await newType(world)).id)
    assert.equal('inclusions' in type, false)
    assert.deepEqual(type.exclusions, [])
  })

  it('finds flag types by id, by name (all with this name) and by target', async () => {
    const name = world.unique('flag')
    const bug = await newType(world, { name })
    const attachment = await newType(world, { name, target_type: 'attachment' })
    const ids = async (query: string) =>
      (await world.ada.get(`/rest/flag_type?${query}&include_fields=id`)).body.flagtypes.map((type) => type.id)
    assert.deepEqual(await ids(`ids=${attachment.id}&ids=${bug.id}&ids=${bug.id}`), [attachment.id, bug.id])
    assert.deepEqual(await ids(`names=${name.toUpperCase()}`), [bug.id, attachment.id])
    assert.deepEqual(await ids('names=nosuchflag'), [])
    const forAttachments = await ids('target_type=attachment')
    assert.ok(forAttachments.includes(attachment.id) && !forAttachments.includes(bug.id))
  })

  it('returns 404 without parameters', async () => {
    assertRefused(await world.ada.get('/rest/flag_type'), 404, 32614)
    assertRefused(await world.nobody.get('/rest/flag_type'), 404, 32614)
  })

  it('refuses those who may not change flag types, unknown ids and odd parameters', async () => {
    const { id } = await newType(world)
    assertRefused(await world.nobody.get(`/rest/flag_type?ids=${id}`), 401, 410)
    assertRefused(await world.stan.get(`/rest/flag_type?ids=${id}`), 401, 304)
    assertRefused(await world.ada.get('/rest/flag_type?ids=99999999'), 404, 51)
    assertRefused(await world.ada.get('/rest/flag_type?ids=99999999999'), 404, 51)
    assertRefused(await world.ada.get('/rest/flag_type?ids=many'), 400, 52)
    assertRefused(await world.ada.get('/rest/flag_type?target_type=person'), 400, 53)
  })

  it('leaves out products that the caller does not see', async () => {
    const hidden = await newHiddenProduct(world)
    const product = await newProduct(world)
    const { id } = await newType(world, { inclusions: [product, hidden.name], exclusions: [{ [hidden.name]: ['UI'] }] })
    const editor = await newMember(world, 'editcomponents')
    const { body } = await editor.client.get(`/rest/flag_type?ids=${id}`)
    assert.deepEqual([body.flagtypes[0].inclusions, body.flagtypes[0].exclusions], [[product], []])
  })
})

describeTogether.onOneEngine('POST /rest/flag_type', (world) => {
  itOnOneEngine(world, 'creates a flag type and returns its id twice', async () => {
    const { status, body } = await world.ada.post('/rest/flag_type', { name: world.unique('flag'), description: 'New' })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['id', 'flag_id'])
    assert.equal(body.id, body.flag_id)
  })

  itOnOneEngine(world, 'ships every default', async () => {
    const { id, name } = await newType(world)
    assert.deepEqual(await stored(world, id), {
      id,
      name,
      description: 'A flag',
      target_type: 'bug',
      sortkey: 1,
      is_active: true,
      is_requestable: true,
      is_specifically_requestable: true,
      is_multiplicable: true,
      is_question: false,
      cc_list: [],
      grant_group: null,
      request_group: null,
      exclusions: [],
    })
  })

  itOnOneEngine(world, 'takes members of editcomponents, and no other user', async () => {
    const body = { name: world.unique('flag'), description: 'New' }
    const editor = await newMember(world, 'editcomponents')
    assert.equal((await editor.client.post('/rest/flag_type', body)).status, 201)
    const before = await countTypes(world)
    assertRefused(await world.nobody.post('/rest/flag_type', body), 401, 410)
    for (const client of [world.stan, world.edna, world.uma, world.greta, world.pam])
      assertRefused(await client.post('/rest/flag_type', body), 401, 304)
    assertRefused(await world.stan.post('/rest/flag_type', {}), 401, 304)
    assertRefused(await world.nobody.post('/rest/flag_type', { sortkey: 0 }), 401, 410)
    assert.equal(await countTypes(world), before)
  })

  itOnOneEngine(world, 'makes several of one name', async () => {
    const { name } = await newType(world)
    const twin = await newType(world, { name })
    assert.equal((await world.ada.get(`/rest/flag_type?names=${name}`)).body.flagtypes.length, 2)
    assert.ok(twin.id > 0)
  })

  itOnOneEngine(world, 'ignores parameters that it does not know', async () => {
    const { id } = await newType(world, { colour: 'green', is_requesteeble: false })
    assert.equal((await stored(world, id)).is_specifically_requestable, true)
  })

  const refusals: [string, Record<string, unknown>, number, number][] = [
    ['a missing name', { name: undefined }, 400, 50],
    ['an empty name', { name: '' }, 400, 50],
    ['a blank name', { name: '   ' }, 400, 1101],
    ['a name with a blank', { name: 'two words' }, 400, 1101],
    ['a name with a comma', { name: 'two,words' }, 400, 1101],
    ['a name with a line break', { name: 'two\nwords' }, 400, 1101],
    ['a name of 51 characters', { name: 'n'.repeat(51) }, 400, 1101],
    ['a name that is a list', { name: ['a', 'b'] }, 400, 53],
    ['a missing description', { description: undefined }, 400, 50],
    ['an empty description', { description: '' }, 400, 50],
    ['a blank description', { description: ' \t' }, 400, 1102],
    ['a description of 10001 characters', { description: 'd'.repeat(10_001) }, 400, 53],
    ['another target', { target_type: 'comment' }, 400, 53],
    ['a target that is a number', { target_type: 5 }, 400, 53],
    ['the sort key 0', { sortkey: 0 }, 400, 1104],
    ['a negative sort key', { sortkey: -1 }, 400, 1104],
    ['the sort key 32768', { sortkey: 32_768 }, 400, 1104],
    ['a broken sort key', { sortkey: 1.5 }, 400, 1104],
    ['a sort key in words', { sortkey: 'first' }, 400, 1104],
    ['a sort key that is a list', { sortkey: [1] }, 400, 1104],
    ['an empty sort key', { sortkey: '' }, 400, 1104],
    ['an unknown grant group', { grant_group: 'no such group' }, 404, 51],
    ['an unknown request group', { request_group: '99999999' }, 404, 51],
    ['a grant group that is a list', { grant_group: ['admin'] }, 400, 53],
    ['a word for yes or no', { is_active: 'perhaps' }, 400, 53],
    ['an address without a domain', { cc_list: ['nobody'] }, 400, 501],
    ['an address among others that is none', { cc_list: 'a@example.com, b@' }, 400, 501],
    ['an address that would end a mail header', { cc_list: ['a@example.com<script>'] }, 400, 501],
    ['a cc_list that is an object', { cc_list: { add: ['a@example.com'] } }, 400, 58],
    [
      'a cc_list of 201 characters',
      { cc_list: [`${'a'.repeat(88)}@example.com`, `${'b'.repeat(87)}@example.com`] },
      400,
      1103,
    ],
    ['an unknown product', { inclusions: ['No such product'] }, 401, 106],
    ['an unknown product to keep out of', { exclusions: ['No such product'] }, 401, 106],
    ['an unknown product with components', { inclusions: { 'No such product': ['Core'] } }, 401, 106],
    ['a number for a product', { inclusions: [1] }, 400, 53],
    ['a number for all products', { inclusions: 1 }, 400, 53],
    ['a truth for all products', { inclusions: true }, 400, 53],
    ['a list in the list', { inclusions: [['TestProduct']] }, 400, 53],
    ['nothing in the list', { exclusions: [null] }, 400, 53],
    ['components that are no list', { inclusions: { TestProduct: 5 } }, 400, 53],
    ['components that are nothing', { inclusions: [{ TestProduct: null }] }, 400, 53],
    ['an empty list of components', { inclusions: [{ TestProduct: [] }] }, 400, 53],
    ['a component that is a number', { inclusions: [{ TestProduct: [1] }] }, 400, 53],
    ['components that are objects', { inclusions: [{ TestProduct: [{ name: 'Core' }] }] }, 400, 53],
    ['an unknown component', { inclusions: [{ TestProduct: ['TestComponent', 'Nowhere'] }] }, 400, 105],
    ['an unknown component to keep out of', { exclusions: { TestProduct: ['Nowhere'] } }, 400, 105],
    ['an unknown product before an unknown component', { inclusions: [{ TestProduct: ['Nowhere'] }, 'No'] }, 401, 106],
  ]
  for (const [what, wrong, status, code] of refusals) {
    itOnce(world, `refuses ${what} with ${code}, and makes nothing`, async () => {
      const before = await countTypes(world)
      const body = { name: world.unique('flag'), description: 'New', ...wrong }
      assertRefused(await world.ada.post('/rest/flag_type', body), status, code)
      assert.equal(await countTypes(world), before)
    })
  }

  itOnOneEngine(world, 'takes the limits themselves', async () => {
    const cc_list = [`${'a'.repeat(88)}@example.com`, `${'b'.repeat(86)}@example.com`]
    assert.equal(cc_list.join(', ').length, 200)
    const { id } = await newType(world, {
      name: 'n'.repeat(50),
      description: 'd'.repeat(10_000),
      sortkey: '32767',
      cc_list,
    })
    const type = await stored(world, id)
    assert.deepEqual([type.sortkey, type.cc_list], [32_767, cc_list])
  })

  itOnOneEngine(world, 'takes cc_list as a list and as text, each address once', async () => {
    for (const cc_list of [
      ['a@example.com', 'b@example.com', 'a@example.com'],
      'a@example.com, b@example.com',
      'a@example.com b@example.com,',
      ['a@example.com,b@example.com'],
    ]) {
      const { id } = await newType(world, { cc_list })
      assert.deepEqual((await stored(world, id)).cc_list, ['a@example.com', 'b@example.com'])
    }
    assert.deepEqual((await stored(world, (await newType(world, { cc_list: '' })).id)).cc_list, [])
  })

  it('takes the addresses that login names here look like', async () => {
    assertRefused(
      await world.ada.post('/rest/flag_type', { name: 'x', description: 'x', cc_list: ['mailbox'] }),
      400,
      501,
    )
    await world.withParameters({ emailregexp: '^[a-z]+$' }, async () => {
      await newType(world, { cc_list: ['mailbox', 'mailbox@example.com'] })
    })
  })

  itOnOneEngine(
    world,
    'takes groups by name in any letter case, by id, and none for an empty name or null',
    async () => {
      const group = await world.newGroup()
      const grantOf = async (grant_group: unknown) =>
        (await stored(world, (await newType(world, { grant_group })).id)).grant_group
      assert.equal(await grantOf(group.name.toUpperCase()), group.name)
      assert.equal(await grantOf(group.id), group.name)
      assert.equal(await grantOf(''), null)
      assert.equal(await grantOf(null), null)
    },
  )

  itOnOneEngine(world, 'takes inclusions in every form of the REST API', async () => {
    const [a, b] = [await newProduct(world), await newProduct(world)]
    const forms: [unknown, unknown][] = [
      [
        [a, b],
        [a, b],
      ],
      [a, [a]],
      [[{ [a]: ['UI'] }], [{ [a]: ['UI'] }]],
      [[{ [a]: ['UI', 'Core'], [b]: ['Core'] }], [{ [a]: ['Core', 'UI'] }, { [b]: ['Core'] }]],
      [[{ [a]: ['UI'] }, { [a]: ['Core'] }], [{ [a]: ['Core', 'UI'] }]],
      [
        [{ [a]: 'ui' }, b.toUpperCase()],
        [{ [a]: ['UI'] }, b],
      ],
      [{ [a]: ['UI'] }, [{ [a]: ['UI'] }]],
      [[a, { [a]: ['UI'] }, a], [a]],
      [[], undefined],
      [null, undefined],
    ]
    for (const [inclusions, expected] of forms) {
      const { id } = await newType(world, { inclusions, exclusions: inclusions })
      const type = await stored(world, id)
      assert.deepEqual([type.inclusions, type.exclusions], [expected, expected ?? []], JSON.stringify(inclusions))
    }
  })

  itOnOneEngine(world, 'takes inclusions from the query string, which wins over the body', async () => {
    const [a, b] = [await newProduct(world), await newProduct(world)]
    const body = { name: world.unique('flag'), description: 'New', inclusions: [b] }
    const { body: made } = await world.ada.post(`/rest/flag_type?inclusions=${a}`, body)
    assert.deepEqual((await stored(world, made.id)).inclusions, [a])
  })

  itOnOneEngine(world, 'refuses a hidden product like one that does not exist', async () => {
    const hidden = await newHiddenProduct(world)
    const editor = await newMember(world, 'editcomponents')
    const send = (product: string, form: (name: string) => unknown) =>
      editor.client.post('/rest/flag_type', { name: 'x', description: 'x', inclusions: form(product) })
    for (const form of [(name: string) => [name], (name: string) => ({ [name]: ['Core'] })]) {
      const one = await send(hidden.name, form)
      const other = await send('Missing', form)
      assertRefused(one, 401, 106)
      assert.equal(one.body.message.replace(hidden.name, ''), other.body.message.replace('Missing', ''))
    }
  })

  itOnOneEngine(world, 'takes thousands of components at once', async () => {
    const product = await newProduct(world)
    const { id: productId } = (await world.ada.get(`/rest/product/${product}?include_fields=id`)).body.products[0]
    const { id: assignee } = (await world.ada.get('/rest/whoami')).body
    const names = Array.from({ length: 2500 }, (_, index) => `part-${String(index).padStart(4, '0')}`)
    const rows = names.map((name) => ({
      product_id: productId,
      name,
      name_key: name,
      description: 'A part',
      default_assignee_id: assignee,
      is_active: 1 as const,
    }))
    await world.db.query((q) => q.insertInto('components').values(rows))
    const { id, name } = await newType(world, { inclusions: { [product]: names } })
    assert.deepEqual((await stored(world, id)).inclusions, [{ [product]: names }])
    const { body } = await world.nobody.get(`/rest/flag_type/${product}`)
    assert.equal(named(body.bug, name).inclusions.length, 2500)
  })

  itOnOneEngine(world, 'is noted in the audit log', async () => {
    const { id, name } = await newType(world)
    await world.ada.put(`/rest/flag_type/${id}`, { description: 'Better words', inclusions: ['TestProduct'] })
    await world.ada.delete(`/rest/flag_type/${id}`)
    const { body } = await world.ada.get('/rest/audit?class=FlagType')
    const own = body.audit.filter((entry) => entry.id === id)
    const returned = own.map((entry) => [entry.field, entry.removed, entry.added])
    assert.deepEqual(
      returned.sort(),
      [
        ['__create__', '', name],
        ['__remove__', name, ''],
        ['description', 'A flag', 'Better words'],
        ['inclusions', '0', '1'],
      ].sort(),
    )
  })
})

describeTogether.onOneEngine('PUT /rest/flag_type/(id_or_name)', (world) => {
  it('changes everything but what it is for, and returns the changes', async () => {
    const product = await newProduct(world)
    const group = await world.newGroup()
    const { id, name } = await newType(world)
    const renamed = world.unique('renamed')
    const { status, body } = await world.ada.put(`/rest/flag_type/${id}`, {
      name: renamed,
      description: 'Better words',
      sortkey: 9,
      cc_list: ['a@example.com', 'b@example.com'],
      is_active: false,
      is_requestable: false,
      is_specifically_requestable: false,
      is_multiplicable: false,
      grant_group: group.name,
      request_group: group.name,
      inclusions: [product],
      exclusions: [{ [product]: ['UI'] }],
    })
    assert.equal(status, 200)
    const change = (removed: string, added: string) => ({ removed, added })
    assert.deepEqual(body, {
      flagtypes: [
        {
          id,
          name: renamed,
          changes: {
            name: change(name, renamed),
            description: change('A flag', 'Better words'),
            sortkey: change('1', '9'),
            cc_list: change('', 'a@example.com, b@example.com'),
            is_active: change('1', '0'),
            is_requestable: change('1', '0'),
            is_requesteeble: change('1', '0'),
            is_multiplicable: change('1', '0'),
            grant_group_id: change('', String(group.id)),
            request_group_id: change('', String(group.id)),
            inclusions: change('0', '1'),
            exclusions: change('0', '1'),
          },
        },
      ],
    })
    assert.deepEqual(await stored(world, id), {
      id,
      name: renamed,
      description: 'Better words',
      target_type: 'bug',
      sortkey: 9,
      is_active: false,
      is_requestable: false,
      is_specifically_requestable: false,
      is_multiplicable: false,
      is_question: false,
      cc_list: ['a@example.com', 'b@example.com'],
      grant_group: group.name,
      request_group: group.name,
      inclusions: [product],
      exclusions: [{ [product]: ['UI'] }],
    })
  })

  it('returns no changes if nothing changes', async () => {
    const product = await newProduct(world)
    const { id, name } = await newType(world, { inclusions: [{ [product]: ['UI', 'Core'] }], cc_list: 'a@example.com' })
    const { body } = await world.ada.put(`/rest/flag_type/${id}`, {
      name: ` ${name} `,
      sortkey: '1',
      is_active: 1,
      cc_list: ['a@example.com'],
      grant_group: '',
      inclusions: { [product.toLowerCase()]: ['core', 'UI', 'ui'] },
      exclusions: [],
    })
    assert.deepEqual(body.flagtypes, [{ id, name, changes: {} }])
    assert.deepEqual((await world.ada.put(`/rest/flag_type/${id}`, {})).body.flagtypes, [{ id, name, changes: {} }])
  })

  it('lets a flag type without inclusions apply everywhere, and without a group to every user', async () => {
    const product = await newProduct(world)
    const { id } = await newType(world, { inclusions: [product], grant_group: 'admin', request_group: 'admin' })
    const { body } = await world.ada.put(`/rest/flag_type/${id}`, {
      inclusions: [],
      grant_group: null,
      request_group: '',
    })
    assert.deepEqual(Object.keys(body.flagtypes[0].changes).sort(), [
      'grant_group_id',
      'inclusions',
      'request_group_id',
    ])
    const { inclusions, grant_group, request_group } = await stored(world, id)
    assert.deepEqual([inclusions, grant_group, request_group], [undefined, null, null])
  })

  it('changes all that have the name', async () => {
    const { id, name } = await newType(world)
    const twin = await newType(world, { name: name.toUpperCase(), target_type: 'attachment' })
    const { body } = await world.ada.put(`/rest/flag_type/${name}`, { sortkey: 3 })
    const ids = body.flagtypes.map((type) => type.id)
    assert.deepEqual(ids.sort(), [id, twin.id].sort())
    assert.deepEqual([(await stored(world, id)).sortkey, (await stored(world, twin.id)).sortkey], [3, 3])
  })

  it('renames all that have the name, but not several that were named one by one', async () => {
    const { id, name } = await newType(world)
    const twin = await newType(world, { name })
    const renamed = world.unique('renamed')
    const { status } = await world.ada.put(`/rest/flag_type/${name}`, { name: renamed })
    assert.equal(status, 200)
    const both = { ids: [id, twin.id], name: world.unique('again') }
    assertRefused(await world.ada.put(`/rest/flag_type/${id}`, both), 400, 32000)
    assert.deepEqual([(await stored(world, id)).name, (await stored(world, twin.id)).name], [renamed, renamed])
    assert.equal((await world.ada.put(`/rest/flag_type/${id}`, { ids: [id], name })).status, 200)
  })

  it('changes the path, the ids and the names together, each once', async () => {
    const [a, b, c] = [await newType(world), await newType(world), await newType(world)]
    const { body } = await world.ada.put(`/rest/flag_type/${a.id}`, {
      ids: [a.id, b.id],
      names: [c.name, b.name],
      description: 'Together',
    })
    assert.deepEqual(
      body.flagtypes.map((type) => type.id),
      [a.id, b.id, c.id],
    )
  })

  it('returns an empty list for a name that none has, and 51 for an id', async () => {
    assert.deepEqual((await world.ada.put('/rest/flag_type/nosuchflag', { sortkey: 2 })).body, { flagtypes: [] })
    assertRefused(await world.ada.put('/rest/flag_type/99999999', { sortkey: 2 }), 404, 51)
    assertRefused(await world.ada.put('/rest/flag_type/99999999999999', { sortkey: 2 }), 404, 51)
    const { id } = await newType(world)
    assertRefused(await world.ada.put(`/rest/flag_type/${id}`, { ids: [99_999_999], sortkey: 2 }), 404, 51)
    assertRefused(await world.ada.put(`/rest/flag_type/${id}`, { ids: ['x'], sortkey: 2 }), 400, 52)
    assert.equal((await stored(world, id)).sortkey, 1)
  })

  it('changes all or none', async () => {
    const [a, b] = [await newType(world), await newType(world)]
    const group = await world.newGroup()
    const body = { ids: [b.id, 99_999_999], sortkey: 4, grant_group: group.name, inclusions: ['TestProduct'] }
    assertRefused(await world.ada.put(`/rest/flag_type/${a.id}`, body), 404, 51)
    for (const { id } of [a, b]) {
      const { sortkey, grant_group, inclusions } = await stored(world, id)
      assert.deepEqual([sortkey, grant_group, inclusions], [1, null, undefined])
    }
  })

  const refusals: [string, Record<string, unknown>, number, number][] = [
    ['another target', { target_type: 'attachment' }, 400, 32601],
    ['an unknown parameter', { colour: 'green' }, 400, 32601],
    ['the name of what changes tell', { is_requesteeble: false }, 400, 32601],
    ['an empty name', { name: '' }, 400, 1101],
    ['a name with a blank', { name: 'two words' }, 400, 1101],
    ['an empty description', { description: ' ' }, 400, 1102],
    ['a cc_list of 201 characters', { cc_list: `${'a'.repeat(189)}@example.com` }, 400, 1103],
    ['an address that is none', { cc_list: 'nobody' }, 400, 501],
    ['the sort key 0', { sortkey: 0 }, 400, 1104],
    ['an unknown group', { grant_group: 'no such group' }, 404, 51],
    ['an unknown product', { inclusions: ['No such product'] }, 401, 106],
    ['an unknown component', { exclusions: { TestProduct: ['Nowhere'] } }, 400, 105],
    ['a malformed list', { exclusions: [[]] }, 400, 53],
  ]
  for (const [what, wrong, status, code] of refusals) {
    itOnce(world, `refuses ${what} with ${code}, and changes nothing`, async () => {
      const { id } = await newType(world)
      const before = await stored(world, id)
      assertRefused(await world.ada.put(`/rest/flag_type/${id}`, { is_active: false, ...wrong }), status, code)
      assert.deepEqual(await stored(world, id), before)
    })
  }

  it('takes members of editcomponents, and no other user', async () => {
    const { id, name } = await newType(world)
    const editor = await newMember(world, 'editcomponents')
    assertRefused(await world.nobody.put(`/rest/flag_type/${id}`, { sortkey: 2 }), 401, 410)
    for (const client of [world.stan, world.edna, world.greta])
      for (const ref of [id, name, 'nosuchflag', 99_999_999])
        assertRefused(await client.put(`/rest/flag_type/${ref}`, { sortkey: 2 }), 401, 304)
    assert.equal((await stored(world, id)).sortkey, 1)
    assert.equal((await editor.client.put(`/rest/flag_type/${id}`, { sortkey: 2 })).status, 200)
  })

  it('leaves alone what applies to products that the editor does not see', async () => {
    const hidden = await newHiddenProduct(world)
    const [a, b] = [await newProduct(world), await newProduct(world)]
    const { id } = await newType(world, { inclusions: [a, hidden.name], exclusions: [{ [hidden.name]: ['UI'] }] })
    const editor = await newMember(world, 'editcomponents')
    const { body } = await editor.client.put(`/rest/flag_type/${id}`, { inclusions: [b], exclusions: [] })
    assert.deepEqual(Object.keys(body.flagtypes[0].changes), ['inclusions'])
    const { inclusions, exclusions } = await stored(world, id)
    assert.deepEqual(new Set(inclusions), new Set([b, hidden.name]))
    assert.deepEqual(exclusions, [{ [hidden.name]: ['UI'] }])
  })

  it('lets a flag type apply nowhere when the only product that it applied to is deleted', async () => {
    const product = await newProduct(world)
    const { id } = await newType(world, { inclusions: [product] })
    assert.equal((await world.ada.delete(`/rest/product/${product}`)).status, 200)
    assert.deepEqual((await stored(world, id)).inclusions, [])
    const { body } = await world.ada.put(`/rest/flag_type/${id}`, { inclusions: ['TestProduct'] })
    assert.deepEqual(body.flagtypes[0].changes, { inclusions: { removed: '0', added: '1' } })
  })

  it('follows products and components that are renamed', async () => {
    const product = await newProduct(world)
    const renamed = world.unique('Renamed')
    const { id } = await newType(world, { inclusions: { [product]: ['UI'] } })
    await world.ada.put(`/rest/product/${product}`, { name: renamed })
    await world.ada.put(`/rest/component/${renamed}/UI`, { name: 'Looks' })
    assert.deepEqual((await stored(world, id)).inclusions, [{ [renamed]: ['Looks'] }])
  })
})

describeTogether.onOneEngine('flag types and those who administer some products only', (world) => {
  it('lets them make flag types in these products', async () => {
    const product = await newProduct(world)
    const { client } = await newAdministratorOf(world, product)
    const body = { name: world.unique('flag'), description: 'Ours', inclusions: [product] }
    const made = await client.post('/rest/flag_type', { ...body, exclusions: { [product]: ['UI'] } })
    assert.equal(made.status, 201)
    const { inclusions, exclusions } = await stored(world, made.body.id)
    assert.deepEqual([inclusions, exclusions], [[product], [{ [product]: ['UI'] }]])
  })

  it('lets them make none that apply elsewhere or everywhere', async () => {
    const product = await newProduct(world)
    const other = await newProduct(world)
    const hidden = await newHiddenProduct(world)
    const { client } = await newAdministratorOf(world, product)
    const before = await countTypes(world)
    const send = (places: object) => client.post('/rest/flag_type', { name: 'x', description: 'x', ...places })
    assertRefused(await send({}), 401, 304)
    assertRefused(await send({ inclusions: [] }), 401, 304)
    assertRefused(await send({ inclusions: [product, other] }), 401, 304)
    assertRefused(await send({ inclusions: [{ [other]: ['UI'] }] }), 401, 304)
    assertRefused(await send({ inclusions: [product], exclusions: [other] }), 401, 304)
    assertRefused(await send({ inclusions: [product, hidden.name] }), 401, 106)
    assert.equal(await countTypes(world), before)
  })

  it('lets them change and delete all of a flag type that applies only to theirs', async () => {
    const [a, b] = [await newProduct(world), await newProduct(world)]
    const { client } = await newAdministratorOf(world, a, b)
    const { id } = await newType(world, { inclusions: [{ [a]: ['UI'] }, b] })
    const renamed = world.unique('renamed')
    const { status, body } = await client.put(`/rest/flag_type/${id}`, { name: renamed, inclusions: [b], sortkey: 2 })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.flagtypes[0].changes).sort(), ['inclusions', 'name', 'sortkey'])
    assert.equal((await client.get(`/rest/flag_type?ids=${id}`)).body.flagtypes[0].name, renamed)
    assert.equal((await client.delete(`/rest/flag_type/${id}`)).status, 200)
  })

  it('lets them not widen it to everywhere, nor to products that are not theirs', async () => {
    const [product, other] = [await newProduct(world), await newProduct(world)]
    const { client } = await newAdministratorOf(world, product)
    const { id } = await newType(world, { inclusions: [product] })
    assertRefused(await client.put(`/rest/flag_type/${id}`, { inclusions: [] }), 401, 304)
    assertRefused(await client.put(`/rest/flag_type/${id}`, { inclusions: [product, other] }), 400, 1105)
    assertRefused(await client.put(`/rest/flag_type/${id}`, { exclusions: [other] }), 400, 1105)
    const { inclusions, exclusions } = await stored(world, id)
    assert.deepEqual([inclusions, exclusions], [[product], []])
  })

  it('lets them change only the inclusions and exclusions of theirs when it applies to others too', async () => {
    const [product, other] = [await newProduct(world), await newProduct(world)]
    const { client } = await newAdministratorOf(world, product)
    const { id } = await newType(world, { inclusions: [product, other], exclusions: [{ [other]: ['UI'] }] })
    for (const attribute of [{ name: 'x' }, { sortkey: 2 }, { is_active: false }, { cc_list: [] }, { grant_group: '' }])
      assertRefused(await client.put(`/rest/flag_type/${id}`, { ...attribute, inclusions: [] }), 400, 1105)
    assertRefused(await client.delete(`/rest/flag_type/${id}`), 400, 1105)

    const first = { inclusions: { [product]: ['Core'] }, exclusions: [{ [product]: ['UI'] }] }
    assert.equal((await client.put(`/rest/flag_type/${id}`, first)).status, 200)
    const type = await stored(world, id)
    assert.deepEqual(new Set(type.inclusions), new Set([{ [product]: ['Core'] }, other]))
    assert.deepEqual(new Set(type.exclusions), new Set([{ [product]: ['UI'] }, { [other]: ['UI'] }]))

    assert.equal((await client.put(`/rest/flag_type/${id}`, { inclusions: [], exclusions: [] })).status, 200)
    const { inclusions, exclusions } = await stored(world, id)
    assert.deepEqual([inclusions, exclusions], [[other], [{ [other]: ['UI'] }]])
    assertRefused(await client.put(`/rest/flag_type/${id}`, { inclusions: [product] }), 400, 1105)
  })

  it('takes back what was read, with a product of theirs changed', async () => {
    const [product, other] = [await newProduct(world), await newProduct(world)]
    const { client } = await newAdministratorOf(world, product)
    const { id } = await newType(world, { inclusions: [{ [other]: ['UI'] }, product] })
    const { inclusions } = (await client.get(`/rest/flag_type?ids=${id}&include_fields=inclusions`)).body.flagtypes[0]
    const mine = inclusions.map((place) => (place === product ? { [product]: ['UI'] } : place))
    assert.equal((await client.put(`/rest/flag_type/${id}`, { inclusions: mine })).status, 200)
    assert.deepEqual(
      new Set((await stored(world, id)).inclusions),
      new Set([{ [other]: ['UI'] }, { [product]: ['UI'] }]),
    )
  })

  it('lets them keep a flag type that applies everywhere out of their products', async () => {
    const product = await newProduct(world)
    const { client } = await newAdministratorOf(world, product)
    const { id, name } = await newType(world)
    assertRefused(await client.put(`/rest/flag_type/${id}`, { description: 'Ours now' }), 400, 1105)
    assert.equal((await client.put(`/rest/flag_type/${name}`, { exclusions: [product] })).status, 200)
    const { inclusions, exclusions } = await stored(world, id)
    assert.deepEqual([inclusions, exclusions], [undefined, [product]])
  })

  it('refuses them what does not apply to their products, and then changes nothing at all', async () => {
    const [product, other] = [await newProduct(world), await newProduct(world)]
    const { client } = await newAdministratorOf(world, product)
    const mine = await newType(world, { inclusions: [product] })
    const theirs = await newType(world, { inclusions: [other] })
    const excluded = await newType(world, { exclusions: [product] })
    for (const { id } of [theirs, excluded]) {
      assertRefused(await client.put(`/rest/flag_type/${id}`, { inclusions: [product] }), 400, 1105)
      assertRefused(await client.delete(`/rest/flag_type/${id}`), 400, 1105)
      assertRefused(await client.get(`/rest/flag_type?ids=${id}`), 400, 1105)
    }
    assertRefused(await client.put(`/rest/flag_type/${mine.id}`, { ids: [theirs.id], sortkey: 5 }), 400, 1105)
    assert.equal((await stored(world, mine.id)).sortkey, 1)
    const { body } = await client.get('/rest/flag_type?target_type=bug')
    assert.deepEqual(
      [mine, theirs, excluded].map(({ name }) => named(body.flagtypes, name) !== undefined),
      [true, false, false],
    )
  })
})

interface Flag {
  type: number
  bug: number
  attachment?: number
  status?: '?' | '+' | '-'
  /** Login names. */
  setter?: string
  requestee?: string
}

/** Puts a flag into the database, past the calls that would set one. Answers its id. */
async function insertFlag(world: World, flag: Flag): Promise<number> {
  const at = '2020-01-01T00:00:00Z'
  const idOf = async (login: string) =>
    (await world.db.query((q) => q.selectFrom('users').select('id').where('login', '=', login)))[0]?.id as number
  const row = {
    type_id: flag.type,
    bug_id: flag.bug,
    attachment_id: flag.attachment ?? null,
    status: flag.status ?? '?',
    setter_id: await idOf(flag.setter ?? cast.edna.login),
    requestee_id: flag.requestee === undefined ? null : await idOf(flag.requestee),
    created_at: at,
    modified_at: at,
  }
  const [inserted] = await world.db.query((q) => q.insertInto('flags').values(row).returning('id'))
  return inserted?.id as number
}

/** The type that a flag is of now; undefined when it is gone. */
async function typeOf(world: World, flag: number) {
  return (await world.db.query((q) => q.selectFrom('flags').select('type_id').where('id', '=', flag)))[0]?.type_id
}

async function requesteeOf(world: World, flag: number) {
  const [row] = await world.db.query((q) => q.selectFrom('flags').select('requestee_id').where('id', '=', flag))
  return row?.requestee_id
}

describeTogether.onOneEngine('flags on bugs when their type changes', (world) => {
  const old = '2020-01-01T00:00:00Z'

  async function bugIn(product: string, component = 'Core') {
    return insertBug(world, { product, component, changed_at: old })
  }

  it('stay where the type still applies', async () => {
    const product = await newProduct(world)
    const { id } = await newType(world, { inclusions: [product] })
    const bug = await bugIn(product)
    const flag = await insertFlag(world, { type: id, bug })
    await world.ada.put(`/rest/flag_type/${id}`, { inclusions: [{ [product]: ['Core'] }], is_active: false })
    await world.ada.put(`/rest/flag_type/${id}`, { exclusions: [{ [product]: ['UI'] }], is_multiplicable: false })
    assert.equal(await typeOf(world, flag), id)
    const row = await readBugRow(world, bug)
    assert.deepEqual([row?.changed_at, row?.history], [old, []])
  })

  it('are removed where an inclusion went or an exclusion came, which the history records', async () => {
    const [a, b] = [await newProduct(world), await newProduct(world)]
    const { id, name } = await newType(world, { inclusions: [a, b] })
    const [inA, inB, inUi] = [await bugIn(a), await bugIn(b), await bugIn(b, 'UI')]
    const flags = [
      await insertFlag(world, { type: id, bug: inA, status: '?', requestee: cast.rhea.login }),
      await insertFlag(world, { type: id, bug: inA, status: '+' }),
      await insertFlag(world, { type: id, bug: inUi, status: '-' }),
    ]
    const kept = await insertFlag(world, { type: id, bug: inB })
    const before = timeNow()
    await world.ada.put(`/rest/flag_type/${id}`, { inclusions: [b], exclusions: [{ [b]: ['UI'] }] })
    for (const flag of flags) assert.equal(await typeOf(world, flag), undefined)
    assert.equal(await typeOf(world, kept), id)
    const row = await readBugRow(world, inA)
    assert.ok(row && row.changed_at >= before)
    assert.deepEqual(
      row.history.map((change) => ({ ...change })),
      [
        {
          who: cast.ada.login,
          at: row.changed_at,
          field: 'flagtypes.name',
          removed: `${name}?(${cast.rhea.login}), ${name}+`,
          added: '',
        },
      ],
    )
    assert.equal((await readBugRow(world, inUi))?.history[0]?.removed, `${name}-`)
    assert.deepEqual((await readBugRow(world, inB))?.history, [])
  })

  it('on attachments have their own lines in the history', async () => {
    const product = await newProduct(world)
    const { id, name } = await newType(world, { inclusions: [product], target_type: 'attachment' })
    const bug = await bugIn(product)
    await insertFlag(world, { type: id, bug, attachment: 71 })
    await insertFlag(world, { type: id, bug, attachment: 72, status: '+' })
    await world.ada.put(`/rest/flag_type/${id}`, { inclusions: ['TestProduct'] })
    const rows = await world.db.query((q) =>
      q.selectFrom('bug_changes').select(['attachment_id', 'removed']).where('bug_id', '=', bug).orderBy('id'),
    )
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { attachment_id: 71, removed: `${name}?` },
        { attachment_id: 72, removed: `${name}+` },
      ],
    )
  })

  it('become flags of another type of the same name that applies there', async () => {
    const product = await newProduct(world)
    const { id, name } = await newType(world, { inclusions: [product] })
    const twin = await newType(world, { name: name.toUpperCase(), inclusions: [{ [product]: ['Core'] }] })
    const [core, ui] = [await bugIn(product), await bugIn(product, 'UI')]
    const moved = await insertFlag(world, { type: id, bug: core, requestee: cast.rhea.login })
    const gone = await insertFlag(world, { type: id, bug: ui })
    await world.ada.put(`/rest/flag_type/${id}`, { inclusions: ['TestProduct'] })
    assert.deepEqual([await typeOf(world, moved), await typeOf(world, gone)], [twin.id, undefined])
    assert.notEqual(await requesteeOf(world, moved), null)
    const row = await readBugRow(world, core)
    assert.deepEqual([row?.changed_at, row?.history], [old, []])
  })

  it('become none of a type that is inactive, for attachments, or of another name', async () => {
    const product = await newProduct(world)
    const { id, name } = await newType(world, { inclusions: [product] })
    await newType(world, { name, inclusions: [product], is_active: false })
    await newType(world, { name, inclusions: [product], target_type: 'attachment' })
    await newType(world, { inclusions: [product] })
    await newType(world, { name, inclusions: [product], exclusions: { [product]: ['Core'] } })
    const flag = await insertFlag(world, { type: id, bug: await bugIn(product) })
    await world.ada.put(`/rest/flag_type/${id}`, { exclusions: [product] })
    assert.equal(await typeOf(world, flag), undefined)
  })

  it('become one, and no second, of a type of which there can be only one', async () => {
    const product = await newProduct(world)
    const { id, name } = await newType(world, { inclusions: [product] })
    const single = await newType(world, { name, inclusions: [product], is_multiplicable: false })
    const [two, taken] = [await bugIn(product), await bugIn(product)]
    const first = await insertFlag(world, { type: id, bug: two })
    const second = await insertFlag(world, { type: id, bug: two })
    const there = await insertFlag(world, { type: single.id, bug: taken })
    const third = await insertFlag(world, { type: id, bug: taken })
    await world.ada.put(`/rest/flag_type/${id}`, { exclusions: [product] })
    assert.deepEqual(
      [await typeOf(world, first), await typeOf(world, second), await typeOf(world, there), await typeOf(world, third)],
      [single.id, undefined, single.id, undefined],
    )
  })

  it('become flags of a type only if the user who set them may set that', async () => {
    const product = await newProduct(world)
    const [askers, granters] = [await world.newGroup(), await world.newGroup()]
    const inside = await world.newGroup()
    await world.ada.put(`/rest/group/${granters.name}`, { member_groups: { add: [inside.name] } })
    const [asker, granter] = [await newMember(world, askers.name), await newMember(world, inside.name)]
    const { id, name } = await newType(world, { inclusions: [product] })
    const guarded = await newType(world, {
      name,
      inclusions: [product],
      grant_group: granters.name,
      request_group: askers.name,
    })
    const bug = await bugIn(product)
    const set = (setter: string, status: '?' | '+') => insertFlag(world, { type: id, bug, setter, status })
    const flags = [
      await set(cast.edna.login, '?'),
      await set(asker.login, '?'),
      await set(asker.login, '+'),
      await set(granter.login, '?'),
      await set(granter.login, '+'),
    ]
    await world.ada.put(`/rest/flag_type/${id}`, { exclusions: [product] })
    const types = []
    for (const flag of flags) types.push(await typeOf(world, flag))
    assert.deepEqual(types, [undefined, guarded.id, undefined, guarded.id, guarded.id])
  })

  it('lose their requestees silently if the type no longer allows them', async () => {
    const product = await newProduct(world)
    const { id } = await newType(world, { inclusions: [product] })
    const bug = await bugIn(product)
    const flag = await insertFlag(world, { type: id, bug, requestee: cast.rhea.login })
    await world.ada.put(`/rest/flag_type/${id}`, { is_specifically_requestable: true, sortkey: 2 })
    assert.notEqual(await requesteeOf(world, flag), null)
    await world.ada.put(`/rest/flag_type/${id}`, { is_specifically_requestable: false })
    assert.deepEqual([await typeOf(world, flag), await requesteeOf(world, flag)], [id, null])
    assert.deepEqual((await readBugRow(world, bug))?.history, [])
  })

  it('lose their requestees when they move to a type that does not allow them', async () => {
    const product = await newProduct(world)
    const { id, name } = await newType(world, { inclusions: [product] })
    const plain = await newType(world, { name, inclusions: [product], is_specifically_requestable: false })
    const flag = await insertFlag(world, { type: id, bug: await bugIn(product), requestee: cast.rhea.login })
    await world.ada.put(`/rest/flag_type/${id}`, { exclusions: [product] })
    assert.deepEqual([await typeOf(world, flag), await requesteeOf(world, flag)], [plain.id, null])
  })

  it('are all as before when the change is refused', async () => {
    const product = await newProduct(world)
    const { id } = await newType(world, { inclusions: [product] })
    const bug = await bugIn(product)
    const flag = await insertFlag(world, { type: id, bug })
    const body = { inclusions: ['TestProduct'], exclusions: ['No such product'] }
    assertRefused(await world.ada.put(`/rest/flag_type/${id}`, body), 401, 106)
    assert.equal(await typeOf(world, flag), id)
    assert.deepEqual((await readBugRow(world, bug))?.history, [])
  })

  it('are removed from bugs that the administrator does not see', async () => {
    const hidden = await newHiddenProduct(world)
    const { id, name } = await newType(world)
    const bug = await insertBug(world, { product: hidden.name, component: 'Core', groups: [hidden.group] })
    const flag = await insertFlag(world, { type: id, bug })
    const editor = await newMember(world, 'editcomponents')
    const { status } = await editor.client.put(`/rest/flag_type/${id}`, { inclusions: ['TestProduct'] })
    assert.equal(status, 200)
    assert.equal(await typeOf(world, flag), undefined)
    assert.equal((await readBugRow(world, bug))?.history[0]?.removed, `${name}?`)
  })
})

describeTogether('DELETE /rest/flag_type/(id)', (world) => {
  itOnOneEngine(world, 'deletes a flag type, and returns its id and name', async () => {
    const { id, name } = await newType(world, {
      inclusions: ['TestProduct'],
      exclusions: { TestProduct: 'TestComponent' },
    })
    const { status, body } = await world.ada.delete(`/rest/flag_type/${id}`)
    assert.deepEqual([status, body], [200, { id, name }])
    assertRefused(await world.ada.get(`/rest/flag_type?ids=${id}`), 404, 51)
    assertRefused(await world.ada.delete(`/rest/flag_type/${id}`), 404, 51)
  })

  itOnOneEngine(world, 'takes an id, never a name', async () => {
    const { id, name } = await newType(world)
    assertRefused(await world.ada.delete(`/rest/flag_type/${name}`), 404, 51)
    assertRefused(await world.ada.delete('/rest/flag_type/99999999'), 404, 51)
    assert.equal((await stored(world, id)).name, name)
  })

  itOnOneEngine(world, 'is for members of editcomponents', async () => {
    const { id } = await newType(world)
    assertRefused(await world.nobody.delete(`/rest/flag_type/${id}`), 401, 410)
    assertRefused(await world.edna.delete(`/rest/flag_type/${id}`), 401, 304)
    assertRefused(await world.edna.delete('/rest/flag_type/99999999'), 401, 304)
    const editor = await newMember(world, 'editcomponents')
    assert.equal((await editor.client.delete(`/rest/flag_type/${id}`)).status, 200)
  })

  it('is refused while there are flags of the type, unless they are to go with it', async () => {
    const product = await newProduct(world)
    const { id, name } = await newType(world, { inclusions: [product] })
    const bug = await insertBug(world, { product, component: 'Core' })
    const flag = await insertFlag(world, { type: id, bug, status: '+' })
    assertRefused(await world.ada.delete(`/rest/flag_type/${id}`), 400, 32000)
    assertRefused(await world.ada.delete(`/rest/flag_type/${id}?remove_flags=0`), 400, 32000)
    assertRefused(await world.ada.delete(`/rest/flag_type/${id}?remove_flags=perhaps`), 400, 53)
    assert.equal(await typeOf(world, flag), id)
    assert.equal((await world.ada.delete(`/rest/flag_type/${id}?remove_flags=1`)).status, 200)
    assert.equal(await typeOf(world, flag), undefined)
    const change = (await readBugRow(world, bug))?.history[0]
    assert.deepEqual([change?.field, change?.removed, change?.added], ['flagtypes.name', `${name}+`, ''])
  })
})

describeTogether('flag types and two administrators at once', (world) => {
  const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort()

  it('let both change different things, and lose neither', async () => {
    const { id } = await newType(world)
    const replies = await Promise.all([
      world.ada.put(`/rest/flag_type/${id}`, { sortkey: 8 }),
      world.ada.put(`/rest/flag_type/${id}`, { description: 'Together' }),
      world.ada.put(`/rest/flag_type/${id}`, { inclusions: ['TestProduct'] }),
      world.ada.put(`/rest/flag_type/${id}`, { is_active: false }),
    ])
    assert.deepEqual(statuses(replies), [200, 200, 200, 200])
    const { sortkey, description, inclusions, is_active } = await stored(world, id)
    assert.deepEqual([sortkey, description, inclusions, is_active], [8, 'Together', ['TestProduct'], false])
  })

  itOnPostgres(world, 'let one delete, and give the other an error', async () => {
    for (let round = 0; round < randomCases(2); round++) {
      const { id } = await newType(world)
      const replies = await Promise.all([
        world.ada.delete(`/rest/flag_type/${id}`),
        world.ada.delete(`/rest/flag_type/${id}`),
      ])
      assert.deepEqual(statuses(replies), [200, 404])
    }
  })

  itOnPostgres(world, 'leave no inclusion of a product, and no group, that a user deletes', async () => {
    for (let round = 0; round < randomCases(2); round++) {
      const product = await newProduct(world)
      const group = await world.newGroup()
      const body = { name: world.unique('flag'), description: 'New', inclusions: [product], grant_group: group.name }
      const [made, deleted, removed] = await Promise.all([
        world.ada.post('/rest/flag_type', body),
        world.ada.delete(`/rest/product/${product}`),
        world.ada.delete(`/rest/group/${group.name}`),
      ])
      assert.equal(deleted.status, 200, deleted.text)
      assert.ok([201, 401, 404].includes(made.status), made.text)
      assert.equal(removed.status, made.status === 201 ? 400 : 200, removed.text)
      if (made.status === 201) assert.deepEqual((await stored(world, made.body.id)).inclusions, [])
    }
  })
})

describeTogether.onOneEngine('DELETE /rest/group/(id_or_name) of a group that a flag type names', (world) => {
  it('is refused until no flag type names it', async () => {
    const group = await world.newGroup()
    const { id } = await newType(world, { grant_group: group.name, request_group: group.name })
    assertRefused(await world.ada.delete(`/rest/group/${group.name}`), 400, 32000)
    await world.ada.put(`/rest/flag_type/${id}`, { grant_group: '' })
    assertRefused(await world.ada.delete(`/rest/group/${group.name}`), 400, 32000)
    await world.ada.put(`/rest/flag_type/${id}`, { request_group: '' })
    assert.equal((await world.ada.delete(`/rest/group/${group.name}`)).status, 200)
  })
})

describeTogether.onOneEngine('GET /rest/product/(id_or_name) and the flag types of its components', (world) => {
  it('returns those that apply to each component, also inactive ones', async () => {
    const product = await newProduct(world)
    const group = await world.newGroup()
    const both = await newType(world, {
      inclusions: [product],
      cc_list: ['a@example.com', 'b@example.com'],
      grant_group: group.name,
      sortkey: 4,
    })
    const ui = await newType(world, { inclusions: { [product]: ['UI'] }, is_active: false, target_type: 'attachment' })
    const { body } = await world.nobody.get(
      `/rest/product/${product}?include_fields=components.name,components.flag_types`,
    )
    const [core, other] = body.products[0].components
    assert.deepEqual(named(core.flag_types.bug, both.name), {
      id: both.id,
      name: both.name,
      description: 'A flag',
      cc_list: 'a@example.com, b@example.com',
      sort_key: 4,
      is_active: true,
      is_requestable: true,
      is_requesteeble: true,
      is_multiplicable: true,
      grant_group: group.id,
      request_group: null,
    })
    assert.equal(named(core.flag_types.attachment, ui.name), undefined)
    assert.deepEqual([other.name, named(other.flag_types.attachment, ui.name).is_active], ['UI', false])
  })

  it('cuts addresses at the @ for anonymous callers when webservice_email_filter is on', async () => {
    const product = await newProduct(world)
    const { name } = await newType(world, { inclusions: [product], cc_list: ['a@example.com', 'b@example.com'] })
    await world.withParameters({ webservice_email_filter: true }, async () => {
      for (const [client, cc_list] of [
        [world.nobody, 'a, b'],
        [world.stan, 'a@example.com, b@example.com'],
      ] as const) {
        const { body } = await client.get(`/rest/product/${product}`)
        assert.equal(named(body.products[0].components[0].flag_types.bug, name).cc_list, cc_list)
      }
    })
  })
})
