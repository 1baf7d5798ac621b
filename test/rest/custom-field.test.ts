import assert from 'node:assert/strict'
import { it } from 'node:test'
import { timeNow } from '../../src/platform/time/clock.ts'
import { insertBug } from '../support/bug-rows.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { type Client, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const EVERYTHING = 'include_fields=_default,_extra'

async function fieldOf(client: Client, name: string) {
  const { status, body, text } = await client.get(`/rest/field/bug/${name}?${EVERYTHING}`)
  assert.equal(status, 200, text)
  return body.fields[0]
}

/** A custom field of its own name; answers that name. */
async function newField(world: World, more: Record<string, unknown> = {}): Promise<string> {
  const wanted = { name: world.unique('cf_field'), display_name: 'A field', type: 'free text', ...more }
  const { status, body, text } = await world.ada.post('/rest/field/bug', wanted)
  assert.equal(status, 201, text)
  return body.name
}

const newSelect = (world: World, more: Record<string, unknown> = {}) =>
  newField(world, { type: 'single select', values: ['one', 'two'], ...more })

async function countFields(world: World) {
  return (await world.db.query((q) => q.selectFrom('fields').select('id'))).length
}

async function auditOf(world: World, id: number) {
  const { body } = await world.ada.get(`/rest/audit?class=Tracker::Field&id=${id}`)
  return body.audit.reverse().map(({ who, field, removed, added }) => ({ who, field, removed, added }))
}

interface NamedRow {
  id: number
  name: string
}

function idNamed(rows: readonly NamedRow[], name: string) {
  return sure(rows.find((it) => it.name === name)).id
}

describeTogether.onOneEngine('POST /rest/field/bug', (world) => {
  it('creates a field of every type that can be made, by number and by word', async () => {
    const types: [unknown, number][] = [
      [1, 1],
      ['2', 2],
      [3, 3],
      [4, 4],
      [5, 5],
      [6, 6],
      [9, 9],
      [10, 10],
      ['free text', 1],
      ['Single-Select', 2],
      ['drop-down', 2],
      ['multi_select', 3],
      ['large text', 4],
      ['date/time', 5],
      ['bug id', 6],
      ['date', 9],
      ['integer', 10],
    ]
    for (const [type, number] of types)
      assert.equal((await fieldOf(world.nobody, await newField(world, { type }))).type, number)
  })

  it('gives it an id after those of the standard fields, and shows it to every user', async () => {
    const { status, body } = await world.ada.post('/rest/field/bug', {
      name: 'cf_story',
      type: 4,
      display_name: '  User Story ',
    })
    assert.equal(status, 201)
    assert.ok(body.id > 59)
    assert.deepEqual(await fieldOf(world.nobody, 'cf_story'), {
      id: body.id,
      type: 4,
      is_custom: true,
      name: 'cf_story',
      display_name: 'User Story',
      is_mandatory: false,
      is_on_bug_entry: false,
      visibility_field: null,
      visibility_values: [],
      value_field: null,
      values: [],
      description: '',
      sort_key: 100,
      is_obsolete: false,
      is_in_new_mail: false,
      reverse_name: '',
    })
    assert.deepEqual(await auditOf(world, body.id), [
      { who: 'ada@lacewing.test', field: '__create__', removed: '', added: 'cf_story' },
    ])
  })

  it('takes every attribute', async () => {
    const attributes = {
      display_name: 'Caused by',
      description: 'The bug whose fix caused this one',
      sort_key: 4000,
      is_mandatory: true,
      is_on_bug_entry: true,
      is_obsolete: false,
      is_in_new_mail: true,
      reverse_name: 'Causes',
      visibility_field: 'bug_severity',
      visibility_values: ['major', 'Critical'],
    }
    const field = await fieldOf(world.nobody, await newField(world, { ...attributes, type: 'bug id' }))
    const returned = Object.fromEntries(Object.entries(field).filter(([name]) => name in attributes))
    assert.deepEqual(returned, { ...attributes, visibility_values: ['critical', 'major'] })
  })

  it('puts cf_ in front of the name and lowercases it', async () => {
    const { body } = await world.ada.post('/rest/field/bug', { name: ' Fixed_In ', type: 1, display_name: 'Fixed in' })
    assert.equal(body.name, 'cf_fixed_in')
    assertRefused(
      await world.ada.post('/rest/field/bug', { name: 'CF_FIXED_IN', type: 1, display_name: 'Again' }),
      400,
      32000,
    )
  })

  it('gives a single select the value --- and then its values in their order, a multi select only its own', async () => {
    const values = ['zebra', { name: 'ant', is_active: false }, { name: 'bee', sort_key: 5 }]
    for (const [type, first] of [
      ['single select', [['---', 0, true]]],
      ['multi select', []],
    ] as const) {
      const field = await fieldOf(world.nobody, await newField(world, { type, values }))
      assert.deepEqual(
        field.values.map((value) => [value.name, value.sort_key, value.is_active]),
        [...first, ['bee', 5, true], ['zebra', 100, true], ['ant', 200, false]],
      )
    }
  })

  it('orders custom fields by name beside the bug’s number, or where their sort key says', async () => {
    await newField(world, { name: 'cf_zz_early' })
    await newField(world, { name: 'cf_aa_early' })
    await newField(world, { name: 'cf_mm_late', sort_key: 30_000 })
    const { body } = await world.nobody.get('/rest/field/bug?include_fields=name')
    const order = body.fields.map(({ name }) => name)
    assert.equal(order[0], 'bug_id')
    assert.ok(order.indexOf('cf_aa_early') < order.indexOf('cf_zz_early'))
    assert.ok(order.indexOf('cf_zz_early') < order.indexOf('short_desc'))
    assert.equal(order.at(-1), 'cf_mm_late')
  })

  it('refuses anonymous callers and users outside of admin', async () => {
    const before = await countFields(world)
    const wanted = { name: 'cf_mine', type: 1, display_name: 'Mine' }
    assertRefused(await world.nobody.post('/rest/field/bug', wanted), 401, 410)
    for (const who of ['edna', 'greta', 'pam', 'uma', 'sven'] as const)
      assertRefused(await world[who].post('/rest/field/bug', wanted), 401, 304)
    const components = await world.newUser()
    await world.ada.put(`/rest/user/${components.id}`, { groups: { add: ['editcomponents'] } })
    assertRefused(await components.client.post('/rest/field/bug', wanted), 401, 304)
    assert.equal(await countFields(world), before)
  })

  it('refuses what no field can be, each with its number, and makes nothing', async () => {
    const before = await countFields(world)
    const wrong: [Record<string, unknown>, number, number][] = [
      [{ name: undefined }, 400, 50],
      [{ name: '' }, 400, 50],
      [{ name: 'cf_' }, 400, 50],
      [{ name: 'with blank' }, 400, 53],
      [{ name: 'naïve' }, 400, 53],
      [{ name: "cf_x'; drop table fields" }, 400, 53],
      [{ name: `cf_${'x'.repeat(62)}` }, 400, 53],
      [{ name: ['cf_a', 'cf_b'] }, 400, 53],
      [{ display_name: undefined }, 400, 50],
      [{ display_name: '   ' }, 400, 50],
      [{ display_name: 'x'.repeat(256) }, 400, 53],
      [{ display_name: 'two\nlines' }, 400, 53],
      [{ description: 'x'.repeat(256) }, 400, 53],
      [{ type: undefined }, 400, 50],
      [{ type: '' }, 400, 50],
      [{ type: 0 }, 400, 53],
      [{ type: 7 }, 400, 53],
      [{ type: 8 }, 400, 53],
      [{ type: 11 }, 400, 53],
      [{ type: 'constructor' }, 400, 53],
      [{ type: { number: 1 } }, 400, 53],
      [{ sort_key: -1 }, 400, 53],
      [{ sort_key: 32_768 }, 400, 53],
      [{ sort_key: 'first' }, 400, 52],
      [{ is_mandatory: 'maybe' }, 400, 53],
      [{ reverse_name: 'Causes' }, 400, 53],
      [{ visibility_field: 'nosuch', visibility_values: ['x'] }, 404, 51],
      [{ visibility_field: 'short_desc', visibility_values: ['x'] }, 400, 53],
      [{ visibility_field: 'version', visibility_values: ['1.0'] }, 400, 53],
      [{ visibility_field: 'keywords', visibility_values: ['x'] }, 400, 53],
      [{ visibility_field: 'priority' }, 400, 50],
      [{ visibility_field: 'priority', visibility_values: [] }, 400, 50],
      [{ visibility_field: 'priority', visibility_values: ['High', 'nosuch'] }, 404, 51],
      [{ visibility_field: 'priority', visibility_values: [{ name: 'High' }] }, 400, 58],
      [{ visibility_values: ['High'] }, 400, 50],
      [{ value_field: 'priority' }, 400, 53],
      [{ type: 2, value_field: 'short_desc' }, 400, 53],
      [{ type: 2, value_field: 'nosuch' }, 404, 51],
      [{ values: ['a'] }, 400, 108],
      [{ type: 2, values: ['a', 'A'] }, 400, 32000],
      [{ type: 2, values: ['---'] }, 400, 32000],
      [{ type: 2, values: [''] }, 400, 50],
      [{ type: 2, values: [{ sort_key: 1 }] }, 400, 50],
      [{ type: 2, values: [{ name: 'a', color: 'red' }] }, 400, 53],
      [{ type: 2, values: [['a']] }, 400, 53],
      [{ type: 2, values: [{ name: 'a', is_open: true }] }, 400, 53],
      [{ type: 2, values: [{ name: 'a', visibility_values: ['High'] }] }, 400, 53],
    ]
    for (const [part, status, code] of wrong) {
      const wanted = { name: 'cf_wrong', type: 1, display_name: 'Wrong', ...part }
      const reply = await world.ada.post('/rest/field/bug', wanted)
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(part)}: ${reply.text}`)
    }
    assert.equal(await countFields(world), before)
  })
})

describeTogether.onOneEngine('A field that another one shows', (world) => {
  it('is shown with values of standard and custom selects, products, components and classifications', async () => {
    const product = await newProduct(world, ['Engine'])
    const select = await newSelect(world)
    for (const [visibility_field, value] of [
      ['bug_status', 'VERIFIED'],
      ['status', 'VERIFIED'],
      ['resolution', 'FIXED'],
      ['op_sys', 'Linux'],
      ['rep_platform', 'PC'],
      ['product', product.name],
      ['component', 'Engine'],
      ['classification', 'Unclassified'],
      [select, 'two'],
    ] as const) {
      const name = await newField(world, { visibility_field, visibility_values: [value.toLowerCase()] })
      const field = await fieldOf(world.ada, name)
      assert.deepEqual(field.visibility_values, [value])
      assert.equal(field.visibility_field, visibility_field === 'status' ? 'bug_status' : visibility_field)
    }
  })

  it('names its values by id too, where no value has the digits for its name', async () => {
    const product = await newProduct(world)
    const byId = await newField(world, { visibility_field: 'product', visibility_values: [product.id] })
    assert.deepEqual((await fieldOf(world.ada, byId)).visibility_values, [product.name])
    const digits = await newSelect(world, { values: ['10', '20'] })
    const byName = await newField(world, { visibility_field: digits, visibility_values: [20] })
    assert.deepEqual((await fieldOf(world.ada, byName)).visibility_values, ['20'])
  })

  it('follows values that are renamed', async () => {
    const select = await newSelect(world)
    const field = await newField(world, { visibility_field: select, visibility_values: ['one'] })
    await world.ada.put(`/rest/field/bug/${select}/values/one`, { name: 'uno' })
    assert.deepEqual((await fieldOf(world.nobody, field)).visibility_values, ['uno'])
  })

  it('does not reveal products and components that are hidden from the caller', async () => {
    const open = await newProduct(world, ['Shared'])
    const hidden = await newHiddenProduct(world, ['Vault'])
    const byProduct = await newField(world, {
      visibility_field: 'product',
      visibility_values: [open.name, hidden.name],
    })
    const byComponent = await newField(world, { visibility_field: 'component', visibility_values: ['Vault', 'Shared'] })
    const byHidden = await newField(world, { visibility_field: 'product', visibility_values: [hidden.name] })
    const select = await newField(world, {
      type: 2,
      value_field: 'product',
      values: [
        { name: 'for all' },
        { name: 'for the open one', visibility_values: [open.name] },
        { name: 'for the hidden one', visibility_values: [hidden.name] },
      ],
    })
    for (const client of [world.sven, world.ada]) {
      assert.deepEqual((await fieldOf(client, byProduct)).visibility_values, [open.name, hidden.name])
      assert.deepEqual((await fieldOf(client, byComponent)).visibility_values, ['Shared', 'Vault'])
      assert.deepEqual(
        (await fieldOf(client, select)).values.map((value) => [value.name, value.visibility_values]),
        [
          ['---', []],
          ['for all', []],
          ['for the open one', [open.name]],
          ['for the hidden one', [hidden.name]],
        ],
      )
    }
    for (const client of [world.stan, world.nobody]) {
      assert.deepEqual((await fieldOf(client, byProduct)).visibility_values, [open.name])
      assert.deepEqual((await fieldOf(client, byComponent)).visibility_values, ['Shared'])
      const never = await fieldOf(client, byHidden)
      assert.deepEqual([never.visibility_field, never.visibility_values], ['product', []])
      assert.deepEqual(
        (await fieldOf(client, select)).values.map((value) => value.name),
        ['---', 'for all', 'for the open one'],
      )
    }
  })

  it('may stand in a chain, but never in a circle', async () => {
    const top = await newSelect(world, { visibility_field: 'product', visibility_values: ['TestProduct'] })
    const middle = await newSelect(world, { visibility_field: top, visibility_values: ['one'] })
    const bottom = await newSelect(world, { visibility_field: middle, visibility_values: ['two'], value_field: top })
    const before = await world.ada.get(`/rest/field/bug?names=${top}&names=${middle}&names=${bottom}`)

    const shownBy = (field: string) => ({ visibility_field: field, visibility_values: ['one'] })
    for (const [field, change] of [
      [top, shownBy(top)],
      [top, shownBy(middle)],
      [top, shownBy(bottom)],
      [middle, shownBy(bottom)],
      [top, { value_field: top }],
      [top, { value_field: bottom }],
      [middle, { value_field: bottom }],
    ] as const)
      assertRefused(await world.ada.put(`/rest/field/bug/${field}`, change), 400, 53)
    const after = await world.ada.get(`/rest/field/bug?names=${top}&names=${middle}&names=${bottom}`)
    assert.deepEqual(after.body, before.body)
  })

  it('is not brought into a circle by a change of several fields at once', async () => {
    const [one, two] = [await newSelect(world), await newSelect(world)]
    const change = { names: [two], visibility_field: two, visibility_values: ['one'] }
    assertRefused(await world.ada.put(`/rest/field/bug/${one}`, change), 400, 53)
    assert.equal((await fieldOf(world.ada, one)).visibility_field, null)
  })

  it('keeps its controller from being deleted, value and field', async () => {
    const select = await newSelect(world, { is_obsolete: true })
    const field = await newField(world, { visibility_field: select, visibility_values: ['one'] })
    assertRefused(await world.ada.delete(`/rest/field/bug/${select}/values/one`), 400, 32000)
    assertRefused(await world.ada.delete(`/rest/field/bug/${select}`), 400, 32000)
    await world.ada.put(`/rest/field/bug/${field}`, { visibility_field: '' })
    assert.equal((await world.ada.delete(`/rest/field/bug/${select}/values/one`)).status, 200)
    assert.equal((await world.ada.delete(`/rest/field/bug/${select}`)).status, 200)
  })

  it('keeps products, components and classifications that show it from being deleted', async () => {
    const product = await newProduct(world, ['Engine', 'Brake'])
    await newField(world, { visibility_field: 'component', visibility_values: ['Brake'] })
    assertRefused(await world.ada.delete(`/rest/component/${product.name}/Brake`), 400, 32000)
    assertRefused(await world.ada.delete(`/rest/product/${product.name}`), 400, 32000)
    const other = await newProduct(world)
    await newField(world, { type: 2, value_field: 'product', values: [{ name: 'a', visibility_values: [other.name] }] })
    assertRefused(await world.ada.delete(`/rest/product/${other.name}`), 400, 32000)
  })
})

describeTogether.onOneEngine('PUT /rest/field/bug/(field)', (world) => {
  it('changes what is given, answers and logs the changes, and leaves the rest', async () => {
    const name = await newSelect(world, { sort_key: 500 })
    const before = await fieldOf(world.ada, name)
    const { status, body } = await world.ada.put(`/rest/field/bug/${name}`, {
      display_name: 'Another',
      is_mandatory: true,
      visibility_field: 'priority',
      visibility_values: ['High', 'Low'],
      value_field: 'op_sys',
      sort_key: 500,
    })
    assert.equal(status, 200)
    const changes = {
      display_name: { removed: 'A field', added: 'Another' },
      is_mandatory: { removed: '0', added: '1' },
      visibility_field: { removed: '', added: 'priority' },
      visibility_values: { removed: '', added: 'High, Low' },
      value_field: { removed: '', added: 'op_sys' },
    }
    assert.deepEqual(body, { fields: [{ id: before.id, changes }] })
    assert.deepEqual(await fieldOf(world.nobody, name), {
      ...before,
      display_name: 'Another',
      is_mandatory: true,
      visibility_field: 'priority',
      visibility_values: ['High', 'Low'],
      value_field: 'op_sys',
    })
    const logged = (await auditOf(world, before.id)).slice(1)
    assert.deepEqual(
      Object.fromEntries(logged.map(({ field, removed, added }) => [field, { removed, added }])),
      changes,
    )
    assert.deepEqual((await world.ada.put(`/rest/field/bug/${name}`, {})).body, {
      fields: [{ id: before.id, changes: {} }],
    })
  })

  it('lets go of a controlling field with an empty name or null, and then shows all values', async () => {
    for (const nothing of ['', null]) {
      const name = await newField(world, {
        type: 3,
        visibility_field: 'priority',
        visibility_values: ['High'],
        value_field: 'priority',
        values: [{ name: 'urgent', visibility_values: ['Highest'] }],
      })
      const { body } = await world.ada.put(`/rest/field/bug/${name}`, {
        visibility_field: nothing,
        value_field: nothing,
      })
      assert.deepEqual(Object.keys(body.fields[0].changes).sort(), [
        'value_field',
        'visibility_field',
        'visibility_values',
      ])
      const field = await fieldOf(world.nobody, name)
      assert.deepEqual(
        [field.visibility_field, field.visibility_values, field.value_field, field.values[0].visibility_values],
        [null, [], null, []],
      )
    }
  })

  it('needs new values when another field comes to decide', async () => {
    const name = await newField(world, { visibility_field: 'priority', visibility_values: ['High'] })
    assertRefused(await world.ada.put(`/rest/field/bug/${name}`, { visibility_field: 'op_sys' }), 400, 50)
    assertRefused(await world.ada.put(`/rest/field/bug/${name}`, { visibility_values: [] }), 400, 50)
    await world.ada.put(`/rest/field/bug/${name}`, { visibility_values: ['Low'] })
    assert.deepEqual((await fieldOf(world.nobody, name)).visibility_values, ['Low'])
  })

  it('changes several fields alike, or none', async () => {
    const [one, two, three] = [await newField(world), await newField(world), await newField(world)]
    const { id } = await fieldOf(world.ada, three)
    const { status, body } = await world.ada.put(`/rest/field/bug/${one}`, {
      names: [two, one],
      ids: [id],
      is_obsolete: true,
    })
    assert.equal(status, 200)
    assert.equal(body.fields.length, 3)
    for (const name of [one, two, three]) assert.equal((await fieldOf(world.ada, name)).is_obsolete, true)
    const wrong = { names: ['priority'], is_obsolete: false }
    assertRefused(await world.ada.put(`/rest/field/bug/${one}`, wrong), 400, 32000)
    assert.equal((await fieldOf(world.ada, one)).is_obsolete, true)
  })

  it('hides an obsolete field from the list, but not from those who name it', async () => {
    const name = await newField(world)
    const listed = async () =>
      (await world.nobody.get('/rest/field/bug?include_fields=name')).body.fields.some((it) => it.name === name)
    assert.equal(await listed(), true)
    await world.ada.put(`/rest/field/bug/${name}`, { is_obsolete: true })
    assert.equal(await listed(), false)
    const all = (await world.nobody.get('/rest/field/bug?include_obsolete=1&include_fields=name')).body.fields
    assert.ok(all.some((it) => it.name === name))
    const { body } = await world.nobody.get(`/rest/field/bug?names=${name}&include_fields=name`)
    assert.deepEqual(body.fields, [{ name }])
  })

  it('refuses another name, another type, standard fields, unknown fields and unknown parameters', async () => {
    const name = await newField(world)
    const put = (field: string, change: object) => world.ada.put(`/rest/field/bug/${field}`, change)
    assertRefused(await put(name, { type: 2 }), 400, 32000)
    assertRefused(await put(name, { name: 'cf_other' }), 400, 32000)
    assertRefused(await put('priority', { display_name: 'Urgency' }), 400, 32000)
    assertRefused(await put('cf_nosuch', { display_name: 'x' }), 404, 51)
    assertRefused(await put(name, { colour: 'red' }), 400, 32601)
    assertRefused(await put(name, { display_name: '' }), 400, 50)
    assert.equal((await put(name, { type: 1, name: name.toUpperCase() })).status, 200)
  })

  it('refuses anonymous callers and users outside of admin, and reveals nothing to them', async () => {
    const name = await newField(world)
    for (const field of [name, 'cf_nosuch']) {
      assertRefused(await world.nobody.put(`/rest/field/bug/${field}`, { display_name: 'x' }), 401, 410)
      for (const who of ['edna', 'pam', 'uma'] as const)
        assertRefused(await world[who].put(`/rest/field/bug/${field}`, { display_name: 'x' }), 401, 304)
    }
    assert.equal((await fieldOf(world.nobody, name)).display_name, 'A field')
  })
})

describeTogether('DELETE /rest/field/bug/(field)', (world) => {
  const obsolete = { is_obsolete: true }

  async function bugWith(field: string, row: { text_value?: string; number_value?: number }) {
    const { id } = await fieldOf(world.ada, field)
    const bug_id = await insertBug(world, { product: 'TestProduct', component: 'TestComponent' })
    await world.db.query((q) =>
      q.insertInto('bug_custom_values').values({ bug_id, field_id: id, text_value: null, number_value: null, ...row }),
    )
    return bug_id
  }

  it('deletes an obsolete field that was never used, with its values', async () => {
    const visibility_values = ['High', 'Low']
    const name = await newSelect(world, { ...obsolete, visibility_field: 'priority', visibility_values })
    const { id, values } = await fieldOf(world.ada, name)
    assert.deepEqual((await world.ada.delete(`/rest/field/bug/${name}`)).body, { id, name })
    assertRefused(await world.nobody.get(`/rest/field/bug/${name}`), 404, 51)
    const left = await world.db.query((q) => q.selectFrom('field_values').select('id').where('field_id', '=', id))
    assert.deepEqual([left.length, values.length], [0, 3])
    const { field, removed } = (await auditOf(world, id)).at(-1)
    assert.deepEqual({ field, removed }, { field: '__remove__', removed: name })
  })

  itOnOneEngine(world, 'refuses a field in use, a standard one and one that does not exist', async () => {
    const name = await newField(world)
    assertRefused(await world.ada.delete(`/rest/field/bug/${name}`), 400, 32000)
    assertRefused(await world.ada.delete('/rest/field/bug/short_desc'), 400, 32000)
    assertRefused(await world.ada.delete('/rest/field/bug/cf_nosuch'), 404, 51)
  })

  itOnOneEngine(world, 'refuses a field in which a bug has something', async () => {
    const filled: [string, (values: readonly NamedRow[]) => { text_value?: string; number_value?: number }][] = [
      ['free text', () => ({ text_value: 'words' })],
      ['date', () => ({ text_value: '2026-01-31' })],
      ['bug id', () => ({ number_value: 1 })],
      ['integer', () => ({ number_value: -5 })],
      ['single select', (values) => ({ number_value: idNamed(values, 'one') })],
    ]
    for (const [type, row] of filled) {
      const name = await newField(world, { ...obsolete, type, ...(type === 'single select' && { values: ['one'] }) })
      await bugWith(name, row(await valueRows(name)))
      assertRefused(await world.ada.delete(`/rest/field/bug/${name}`), 400, 32000)
    }
  })

  it('deletes a field that bugs have nothing in, and what stood for nothing', async () => {
    const empty: [string, (values: readonly NamedRow[]) => { text_value?: string; number_value?: number }][] = [
      ['free text', () => ({ text_value: '' })],
      ['integer', () => ({ number_value: 0 })],
      ['single select', (values) => ({ number_value: idNamed(values, '---') })],
    ]
    for (const [type, row] of empty) {
      const name = await newField(world, { ...obsolete, type })
      await bugWith(name, row(await valueRows(name)))
      assert.equal((await world.ada.delete(`/rest/field/bug/${name}`)).status, 200, type)
    }
  })

  it('refuses a field that appears in the history of a bug', async () => {
    const name = await newField(world, obsolete)
    const bug_id = await insertBug(world, { product: 'TestProduct', component: 'TestComponent' })
    const change = { bug_id, user_id: 1, at: timeNow(), field: name, removed: 'x', added: '' }
    await world.db.query((q) =>
      q.insertInto('bug_changes').values({ ...change, attachment_id: null, comment_id: null }),
    )
    assertRefused(await world.ada.delete(`/rest/field/bug/${name}`), 400, 32000)
  })

  itOnOneEngine(world, 'refuses anonymous callers and users outside of admin', async () => {
    const name = await newField(world, obsolete)
    assertRefused(await world.nobody.delete(`/rest/field/bug/${name}`), 401, 410)
    for (const who of ['edna', 'greta', 'sven'] as const)
      assertRefused(await world[who].delete(`/rest/field/bug/${name}`), 401, 304)
    assert.equal((await fieldOf(world.nobody, name)).name, name)
  })

  async function valueRows(name: string) {
    const { id } = await fieldOf(world.ada, name)
    return world.db.query((q) => q.selectFrom('field_values').selectAll().where('field_id', '=', id))
  }
})

describeTogether('Two administrators of fields at once', (world) => {
  it('make one field of one name between them', async () => {
    const wanted = { name: 'cf_contested', type: 2, display_name: 'Contested', values: ['a', 'b'] }
    const replies = await Promise.all([1, 2, 3, 4].map(() => world.ada.post('/rest/field/bug', wanted)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400, 400])
    assert.ok(replies.filter(({ status }) => status === 400).every(({ body }) => body.code === 32000))
    assert.equal((await fieldOf(world.ada, 'cf_contested')).values.length, 3)
  })

  itOnPostgres(world, 'never bring two fields into a circle', async () => {
    const [one, two] = [await newSelect(world), await newSelect(world)]
    const shownBy = (field: string) => ({ visibility_field: field, visibility_values: ['one'] })
    const replies = await Promise.all([
      world.ada.put(`/rest/field/bug/${one}`, shownBy(two)),
      world.ada.put(`/rest/field/bug/${two}`, shownBy(one)),
    ])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
  })

  itOnPostgres(world, 'never leave a field shown by a value that the other deleted', async () => {
    for (let round = 0; round < randomCases(2); round++) {
      const select = await newSelect(world)
      const field = await newField(world)
      const [shown, deleted] = await Promise.all([
        world.ada.put(`/rest/field/bug/${field}`, { visibility_field: select, visibility_values: ['one'] }),
        world.ada.delete(`/rest/field/bug/${select}/values/one`),
      ])
      assert.ok(
        [shown.status, deleted.status].filter((status) => status === 200).length === 1,
        shown.text + deleted.text,
      )
      const { visibility_values } = await fieldOf(world.ada, field)
      assert.deepEqual(visibility_values, shown.status === 200 ? ['one'] : [])
    }
  })

  itOnPostgres(world, 'lose no change that the other makes to another attribute', async () => {
    const name = await newField(world)
    await Promise.all([
      world.ada.put(`/rest/field/bug/${name}`, { display_name: 'New label' }),
      world.ada.put(`/rest/field/bug/${name}`, { is_mandatory: true }),
      world.ada.put(`/rest/field/bug/${name}`, { sort_key: 77 }),
    ])
    const field = await fieldOf(world.ada, name)
    assert.deepEqual([field.display_name, field.is_mandatory, field.sort_key], ['New label', true, 77])
  })
})
