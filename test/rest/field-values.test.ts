import assert from 'node:assert/strict'
import { it } from 'node:test'
import { insertBug } from '../support/bug-rows.ts'
import { fileBug, readField } from '../support/file-bug.ts'
import { beforeCommit, changedMeanwhile } from '../support/interleave.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { type Client, describeOnEachEngine, describeOnOneEngine, itOnOneEngine, type World } from '../support/world.ts'

/** All values of a field, with all extra fields. */
async function valuesOf(client: Client, field: string) {
  const { status, body, text } = await client.get(`/rest/field/bug/${field}?include_fields=_default,_extra`)
  assert.equal(status, 200, text)
  return body.fields[0].values
}

async function oneValue(client: Client, field: string, name: string) {
  return (await valuesOf(client, field)).find((value) => value.name === name)
}

async function namesOf(client: Client, field: string): Promise<string[]> {
  return (await valuesOf(client, field)).map(({ name }) => name)
}

const path = (field: string, value: string) => `/rest/field/bug/${field}/values/${encodeURIComponent(value)}` as const

const listPath = (field: string) => `/rest/field/bug/${field}/values` as const

async function newValue(world: World, field: string, more: Record<string, unknown> = {}): Promise<string> {
  const name = (more.name as string) ?? world.unique('value')
  const { status, text } = await world.ada.post(listPath(field), { name, ...more })
  assert.equal(status, 201, text)
  return name
}

async function newSelect(world: World, more: Record<string, unknown> = {}): Promise<string> {
  const wanted = { name: world.unique('cf_select'), display_name: 'Choice', type: 2, values: ['one', 'two'], ...more }
  const { status, body, text } = await world.ada.post('/rest/field/bug', wanted)
  assert.equal(status, 201, text)
  return body.name
}

async function parameter(world: World, name: string): Promise<string> {
  return sure((await world.ada.get('/rest/parameters')).body.parameters[name])
}

async function auditOf(world: World, id: number) {
  const { body } = await world.ada.get(`/rest/audit?class=Tracker::FieldValue&id=${id}`)
  return body.audit.reverse().map(({ field, removed, added }) => ({ field, removed, added }))
}

const STANDARD = ['op_sys', 'rep_platform', 'priority', 'bug_severity', 'resolution']
const place = { product: 'TestProduct', component: 'TestComponent' }

describeOnEachEngine('POST /rest/field/bug/(field)/values', (world) => {
  itOnOneEngine(world, 'creates values of the standard selects, under either name of the field', async () => {
    for (const field of [...STANDARD, 'severity', 'platform']) {
      const name = world.unique('value')
      const { status, body } = await world.ada.post(listPath(field), { name, sort_key: 150 })
      assert.equal(status, 201)
      assert.deepEqual(Object.keys(body), ['id'])
      const own = { severity: 'bug_severity', platform: 'rep_platform' }[field] ?? field
      assert.deepEqual(await oneValue(world.nobody, own, name), {
        id: body.id,
        name,
        sort_key: 150,
        sortkey: 150,
        visibility_values: [],
        is_active: true,
      })
      assert.deepEqual(await auditOf(world, body.id), [{ field: '__create__', removed: '', added: `${own}: ${name}` }])
    }
  })

  itOnOneEngine(
    world,
    'creates values of custom single and multiple selects, last in the order by default',
    async () => {
      for (const type of [2, 3]) {
        const field = await newSelect(world, { type })
        await newValue(world, field, { name: 'last' })
        await newValue(world, field, { name: 'Between', sort_key: 100 })
        await newValue(world, field, { name: 'off', is_active: false })
        const values = (await valuesOf(world.nobody, field)).filter(({ name }) => name !== '---')
        assert.deepEqual(
          values.map(({ name, sort_key, is_active }) => [name, sort_key, is_active]),
          [
            ['Between', 100, true],
            ['one', 100, true],
            ['two', 200, true],
            ['last', 300, true],
            ['off', 400, false],
          ],
        )
      }
    },
  )

  itOnOneEngine(world, 'makes a status, open or closed, that can change to the status of duplicates', async () => {
    const open = await newValue(world, 'bug_status', { name: 'TRIAGED', is_open: true })
    const closed = await newValue(world, 'status', { name: 'ARCHIVED', is_open: false })
    for (const [name, is_open] of [
      [open, true],
      [closed, false],
    ] as const) {
      const status = await oneValue(world.nobody, 'bug_status', name)
      assert.equal(status.is_open, is_open)
      assert.deepEqual(status.can_change_to, [{ name: 'RESOLVED', comment_required: false }])
    }
    // The shipped workflow has no step from VERIFIED to RESOLVED until it is changed.
    const verified = await oneValue(world.nobody, 'bug_status', 'VERIFIED')
    assert.ok(verified.can_change_to.some(({ name }) => name === 'RESOLVED'))
  })

  itOnOneEngine(world, 'creates values that are shown with a value of the field that decides', async () => {
    const product = await newProduct(world, ['Engine'])
    const field = await newSelect(world, { value_field: 'product', values: [] })
    await newValue(world, field, { name: 'Turbo', visibility_values: [product.name.toLowerCase()] })
    await newValue(world, field, { name: 'Plain', visibility_values: [] })
    const values = await valuesOf(world.nobody, field)
    assert.deepEqual(
      values.map(({ name, visibility_values }) => [name, visibility_values]),
      [
        ['---', []],
        ['Turbo', [product.name]],
        ['Plain', []],
      ],
    )
  })

  itOnOneEngine(world, 'wants the id of a component whose name several products have', async () => {
    const [one] = [await newProduct(world, ['Twin']), await newProduct(world, ['Twin'])]
    const field = await newSelect(world, { value_field: 'component' })
    assertRefused(await world.ada.post(listPath(field), { name: 'a', visibility_values: ['Twin'] }), 400, 53)
    const { body } = await world.ada.get(`/rest/product/${one.name}?include_fields=components`)
    await newValue(world, field, { name: 'a', visibility_values: [body.products[0].components[0].id] })
    assert.deepEqual((await oneValue(world.nobody, field, 'a')).visibility_values, ['Twin'])
  })

  itOnOneEngine(world, 'refuses anonymous callers and users outside of admin, editcomponents too', async () => {
    const components = await world.newUser()
    await world.ada.put(`/rest/user/${components.id}`, { groups: { add: ['editcomponents'] } })
    const before = await namesOf(world.nobody, 'op_sys')
    assertRefused(await world.nobody.post(listPath('op_sys'), { name: 'Plan 9' }), 401, 410)
    for (const client of [world.edna, world.pam, world.greta, components.client])
      assertRefused(await client.post(listPath('op_sys'), { name: 'Plan 9' }), 401, 304)
    assert.deepEqual(await namesOf(world.nobody, 'op_sys'), before)
  })

  itOnOneEngine(world, 'refuses what no value can be, each with its number, and makes nothing', async () => {
    const select = await newSelect(world)
    const controlled = await newSelect(world, { value_field: 'priority' })
    const wrong: [string, Record<string, unknown>, number, number][] = [
      ['op_sys', {}, 400, 50],
      ['op_sys', { name: '  ' }, 400, 50],
      ['op_sys', { name: 'x'.repeat(65) }, 400, 53],
      ['op_sys', { name: 'two\nlines' }, 400, 53],
      ['op_sys', { name: { a: 1 } }, 400, 53],
      ['op_sys', { name: 'LINUX' }, 400, 32000],
      ['resolution', { name: '' }, 400, 50],
      ['op_sys', { name: 'new', sort_key: -1 }, 400, 53],
      ['op_sys', { name: 'new', sort_key: 32_768 }, 400, 53],
      ['op_sys', { name: 'new', sort_key: 'x' }, 400, 52],
      ['op_sys', { name: 'new', is_active: 'maybe' }, 400, 53],
      ['op_sys', { name: 'new', is_open: true }, 400, 53],
      ['op_sys', { name: 'new', visibility_values: ['TestProduct'] }, 400, 53],
      [select, { name: '---' }, 400, 32000],
      [controlled, { name: 'new', visibility_values: ['nosuch'] }, 404, 51],
      [controlled, { name: 'new', visibility_values: ['High', 'Low'] }, 400, 53],
      ['bug_status', { name: 'NEW' }, 400, 50],
      ['bug_status', { name: 'None', is_open: true }, 400, 53],
      ['bug_status', { name: 'duplicate', is_open: true }, 400, 53],
      ['bug_status', { name: 'CHANGE_RESOLUTION', is_open: false }, 400, 53],
      ['bug_status', { name: 'clearresolution', is_open: false }, 400, 53],
      ['product', { name: 'new' }, 400, 108],
      ['component', { name: 'new' }, 400, 108],
      ['version', { name: 'new' }, 400, 108],
      ['keywords', { name: 'new' }, 400, 108],
      ['classification', { name: 'new' }, 400, 108],
      ['short_desc', { name: 'new' }, 400, 108],
      ['cf_nosuch', { name: 'new' }, 400, 108],
    ]
    for (const [field, part, status, code] of wrong) {
      const reply = await world.ada.post(listPath(field), part)
      assert.deepEqual(
        [reply.status, reply.body.code],
        [status, code],
        `${field} ${JSON.stringify(part)}: ${reply.text}`,
      )
    }
    assert.equal((await valuesOf(world.nobody, 'bug_status')).length, 8)
    assert.equal((await valuesOf(world.nobody, controlled)).length, 3)
  })
})

describeOnEachEngine('PUT /rest/field/bug/(field)/values/(value)', (world) => {
  itOnOneEngine(world, 'changes what is given, and returns and logs the changes', async () => {
    const field = await newSelect(world, { value_field: 'priority' })
    const { body, status } = await world.ada.put(path(field, 'ONE'), {
      name: 'uno',
      sort_key: 7,
      is_active: false,
      visibility_values: ['High'],
    })
    assert.equal(status, 200)
    const changes = {
      name: { removed: 'one', added: 'uno' },
      sort_key: { removed: '100', added: '7' },
      is_active: { removed: '1', added: '0' },
      visibility_values: { removed: '', added: 'High' },
    }
    assert.deepEqual(body.values[0].changes, changes)
    assert.deepEqual(await oneValue(world.nobody, field, 'uno'), {
      id: body.values[0].id,
      name: 'uno',
      sort_key: 7,
      sortkey: 7,
      visibility_values: ['High'],
      is_active: false,
    })
    assert.equal((await auditOf(world, body.values[0].id)).length, 1 + Object.keys(changes).length)
    await world.ada.put(path(field, 'uno'), { visibility_values: [] })
    assert.deepEqual((await oneValue(world.nobody, field, 'uno')).visibility_values, [])
  })

  itOnOneEngine(world, 'reaches a value whose name has a slash, a percent sign or a question mark', async () => {
    for (const name of ['A/B', '100%', 'why?', 'a b', '…', '%2F']) {
      await newValue(world, 'op_sys', { name })
      assert.equal((await world.ada.put(path('op_sys', name), { sort_key: 9 })).status, 200, name)
      assert.equal((await oneValue(world.nobody, 'op_sys', name)).sort_key, 9)
      assert.equal((await world.ada.delete(path('op_sys', name))).body.name, name)
    }
  })

  itOnOneEngine(world, 'takes the id of a value where none has the digits for its name', async () => {
    const field = await newSelect(world, { values: ['one'] })
    const { body } = await world.ada.put(path(field, 'one'), {})
    const id = body.values[0].id as number
    await newValue(world, field, { name: String(id), sort_key: 1 })
    await world.ada.put(path(field, String(id)), { sort_key: 2 })
    assert.deepEqual(
      [
        (await oneValue(world.nobody, field, 'one')).sort_key,
        (await oneValue(world.nobody, field, String(id))).sort_key,
      ],
      [100, 2],
    )
    await world.ada.delete(path(field, String(id)))
    await world.ada.put(path(field, String(id)), { sort_key: 3 })
    assert.equal((await oneValue(world.nobody, field, 'one')).sort_key, 3)
  })

  it('lets bugs follow the new name, without history', async () => {
    const bug = await insertBug(world, { ...place, severity: 'trivial', priority: 'Low' })
    await world.ada.put(path('bug_severity', 'trivial'), { name: 'cosmetic' })
    await world.ada.put(path('priority', 'Low'), { name: 'Later' })
    const [row] = await world.db.query((q) =>
      q
        .selectFrom('bugs')
        .innerJoin('field_values as severity', 'severity.id', 'bugs.severity_id')
        .innerJoin('field_values as priority', 'priority.id', 'bugs.priority_id')
        .select(['severity.name as severity', 'priority.name as priority'])
        .where('bugs.id', '=', bug),
    )
    assert.deepEqual({ ...row }, { severity: 'cosmetic', priority: 'Later' })
    assert.deepEqual(await world.db.query((q) => q.selectFrom('bug_changes').select('id')), [])
  })

  itOnOneEngine(world, 'lets the parameter follow that names the value as the default, shipped or set', async () => {
    assert.equal(await parameter(world, 'defaultseverity'), 'normal')
    await world.ada.put(path('bug_severity', 'normal'), { name: 'medium' })
    assert.equal(await parameter(world, 'defaultseverity'), 'medium')
    await world.ada.put('/rest/parameters', { defaultopsys: 'linux' })
    await world.ada.put(path('op_sys', 'Linux'), { name: 'GNU/Linux' })
    assert.equal(await parameter(world, 'defaultopsys'), 'GNU/Linux')
    await world.ada.put(path('op_sys', 'Other'), { name: 'Something else' })
    assert.equal(await parameter(world, 'defaultopsys'), 'GNU/Linux')
    const { body } = await world.ada.get('/rest/audit?class=Tracker::Parameter')
    assert.ok(body.audit.some((it) => it.field === 'defaultseverity' && it.added === 'medium'))
  })

  itOnOneEngine(world, 'keeps the values that the tracker relies on in name and in use, but moves them', async () => {
    const select = await newSelect(world)
    const kept: [string, string][] = [
      ['bug_status', 'UNCONFIRMED'],
      ['bug_status', 'RESOLVED'],
      ['resolution', 'FIXED'],
      ['resolution', 'DUPLICATE'],
      [select, '---'],
    ]
    for (const [field, value] of kept) {
      assertRefused(await world.ada.put(path(field, value), { name: 'other' }), 400, 32000)
      assertRefused(
        await world.ada.put(path(field, value), { name: value === '---' ? '–' : value.toLowerCase() }),
        400,
        32000,
      )
      assertRefused(await world.ada.put(path(field, value), { is_active: false }), 400, 32000)
      assert.equal((await world.ada.put(path(field, value), { sort_key: 50 })).status, 200)
    }
    const [none = { id: 0 }] = await world.db.query((q) =>
      q.selectFrom('field_values').select('id').where('name', '=', ''),
    )
    assertRefused(await world.ada.put(path('resolution', String(none.id)), { name: 'OPEN' }), 400, 32000)
    assert.equal((await world.ada.put(path('resolution', String(none.id)), { sort_key: 1 })).status, 200)
  })

  itOnOneEngine(world, 'protects the status of duplicates whichever it is', async () => {
    await world.withParameters({ duplicate_or_move_bug_status: 'VERIFIED' }, async () => {
      assertRefused(await world.ada.put(path('bug_status', 'VERIFIED'), { name: 'CLOSED' }), 400, 32000)
      assert.equal((await world.ada.put(path('bug_status', 'RESOLVED'), { name: 'DONE' })).status, 200)
      assert.equal((await world.ada.put(path('bug_status', 'DONE'), { name: 'RESOLVED' })).status, 200)
    })
    assert.equal((await world.ada.put(path('bug_status', 'VERIFIED'), { name: 'CHECKED' })).status, 200)
    assert.equal((await world.ada.put(path('bug_status', 'CHECKED'), { name: 'VERIFIED' })).status, 200)
  })

  itOnOneEngine(world, 'keeps a default in use', async () => {
    assertRefused(await world.ada.put(path('priority', '---'), { is_active: false }), 400, 32000)
    await world.withParameters({ defaultpriority: '' }, async () => {
      assert.equal((await world.ada.put(path('priority', '---'), { is_active: false })).status, 200)
      await world.ada.put(path('priority', '---'), { is_active: true })
    })
  })

  itOnOneEngine(world, 'refuses to open a closed status, or to close an open one', async () => {
    assertRefused(await world.ada.put(path('bug_status', 'CONFIRMED'), { is_open: false }), 400, 32000)
    assertRefused(await world.ada.put(path('bug_status', 'VERIFIED'), { is_open: true }), 400, 32000)
    assert.equal((await world.ada.put(path('bug_status', 'CONFIRMED'), { is_open: true })).status, 200)
  })

  itOnOneEngine(
    world,
    'keeps a status for new bugs in use, and leaves inactive ones out of what can be changed to',
    async () => {
      assert.equal((await world.ada.put(path('bug_status', 'CONFIRMED'), { is_active: false })).status, 200)
      const fresh = (await valuesOf(world.nobody, 'bug_status'))[0]
      assert.deepEqual(fresh.can_change_to.map(({ name }) => name).sort(), ['IN_PROGRESS', 'UNCONFIRMED'])
      assertRefused(await world.ada.put(path('bug_status', 'IN_PROGRESS'), { is_active: false }), 400, 32000)
      assertRefused(await world.ada.delete(path('bug_status', 'IN_PROGRESS')), 400, 32000)
      await world.ada.put(path('bug_status', 'CONFIRMED'), { is_active: true })
    },
  )

  itOnOneEngine(world, 'changes several values alike, or none, and names one at a time', async () => {
    const field = await newSelect(world, { values: ['a', 'b', 'c'] })
    const { body } = await world.ada.put(path(field, 'a'), { names: ['b', 'A'], is_active: false })
    assert.equal(body.values.length, 2)
    assert.deepEqual(
      (await valuesOf(world.nobody, field)).map(({ is_active }) => is_active),
      [true, false, false, true],
    )
    assertRefused(await world.ada.put(path(field, 'a'), { names: ['---'], is_active: false, sort_key: 1 }), 400, 32000)
    assert.equal((await oneValue(world.nobody, field, 'a')).sort_key, 100)
    assertRefused(await world.ada.put(path(field, 'a'), { names: ['b'], name: 'd' }), 400, 32000)
  })

  itOnOneEngine(
    world,
    'refuses names that are taken, values that do not exist, unknown parameters, and users without the right',
    async () => {
      const field = await newSelect(world)
      assertRefused(await world.ada.put(path(field, 'one'), { name: 'TWO' }), 400, 32000)
      assert.equal((await world.ada.put(path(field, 'one'), { name: 'ONE' })).status, 200)
      assertRefused(await world.ada.put(path(field, 'three'), { sort_key: 1 }), 404, 51)
      assertRefused(await world.ada.put(path(field, 'one'), { colour: 'red' }), 400, 32601)
      assertRefused(await world.ada.put(path('keywords', 'one'), { sort_key: 1 }), 400, 108)
      assertRefused(await world.nobody.put(path(field, 'one'), { sort_key: 1 }), 401, 410)
      assertRefused(await world.nobody.put(path(field, 'nosuch'), { sort_key: 1 }), 401, 410)
      for (const client of [world.edna, world.pam, world.stan])
        assertRefused(await client.put(path(field, 'one'), { sort_key: 1 }), 401, 304)
      assert.equal((await oneValue(world.nobody, field, 'ONE')).sort_key, 100)
    },
  )
})

describeOnEachEngine('DELETE /rest/field/bug/(field)/values/(value)', (world) => {
  itOnOneEngine(world, 'deletes a value that nothing needs', async () => {
    for (const [field, value] of [
      ['op_sys', 'Windows'],
      ['platform', 'Macintosh'],
      ['priority', 'Lowest'],
      ['severity', 'trivial'],
      ['resolution', 'WORKSFORME'],
      ['bug_status', 'VERIFIED'],
    ] as const) {
      const { status, body } = await world.ada.delete(path(field, value))
      assert.equal(status, 200)
      assert.equal(body.name, value)
      const own = { platform: 'rep_platform', severity: 'bug_severity' }[field as string] ?? field
      assert.ok(!(await namesOf(world.nobody, own)).includes(value))
      assert.deepEqual((await auditOf(world, body.id)).at(-1), {
        field: '__remove__',
        removed: `${own}: ${value}`,
        added: '',
      })
    }
    const { body } = await world.nobody.get('/rest/workflow')
    assert.ok(!JSON.stringify(body).includes('VERIFIED'))
  })

  itOnOneEngine(world, 'refuses values that the tracker relies on or that a parameter names', async () => {
    const select = await newSelect(world)
    for (const [field, value] of [
      ['bug_status', 'UNCONFIRMED'],
      ['bug_status', 'RESOLVED'],
      ['resolution', 'FIXED'],
      ['resolution', 'DUPLICATE'],
      [select, '---'],
      ['op_sys', 'All'],
      ['rep_platform', 'All'],
      ['priority', '---'],
      ['bug_severity', 'normal'],
    ] as const) {
      assertRefused(await world.ada.delete(path(field, value)), 400, 32000)
      assert.ok((await namesOf(world.nobody, field)).includes(value))
    }
  })

  it('refuses values that bugs have', async () => {
    const select = await newSelect(world)
    const bug_id = await insertBug(world, {
      ...place,
      status: 'IN_PROGRESS',
      resolution: 'INVALID',
      priority: 'High',
      severity: 'blocker',
      op_sys: 'Linux',
      platform: 'PC',
    })
    const { body } = await world.ada.put(path(select, 'one'), {})
    const { id: field_id } = (await world.ada.get(`/rest/field/bug/${select}`)).body.fields[0]
    await world.db.query((q) =>
      q.insertInto('bug_custom_values').values({ bug_id, field_id, text_value: null, number_value: body.values[0].id }),
    )
    for (const [field, value] of [
      ['bug_status', 'IN_PROGRESS'],
      ['resolution', 'INVALID'],
      ['priority', 'High'],
      ['bug_severity', 'blocker'],
      ['op_sys', 'Linux'],
      ['rep_platform', 'PC'],
      [select, 'one'],
    ] as const)
      assertRefused(await world.ada.delete(path(field, value)), 400, 32000)
    assert.equal((await world.ada.delete(path(select, 'two'))).status, 200)
  })

  itOnOneEngine(world, 'refuses values with which fields or values are shown', async () => {
    const select = await newSelect(world)
    const shown = await newSelect(world, { value_field: select, values: [{ name: 'x', visibility_values: ['two'] }] })
    assertRefused(await world.ada.delete(path(select, 'two')), 400, 32000)
    assert.equal((await world.ada.delete(path(select, 'one'))).status, 200)
    await world.ada.delete(path(shown, 'x'))
    assert.equal((await world.ada.delete(path(select, 'two'))).status, 200)
  })

  itOnOneEngine(world, 'refuses what does not exist, and users without the right', async () => {
    const select = await newSelect(world)
    assertRefused(await world.ada.delete(path(select, 'three')), 404, 51)
    assertRefused(await world.ada.delete(path('cf_nosuch', 'one')), 400, 108)
    assertRefused(await world.nobody.delete(path(select, 'one')), 401, 410)
    for (const client of [world.edna, world.greta, world.uma])
      assertRefused(await client.delete(path(select, 'one')), 401, 304)
    assert.ok((await namesOf(world.nobody, select)).includes('one'))
  })
})

describeOnOneEngine('Parameters that name values', (world) => {
  it('take a value in use, in its own spelling', async () => {
    const { status, body } = await world.pam.put('/rest/parameters', {
      defaultopsys: 'linux',
      defaultplatform: 'pc',
      defaultpriority: 'HIGH',
      defaultseverity: 'Major',
    })
    assert.equal(status, 200)
    const added = Object.fromEntries(Object.entries(body.changes).map(([name, it]) => [name, it.added]))
    assert.deepEqual(added, {
      defaultopsys: 'Linux',
      defaultplatform: 'PC',
      defaultpriority: 'High',
      defaultseverity: 'major',
    })
  })

  it('may be empty, but for the status of duplicates', async () => {
    for (const name of ['defaultopsys', 'defaultplatform', 'defaultpriority', 'defaultseverity'])
      assert.equal((await world.pam.put('/rest/parameters', { [name]: '' })).status, 200)
    for (const value of ['', null])
      assertRefused(await world.pam.put('/rest/parameters', { duplicate_or_move_bug_status: value }), 400, 53)
  })

  it('refuse unknown and inactive values, and open statuses for duplicates', async () => {
    await newValue(world, 'op_sys', { name: 'Retired', is_active: false })
    const wrong = {
      defaultopsys: ['nosuch', 'Retired', 'PC'],
      defaultplatform: ['Linux'],
      defaultpriority: ['normal2'],
      defaultseverity: ['Highest'],
      duplicate_or_move_bug_status: ['CONFIRMED', 'FIXED', 'nosuch'],
    }
    for (const [name, values] of Object.entries(wrong)) {
      const before = await parameter(world, name)
      for (const value of values) assertRefused(await world.pam.put('/rest/parameters', { [name]: value }), 400, 53)
      assert.equal(await parameter(world, name), before)
    }
  })

  it('let every status reach the status of duplicates when that changes', async () => {
    const { status } = await world.pam.put('/rest/parameters', { duplicate_or_move_bug_status: 'verified' })
    assert.equal(status, 200)
    for (const value of (await valuesOf(world.nobody, 'bug_status')).slice(1))
      if (value.name !== 'VERIFIED')
        assert.ok(
          value.can_change_to.some(({ name }) => name === 'VERIFIED'),
          value.name,
        )
  })
})

describeOnEachEngine('Two administrators of values at once', (world) => {
  it('make one value of one name between them', async () => {
    const field = await newSelect(world)
    const replies = await Promise.all([1, 2, 3].map(() => world.ada.post(listPath(field), { name: 'contested' })))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400])
  })

  itOnPostgres(world, 'give one name to one value', async () => {
    const field = await newSelect(world)
    const replies = await Promise.all(
      ['one', 'two'].map((value) => world.ada.put(path(field, value), { name: 'contested' })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
    assert.equal((await namesOf(world.nobody, field)).filter((name) => name === 'contested').length, 1)
  })

  itOnPostgres(world, 'rename or delete a value, and the slower one gets an error', async () => {
    for (let round = 0; round < randomCases(2); round++) {
      const field = await newSelect(world)
      const [renamed, deleted] = await Promise.all([
        world.ada.put(path(field, 'one'), { name: 'uno' }),
        world.ada.delete(path(field, 'one')),
      ])
      const statuses = [renamed.status, deleted.status]
      assert.deepEqual([...statuses].sort(), [200, 404], renamed.text + deleted.text)
      assert.deepEqual((await namesOf(world.nobody, field)).includes('uno'), renamed.status === 200)
    }
  })

  itOnPostgres(world, 'never leave a parameter that names a value which the other deleted', async () => {
    for (let round = 0; round < randomCases(2); round++) {
      const value = await newValue(world, 'op_sys')
      const [set, deleted] = await Promise.all([
        world.ada.put('/rest/parameters', { defaultopsys: value }),
        world.ada.delete(path('op_sys', value)),
      ])
      assert.deepEqual([set.status, deleted.status].sort(), [200, 400], set.text + deleted.text)
      assert.ok((await namesOf(world.nobody, 'op_sys')).includes(await parameter(world, 'defaultopsys')))
    }
  })
})

describeOnOneEngine('What is kept in memory of fields', (world) => {
  it('is seen anew by the next request after every change', async () => {
    const field = await newSelect(world, { values: [] })
    for (let round = 0; round < 20; round++) {
      const name = await newValue(world, field)
      assert.ok((await namesOf(world.nobody, field)).includes(name))
      await world.ada.delete(path(field, name))
      assert.ok(!(await namesOf(world.nobody, field)).includes(name))
    }
  })
})

describeOnEachEngine('DELETE /rest/field/bug/(field)/values/(value) with replace_with', (world) => {
  const merge = (field: string, from: string, to: string, who = world.ada) =>
    who.delete(`${path(field, from)}?replace_with=${encodeURIComponent(to)}`)
  const lastChange = async (bug: number) => {
    const last = (await world.ada.get(`/rest/bug/${bug}/history`)).body.bugs[0].history.at(-1)
    return last?.changes
  }

  it('gives all bugs another value of each field, with a line of history', async () => {
    const fields = { severity: 'bug_severity', priority: 'priority', op_sys: 'op_sys', platform: 'rep_platform' }
    const hidden = await newHiddenProduct(world)
    for (const [name, field] of Object.entries(fields)) {
      const [from, to] = [await newValue(world, field), await newValue(world, field)]
      const bugs = [
        await fileBug(world.ada, { [name]: from }),
        await fileBug(world.ada, { [name]: from, product: hidden.name, component: 'Core', version: '1.0' }),
      ]
      const call = { method: 'DELETE', path: path(field, from), params: { replace_with: to } }
      const { effects } = (await world.ada.put('/rest/admin/changes', { dry_run: true, changes: [call] })).body
      assert.equal(effects.bugs_changed, 2)
      assert.equal((await merge(field, from, to)).status, 200)
      for (const bug of bugs) {
        assert.equal(await readField(world.ada, bug, name), to)
        assert.deepEqual(await lastChange(bug), [{ field_name: name, removed: from, added: to }])
      }
      assert.ok(!(await namesOf(world.ada, field)).includes(from))
    }
  })

  it('replaces resolutions and values of custom fields, and keeps one of two', async () => {
    const [from, to] = [await newValue(world, 'resolution'), await newValue(world, 'resolution')]
    const closed = await fileBug(world.ada)
    await world.ada.put(`/rest/bug/${closed}`, { status: 'RESOLVED', resolution: from })
    assert.equal((await merge('resolution', from, to)).status, 200)
    assert.deepEqual(
      [await readField(world.ada, closed, 'resolution'), await readField(world.ada, closed, 'is_open')],
      [to, false],
    )
    const [single, several] = [await newSelect(world), await newSelect(world, { type: 3, values: ['one', 'two', 'x'] })]
    const bug = await fileBug(world.ada, { [single]: 'one', [several]: ['one', 'x'] })
    const both = await fileBug(world.ada, { [several]: ['one', 'two'] })
    for (const field of [single, several]) assert.equal((await merge(field, 'one', 'two')).status, 200)
    assert.deepEqual(
      [await readField(world.ada, bug, single), await readField(world.ada, bug, several)],
      ['two', ['two', 'x']],
    )
    assert.deepEqual(await readField(world.ada, both, several), ['two'])
    assert.deepEqual(await lastChange(both), [{ field_name: several, removed: 'one', added: '' }])
  })

  it('updates the default and saved searches, and says in the audit log what replaced it', async () => {
    const [from, to] = [await newValue(world, 'priority'), await newValue(world, 'priority')]
    const { id } = sure(await oneValue(world.ada, 'priority', from))
    const query = `priority=${from}`
    const saved = (await world.ada.post('/rest/saved_search', { name: world.unique('search'), query })).body.id
    await world.withParameters({ defaultpriority: from }, async () => {
      assert.equal((await merge('priority', from, to)).status, 200)
      assert.equal(await parameter(world, 'defaultpriority'), to)
    })
    const { saved_searches } = (await world.ada.get('/rest/saved_search')).body
    assert.equal(saved_searches.find((it) => it.id === saved)?.query, `priority=${to}`)
    assert.deepEqual((await auditOf(world, id)).slice(-2), [
      { field: 'replaced_with', removed: from, added: to },
      { field: '__remove__', removed: `priority: ${from}`, added: '' },
    ])
  })

  it('refuses what bugs cannot have, and changes nothing then', async () => {
    const from = await newValue(world, 'resolution')
    for (const to of ['', 'DUPLICATE', from]) assertRefused(await merge('resolution', from, to), 400, 53)
    assertRefused(await merge('resolution', from, 'NOSUCH'), 404, 51)
    assertRefused(await merge('resolution', from, 'FIXED', world.edna), 401, 304)
    assertRefused(await merge('bug_status', 'IN_PROGRESS', 'CONFIRMED'), 400, 53)
    const unused = await newValue(world, 'priority', { is_active: false })
    assertRefused(await merge('priority', await newValue(world, 'priority'), unused), 400, 53)
    const field = await newSelect(world)
    assertRefused(await merge(field, 'one', '---'), 400, 53)
    assertRefused(await merge(field, '---', 'one'), 400, 32000)
    const shown = { visibility_field: field, visibility_values: ['one'] }
    await newSelect(world, shown)
    assertRefused(await merge(field, 'one', 'two'), 400, 32000)
  })

  itOnPostgres(world, 'is refused when somebody else deletes one of the two, and follows a new name', async () => {
    const [from, to, gone] = [
      await newValue(world, 'priority'),
      await newValue(world, 'priority'),
      await newValue(world, 'priority'),
    ]
    const bug = await fileBug(world.ada, { priority: from })
    const remove = () => world.ada.delete(path('priority', gone))
    const refused = await changedMeanwhile(world, () => merge('priority', from, gone), remove, 'configuration')
    assertRefused(refused, 404, 51)
    const rename = () => world.ada.put(path('priority', to), { name: `${to}x` })
    const [merged, renamed] = await beforeCommit(world, 'bugs', () => merge('priority', from, to), rename)
    assert.deepEqual([merged.status, renamed.status], [200, 200])
    assert.equal(await readField(world.ada, bug, 'priority'), `${to}x`)
  })
})
