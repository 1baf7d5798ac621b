import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { BodyAt } from '../support/body-types.ts'
import {
  CLOSED,
  classifications,
  fields,
  flagTypes,
  flagTypesIn,
  groups,
  loginOf,
  membersOf,
  PEOPLE,
  products,
  SECRET,
  statuses,
  transitions,
} from '../support/harbour.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnOneEngine, itOnOneEngine, type Reply, type World } from '../support/world.ts'

/** Sets up all of it through the calls, as a user would who has an API key and nothing else. */
async function setUp(world: World) {
  const { ada } = world
  await made(ada.put('/rest/parameters', { useclassification: 1 }))
  for (const classification of classifications) await made(ada.post('/rest/classification', classification))
  for (const { name, user_regexp = '', members = [], is_bug_group = true } of groups) {
    const group = { name, description: `The group ${name}`, user_regexp, is_bug_group }
    await made(ada.post('/rest/group', { ...group, member_groups: { add: members } }))
  }
  for (let number = 1; number <= PEOPLE; number++)
    await made(ada.post('/rest/user', { email: loginOf(number), full_name: `Person ${number}` }))
  for (const { name, people: [first, last] = [1, 0] } of groups)
    for (let number = first; number <= last; number++)
      await made(ada.put(`/rest/user/${loginOf(number)}`, { groups: { add: [name] } }))
  for (const product of products) await setUpProduct(world, product)
  await made(ada.delete('/rest/product/TestProduct'))
  for (const status of statuses) await made(ada.post('/rest/field/bug/bug_status/values', status))
  await made(ada.put('/rest/workflow', { transitions }))
  for (const field of fields) await made(ada.post('/rest/field/bug', field))
  for (const flagType of flagTypes) await made(ada.post('/rest/flag_type', flagType))
}

/** The body of a response that must be a success. */
async function made<Body>(reply: Promise<Reply<Body>>): Promise<Body> {
  const { status, text, body } = await reply
  assert.ok(status === 200 || status === 201, text)
  return body
}

async function setUpProduct({ ada }: World, product: (typeof products)[number]) {
  const { versions, milestones, components, controls, ...own } = product
  const path = `/rest/product/${encodeURIComponent(product.name)}`
  await made(ada.post('/rest/product', { ...own, version: versions[0] }))
  for (const name of versions.slice(1)) await made(ada.post(`${path}/version`, { name }))
  for (const [name, sort_key] of milestones) await made(ada.post(`${path}/milestone`, { name, sort_key }))
  for (const [name, assignee, qaContact] of components)
    await made(
      ada.post('/rest/component', {
        product: product.name,
        name,
        description: `${name} of ${product.name}`,
        default_assignee: loginOf(assignee),
        default_qa_contact: qaContact === undefined ? '' : loginOf(qaContact),
      }),
    )
  for (const [group, control] of Object.entries(controls))
    await made(ada.put(`${path}/group_control/${group}`, control))
}

/** Three who look at it: one sees all, one what is the navy's, one what is nobody's. */
interface Reader {
  client: Client
  sees: (product: string) => boolean
  /** May file bugs against it. */
  enters: (product: string) => boolean
  isCrew: boolean
}

const isOpen = (product: string) => product !== CLOSED

describeOnOneEngine('an organisation that was set up through the calls', (world) => {
  const readers: Record<'administrator' | 'member' | 'otherUser', Reader> = {
    administrator: { client: world.ada, sees: () => true, enters: isOpen, isCrew: true },
    member: {
      client: world.ada,
      sees: () => true,
      enters: (product) => isOpen(product) && product !== 'Tickets/Web',
      isCrew: false,
    },
    otherUser: {
      client: world.nobody,
      sees: (product) => product !== SECRET,
      enters: (product) => isOpen(product) && product !== 'Tickets/Web' && product !== SECRET,
      isCrew: false,
    },
  }

  before(async () => {
    await setUp(world)
    readers.member.client = await keyOf(17)
  })

  /** An admiral is in naval only because admirals are. */
  async function keyOf(number: number): Promise<Client> {
    const { status, body, text } = await world.ada.post(`/rest/user/${loginOf(number)}/api_key`, { description: 'key' })
    assert.equal(status, 201, text)
    return world.as({ 'X-TRACKER-API-KEY': body.api_key })
  }

  async function get<const Path extends string>(client: Client, path: Path): Promise<BodyAt<'GET', Path>> {
    const { status, body, text } = await client.get(path)
    assert.equal(status, 200, text)
    return body
  }

  const names = (items: readonly { name: string }[]) => items.map(({ name }) => name)

  for (const who of ['administrator', 'member', 'otherUser'] as const) {
    const reader = readers[who]
    const seen = products.filter(({ name }) => reader.sees(name))

    it(`shows the ${who} classifications with the products that they see`, async () => {
      const { classifications: found } = await get(reader.client, '/rest/classification')
      const shown = found.map((it) => [it.name, it.description, it.sort_key, names(it.products)])
      const expected = classifications.map(({ name, description, sort_key }) => [
        name,
        description,
        sort_key,
        names(seen.filter((product) => product.classification === name)),
      ])
      const empty = ['Unclassified', 'Products that are in no other classification.', 0, []]
      assert.deepEqual(shown, who === 'administrator' ? [empty, ...expected] : expected)
    })

    it(`shows the ${who} products, whole, and none that they do not see`, async () => {
      const { products: found } = await get(reader.client, '/rest/product?include_fields=_all')
      assert.deepEqual(names(found), names([...seen]))
      for (const product of seen) {
        const shown = found.find((it) => it.name === product.name)
        const { description, classification, is_active, has_unconfirmed, default_milestone, default_version } = shown
        assert.deepEqual(
          { description, classification, is_active, has_unconfirmed, default_milestone, default_version },
          {
            description: product.description,
            classification: product.classification,
            is_active: product.is_open ?? true,
            has_unconfirmed: product.has_unconfirmed ?? true,
            default_milestone: '---',
            default_version: product.versions[0],
          },
        )
        assert.deepEqual(names(shown.versions).sort(), [...product.versions].sort())
        assert.deepEqual(
          shown.milestones.map((it) => [it.name, it.sort_key]),
          [['---', 0] as const, ...product.milestones].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)),
        )
        assert.deepEqual(
          shown.components.map((it) => ({
            name: it.name,
            description: it.description,
            people: [it.default_assigned_to, it.default_qa_contact],
            flags: { bug: names(it.flag_types.bug), attachment: names(it.flag_types.attachment) },
          })),
          product.components
            .map(([name, assignee, qaContact]) => ({
              name,
              description: `${name} of ${product.name}`,
              people: [loginOf(assignee), qaContact === undefined ? '' : loginOf(qaContact)],
              flags: flagTypesIn(product.name, name),
            }))
            .sort((a, b) => (a.name < b.name ? -1 : 1)),
        )
      }
    })

    it(`returns to the ${who} the products to search in and to file against`, async () => {
      const { products: all } = await get(world.ada, '/rest/product?include_fields=id,name')
      const idsWhere = (isIn: (name: string) => boolean) => all.filter(({ name }) => isIn(name)).map(({ id }) => id)
      assert.deepEqual((await get(reader.client, '/rest/product_selectable')).ids, idsWhere(reader.sees))
      assert.deepEqual((await get(reader.client, '/rest/product_accessible')).ids, idsWhere(reader.sees))
      assert.deepEqual((await get(reader.client, '/rest/product_enterable')).ids, idsWhere(reader.enters))
    })

    it(`returns to the ${who} only the fields and values that they may see`, async () => {
      const { fields: found } = await get(reader.client, '/rest/field/bug')
      const custom = found.filter(({ is_custom }) => is_custom)
      assert.deepEqual(names(custom), names(fields))
      for (const field of fields) {
        const shown = custom.find(({ name }) => name === field.name)
        const { type, display_name, is_mandatory, is_on_bug_entry, visibility_field, visibility_values, value_field } =
          shown
        const isOfProducts = field.visibility_field === 'product'
        assert.deepEqual(
          { type, display_name, is_mandatory, is_on_bug_entry, visibility_field, visibility_values, value_field },
          {
            type: field.type,
            display_name: field.display_name,
            is_mandatory: field.is_mandatory ?? false,
            is_on_bug_entry: field.is_on_bug_entry ?? false,
            visibility_field: field.visibility_field ?? null,
            visibility_values: (field.visibility_values ?? []).filter((it) => !isOfProducts || reader.sees(it)),
            value_field: field.value_field ?? null,
          },
        )
        const values = (field.values ?? []).map((it) => (typeof it === 'string' ? { name: it } : it))
        const expected = values.map((it) => [it.name, 'visibility_values' in it ? it.visibility_values : []])
        assert.deepEqual(
          shown.values.map((it) => [it.name, it.visibility_values]),
          field.type === 2 ? [['---', []], ...expected] : expected,
        )
      }
      const componentsShown = found.find(({ name }) => name === 'component').values
      assert.deepEqual(
        componentsShown.map((it) => `${it.visibility_values} ${it.name}`).sort(),
        seen.flatMap(({ name, components }) => components.map(([component]) => `${name} ${component}`)).sort(),
      )
      for (const [field, part] of [
        ['version', 'versions'],
        ['target_milestone', 'milestones'],
      ] as const) {
        const shown = found.find(({ name }) => name === field).values
        const productsShown = new Set(shown.flatMap((it) => it.visibility_values))
        assert.deepEqual([...productsShown].sort(), names([...seen]).sort(), part)
      }
    })

    it(`shows the ${who} what flags they can set where`, async () => {
      for (const product of seen) {
        const path = `/rest/flag_type/${encodeURIComponent(product.name)}` as const
        for (const [component] of product.components) {
          const { bug, attachment } = await get(reader.client, `${path}/${component}`)
          assert.deepEqual(
            { bug: names(bug), attachment: names(attachment) },
            flagTypesIn(product.name, component),
            `${product.name}/${component}`,
          )
          const signOff = bug.find(({ name }) => name === 'sign-off')
          if (signOff) assert.deepEqual(signOff.values, reader.isCrew ? ['X', '?', '+', '-'] : ['X', '?'])
        }
      }
      const { bug } = await get(reader.client, '/rest/flag_type/Ferry')
      assert.deepEqual(bug.find(({ name }) => name === 'sign-off').exclusions, ['Galley'])
    })

    itOnOneEngine(world, `shows the ${who} the workflow that was chosen`, async () => {
      assert.deepEqual((await get(reader.client, '/rest/workflow')).transitions, transitions)
      const [{ values }] = (await get(reader.client, '/rest/field/bug/bug_status')).fields
      assert.deepEqual(
        values.map(({ name, is_open }) => [name, is_open]),
        [
          [null, true],
          ['UNCONFIRMED', true],
          ['MOORED', true],
          ['CONFIRMED', true],
          ['IN_PROGRESS', true],
          ['RESOLVED', false],
          ['VERIFIED', false],
          ['SUNK', false],
        ],
      )
      for (const { name, can_change_to } of values)
        assert.deepEqual(
          can_change_to,
          transitions
            .filter(({ from }) => from === name)
            .map(({ to, comment_required }) => ({ name: to, comment_required })),
        )
    })
  }

  it('treats the restricted product for the anonymous caller like one that does not exist', async () => {
    const { otherUser } = readers
    const { products: all } = await get(world.ada, `/rest/product/${SECRET}`)
    const [{ id, components }] = all
    const answers = async (product: string, productId: number, component: string, componentId: number) => {
      const paths = [
        `/rest/product/${product}`,
        `/rest/product/${productId}`,
        `/rest/product?names=${product}&ids=${productId}`,
        `/rest/product/${product}/version`,
        `/rest/product/${product}/milestone`,
        `/rest/component/${product}/${component}`,
        `/rest/component/${componentId}`,
        `/rest/flag_type/${product}`,
        `/rest/flag_type/${product}/${component}`,
        `/rest/field/bug/version/${productId}/values`,
        `/rest/product/${product}/group_control`,
      ]
      const replies = await Promise.all(paths.map((path) => otherUser.client.get(path)))
      // What was asked for is repeated in quotation marks and as a value, and nothing else may differ.
      const withoutNames = (text: string) =>
        text.replaceAll(/“[^”]*”/g, '“…”').replaceAll(/"ref":"[^"]*"/g, '"ref":"…"')
      return replies.map(({ status, text }) => [status, withoutNames(text)])
    }
    const hidden = await answers(SECRET, id, components[0].name, components[0].id)
    const missing = await answers('Raft', 987_654, components[0].name, 876_543)
    assert.deepEqual(hidden, missing)
    assert.ok(hidden.every(([status]) => (status as number) < 500))
  })

  itOnOneEngine(world, 'has forty people in ten groups, some of them through other groups', async () => {
    const query = groups.map(({ name }) => `names=${name}`).join('&')
    const { groups: found } = await get(world.ada, `/rest/group?${query}&membership=1`)
    assert.equal(found.length, 10)
    for (const { name, membership, is_bug_group } of found) {
      const logins = names(membership).filter((login: string) => !login.startsWith('ada@'))
      assert.deepEqual(logins, membersOf(name), name)
      assert.equal(is_bug_group, groups.find((it) => it.name === name)?.is_bug_group === false ? 0 : 1)
    }
    const everybody = new Set(found.flatMap(({ membership }) => names(membership)))
    assert.equal([...everybody].filter((login) => /^p\d\d@/.test(String(login))).length, 39)
    assert.ok(!everybody.has(loginOf(PEOPLE)))
    const mine = await get(readers.member.client, '/rest/whoami')
    assert.deepEqual(names(mine.groups), ['staff', 'admirals', 'naval'])
  })

  it('keeps who is in which group from those who manage neither groups nor people', async () => {
    assert.deepEqual(await get(readers.member.client, '/rest/group'), { groups: [] })
    for (const group of ['naval', 'admirals', 'nosuchgroup'])
      assertRefused(await readers.member.client.get(`/rest/group/${group}`), 400, 805)
    assertRefused(await world.nobody.get('/rest/group/naval'), 401, 410)
    const { users } = await get(readers.member.client, `/rest/user/${loginOf(20)}`)
    assert.deepEqual(users[0].groups, [])
    const anonymous = await get(world.nobody, `/rest/user/${loginOf(20)}`)
    assert.deepEqual(Object.keys(anonymous.users[0]).sort(), ['id', 'name', 'nick', 'real_name'])
  })

  itOnOneEngine(world, 'lets the crane crew look after the crane and nothing else', async () => {
    const crew = await keyOf(31)
    const component = (product: string) => ({
      product,
      name: 'Rope',
      description: 'Holds.',
      default_assignee: loginOf(32),
    })
    assert.equal((await crew.post('/rest/component', component('Crane'))).status, 201)
    assert.equal((await crew.put('/rest/component/Crane/Rope', { is_open: false })).status, 200)
    assert.equal((await crew.delete('/rest/component/Crane/Rope')).status, 200)
    assertRefused(await crew.post('/rest/component', component('Ferry')), 401, 304)
    assertRefused(await crew.post('/rest/component', component(SECRET)), 401, 106)
    assertRefused(await crew.post('/rest/component', component('Raft')), 401, 106)
    assertRefused(await crew.put('/rest/product/Crane', { is_open: false }), 401, 304)
    assertRefused(await crew.get('/rest/product/Crane/group_control'), 401, 304)
  })

  it('lets no user but administrators change any of it', async () => {
    const changes = [
      ['POST', '/rest/product', { name: 'Raft', description: 'd', version: '1' }],
      ['PUT', '/rest/product/Ferry', { description: 'x' }],
      ['DELETE', '/rest/product/Lighthouse', undefined],
      ['POST', '/rest/product/Ferry/version', { name: 'x' }],
      ['POST', '/rest/product/Ferry/milestone', { name: 'x' }],
      ['DELETE', '/rest/component/Ferry/Galley', undefined],
      ['PUT', '/rest/product/Ferry/group_control/crew', { canedit: false }],
      ['POST', '/rest/classification', { name: 'Air' }],
      ['PUT', '/rest/classification/Shore', { name: 'Land' }],
      ['POST', '/rest/field/bug', { name: 'x', type: 1, display_name: 'x' }],
      ['PUT', '/rest/field/bug/cf_knots', { display_name: 'x' }],
      ['POST', '/rest/field/bug/cf_ports/values', { name: 'West' }],
      ['PUT', '/rest/workflow', { transitions }],
      ['POST', '/rest/flag_type', { name: 'x', description: 'd' }],
      ['POST', '/rest/group', { name: 'x', description: 'd' }],
      ['PUT', '/rest/parameters', { useclassification: 0 }],
    ] as const
    for (const [method, path, body] of changes) {
      assertRefused(await readers.member.client.send(method, path, body), 401, 304)
      assertRefused(await world.nobody.send(method, path, body), 401, 410)
    }
    const { products: found } = await get(world.nobody, '/rest/product?include_fields=name,description,components.name')
    assert.deepEqual(
      names(found),
      products.map(({ name }) => name).filter((name) => name !== SECRET),
    )
    assert.equal(found.find((it) => it.name === 'Ferry').components.length, 3)
  })
})
