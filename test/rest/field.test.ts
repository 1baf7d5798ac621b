import assert from 'node:assert/strict'
import { it } from 'node:test'
import { restNameOf } from '../../shared/bug-fields/field-names.ts'
import { countQueries } from '../support/count-queries.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import type { Client, World } from '../support/world.ts'

const describeTogether = inOneWorld()

async function fieldOf(client: Client, name: string) {
  const { status, body, text } = await client.get(`/rest/field/bug/${encodeURIComponent(name)}`)
  assert.equal(status, 200, text)
  assert.equal(body.fields.length, 1)
  return body.fields[0]
}

async function valuesOf(client: Client, name: string) {
  return (await fieldOf(client, name)).values
}

const names = (list: { name: string }[]) => list.map(({ name }) => name)

const STANDARD =
  `bug_id short_desc classification product version rep_platform bug_file_loc op_sys bug_status status_whiteboard
  keywords resolution bug_severity priority component assigned_to reporter qa_contact assigned_to_realname reporter_realname
  qa_contact_realname cc dependson blocked attachments.description attachments.filename attachments.mimetype attachments.ispatch
  attachments.isobsolete attachments.isprivate attachments.submitter target_milestone creation_ts delta_ts longdesc
  longdescs.isprivate longdescs.count alias everconfirmed reporter_accessible cclist_accessible bug_group estimated_time
  remaining_time deadline commenter flagtypes.name requestees.login_name setters.login_name work_time percentage_complete content
  attach_data.thedata owner_idle_time see_also tag last_visit_ts comment_tag days_elapsed bug_type votes triage_owner code_state open_changes`.split(
    /\s+/,
  )

const OTHER_TYPES: Record<string, number> = {
  classification: 2,
  product: 2,
  rep_platform: 2,
  op_sys: 2,
  bug_status: 2,
  keywords: 8,
  resolution: 2,
  bug_severity: 2,
  bug_type: 2,
  priority: 2,
  component: 2,
  deadline: 5,
  see_also: 7,
  tag: 8,
  last_visit_ts: 5,
}

describeTogether.onOneEngine('GET /rest/field/bug', (world) => {
  it('returns the standard fields with the ids, names and types that clients know, to every caller', async () => {
    const { status, body } = await world.nobody.get('/rest/field/bug')
    assert.equal(status, 200)
    const returned = body.fields.map(({ id, name, type }) => [id, name, type])
    assert.deepEqual(
      returned,
      STANDARD.map((name, index) => [index + 1, name, OTHER_TYPES[name] ?? 0]),
    )
    assert.deepEqual(names(body.fields.filter((field) => field.is_mandatory)), [
      'short_desc',
      'product',
      'version',
      'component',
    ])
    assert.ok(body.fields.every((field) => !field.is_custom && !field.is_on_bug_entry))
    assert.ok(body.fields.every((field) => field.display_name.length > 0))
  })

  it('returns every key of a field that has no values', async () => {
    assert.deepEqual(await fieldOf(world.nobody, 'short_desc'), {
      id: 2,
      type: 0,
      is_custom: false,
      name: 'short_desc',
      display_name: 'Summary',
      is_mandatory: true,
      is_on_bug_entry: false,
      visibility_field: null,
      visibility_values: [],
      value_field: null,
      values: [],
    })
  })

  it('returns the shipped values by sort keys that leave room', async () => {
    const shipped = {
      bug_severity: ['blocker', 'critical', 'major', 'normal', 'minor', 'trivial', 'enhancement'],
      priority: ['Highest', 'High', 'Normal', 'Low', 'Lowest', '---'],
      op_sys: ['All', 'Windows', 'Mac OS', 'Linux', 'Other'],
      rep_platform: ['All', 'PC', 'Macintosh', 'Other'],
      resolution: ['', 'FIXED', 'INVALID', 'WONTFIX', 'DUPLICATE', 'WORKSFORME'],
    }
    for (const [field, values] of Object.entries(shipped))
      assert.deepEqual(
        await valuesOf(world.nobody, field),
        values.map((name, index) => ({
          name,
          sort_key: (index + 1) * 100,
          sortkey: (index + 1) * 100,
          visibility_values: [],
        })),
      )
  })

  it('returns statuses after a new bug, each with whether it is open and what it can change to', async () => {
    const statuses = await valuesOf(world.nobody, 'bug_status')
    const returned = statuses.map((it) => [it.name, it.sort_key, it.is_open, names(it.can_change_to)])
    assert.deepEqual(returned, [
      [null, 0, true, ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS']],
      ['UNCONFIRMED', 100, true, ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED']],
      ['CONFIRMED', 200, true, ['IN_PROGRESS', 'RESOLVED']],
      ['IN_PROGRESS', 300, true, ['CONFIRMED', 'RESOLVED']],
      ['RESOLVED', 400, false, ['UNCONFIRMED', 'CONFIRMED', 'VERIFIED']],
      ['VERIFIED', 500, false, ['UNCONFIRMED', 'CONFIRMED']],
    ])
    assert.deepEqual(statuses[0].can_change_to[0], { name: 'UNCONFIRMED', comment_required: false })
  })

  it('returns keywords with their name and description only', async () => {
    await world.ada.post('/rest/keyword', { name: 'regression', description: 'It worked before' })
    await world.ada.post('/rest/keyword', { name: 'Crash', description: 'It falls over' })
    const field = await fieldOf(world.nobody, 'keywords')
    assert.deepEqual(field.values, [
      { name: 'Crash', description: 'It falls over' },
      { name: 'regression', description: 'It worked before' },
    ])
    assert.equal(field.value_field, null)
    await world.ada.delete('/rest/keyword/crash')
    assert.deepEqual(names(await valuesOf(world.nobody, 'keywords')), ['regression'])
  })

  it('returns no values of product, and the classifications', async () => {
    assert.deepEqual(await valuesOf(world.nobody, 'product'), [])
    assert.deepEqual((await valuesOf(world.nobody, 'classification'))[0], {
      name: 'Unclassified',
      sort_key: 0,
      sortkey: 0,
      visibility_values: [],
    })
  })

  it('returns versions, milestones and components of the products that the caller may see', async () => {
    const open = await newProduct(world, ['Engine'])
    const hidden = await newHiddenProduct(world, ['Vault'])
    for (const version of ['1.10', '1.9'])
      await world.ada.post(`/rest/product/${open.name}/version`, { name: version, is_active: version === '1.9' })
    await world.ada.post(`/rest/product/${hidden.name}/milestone`, { name: 'Heist', sort_key: 7 })
    const of = <Value extends { visibility_values: readonly string[] }>(
      list: readonly Value[],
      product: { name: string },
    ) => list.filter((value) => value.visibility_values[0] === product.name)

    for (const client of [world.nobody, world.stan, world.sven]) {
      assert.deepEqual(of(await valuesOf(client, 'component'), open), [
        { name: 'Engine', sort_key: 0, sortkey: 0, visibility_values: [open.name], is_active: true },
      ])
      const versions = of(await valuesOf(client, 'version'), open)
      assert.deepEqual(
        versions.map(({ name, is_active }) => [name, is_active]),
        [
          ['1.0', true],
          ['1.9', true],
          ['1.10', false],
        ],
      )
    }
    assert.deepEqual(of(await valuesOf(world.sven, 'target_milestone'), hidden), [
      { name: '---', sort_key: 0, sortkey: 0, visibility_values: [hidden.name], is_active: true },
      { name: 'Heist', sort_key: 7, sortkey: 7, visibility_values: [hidden.name], is_active: true },
    ])
    for (const client of [world.nobody, world.stan]) {
      const { text } = await client.get('/rest/field/bug')
      for (const secret of [hidden.name, 'Vault', 'Heist']) assert.ok(!text.includes(secret), secret)
    }
    assert.ok((await world.sven.get('/rest/field/bug')).text.includes('Vault'))
    assert.equal((await fieldOf(world.nobody, 'component')).value_field, 'product')
  })

  it('returns classifications to those who may see a product in them', async () => {
    const hidden = await newHiddenProduct(world)
    await world.ada.post('/rest/classification', { name: 'Cellar', description: 'What is kept there', sort_key: 9 })
    await world.ada.put(`/rest/product/${hidden.name}`, { classification: 'Cellar' })
    const field = await world.ada.post('/rest/field/bug', {
      ...newField(world, { type: 2 }),
      value_field: 'classification',
      visibility_field: 'classification',
      visibility_values: ['Cellar', 'Unclassified'],
      values: [{ name: 'dark', visibility_values: ['Cellar'] }],
    })
    assert.equal(field.status, 201, field.text)
    for (const client of [world.nobody, world.stan]) {
      assert.deepEqual(names(await valuesOf(client, 'classification')), ['Unclassified'])
      assert.deepEqual((await fieldOf(client, field.body.name)).visibility_values, ['Unclassified'])
      assert.deepEqual(names(await valuesOf(client, field.body.name)), ['---'])
    }
    assert.deepEqual(names(await valuesOf(world.sven, 'classification')), ['Unclassified', 'Cellar'])
    assert.deepEqual((await fieldOf(world.sven, field.body.name)).visibility_values, ['Unclassified', 'Cellar'])
    assert.deepEqual(names(await valuesOf(world.sven, field.body.name)), ['---', 'dark'])
  })

  it('returns the fields that ids and names ask for, each once, in that order', async () => {
    const { body } = await world.nobody.get(
      '/rest/field/bug?names=priority&names=op_sys&ids=8&ids=14&include_fields=name',
    )
    assert.deepEqual(body.fields, [{ name: 'op_sys' }, { name: 'priority' }])
    const more = await world.nobody.get('/rest/field/bug/9?names=bug_status&ids=2&include_fields=name')
    assert.deepEqual(names(more.body.fields), ['bug_status', 'short_desc'])
  })

  it('returns only what include_fields and exclude_fields leave', async () => {
    const { body } = await world.nobody.get('/rest/field/bug/priority?include_fields=name,type,nonsense')
    assert.deepEqual(body.fields, [{ name: 'priority', type: 2 }])
    const without = await world.nobody.get('/rest/field/bug/priority?exclude_fields=values,id')
    assert.deepEqual(Object.keys(without.body.fields[0]).includes('values'), false)
    assert.equal(without.body.fields[0].display_name, 'Priority')
  })

  it('returns fields that Bugzilla does not have only on request', async () => {
    const { body } = await world.nobody.get(
      '/rest/field/bug/priority?include_fields=name,sort_key,is_obsolete,values.is_active',
    )
    assert.deepEqual(
      { ...body.fields[0], values: body.fields[0].values.slice(0, 1) },
      {
        name: 'priority',
        sort_key: 1400,
        is_obsolete: false,
        values: [{ name: 'Highest', sort_key: 100, sortkey: 100, visibility_values: [], is_active: true }],
      },
    )
  })

  it('refuses unknown fields, the names that bugs have for them, and invalid ids', async () => {
    for (const path of ['nosuch', 'status', '0', '99999999999', '1;drop', encodeURIComponent("x' or 1=1")])
      assertRefused(await world.nobody.get(`/rest/field/bug/${path}`), 404, 51)
    assertRefused(await world.nobody.get('/rest/field/bug?names=priority&names=nosuch'), 404, 51)
    assertRefused(await world.nobody.get('/rest/field/bug?ids=4711'), 404, 51)
    assertRefused(await world.nobody.get('/rest/field/bug?ids=one'), 400, 52)
    assertRefused(await world.nobody.get('/rest/field/bug?ids=-1'), 400, 52)
  })

  it('makes the same number of queries whatever there is, and none for what is left out', async () => {
    const counted = (path: string) => countQueries(world, () => world.nobody.get(path))
    const before = await counted('/rest/field/bug')
    await newProduct(world, ['One', 'Two', 'Three'])
    await addComponents(world, 2000)
    for (const type of [1, 2, 3]) await world.ada.post('/rest/field/bug', newField(world, { type }))
    assert.equal((await valuesOf(world.nobody, 'component')).length > 2000, true)
    assert.equal(await counted('/rest/field/bug'), before)
    const asking = await counted('/rest/version')
    assert.ok(before - asking <= 6, `${before - asking} queries`)
    for (const path of ['?include_fields=name', '/priority', '/bug_status', '/component?exclude_fields=values'])
      assert.equal(await counted(`/rest/field/bug${path}`), asking, path)
  })
})

function newField(world: World, more: Record<string, unknown> = {}) {
  return { name: world.unique('cf_field'), display_name: 'A field', type: 1, ...more }
}

/** As many components of TestProduct, put there past the calls that would take their time. */
async function addComponents(world: World, count: number) {
  const component = { product_id: 1, description: 'One of many', default_assignee_id: 1, default_qa_contact_id: null }
  for (let from = 0; from < count; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => `component ${from + index}`)
    await world.db.query((q) =>
      q.insertInto('components').values(rows.map((name) => ({ ...component, name, name_key: name, is_active: 1 }))),
    )
  }
}

describeTogether.onOneEngine('GET /rest/field/bug/(field)/values', (world) => {
  it('returns the names of values in use, under either name of the field', async () => {
    for (const [field, values] of [
      ['bug_status', ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'VERIFIED']],
      ['rep_platform', ['All', 'PC', 'Macintosh', 'Other']],
      ['bug_severity', ['blocker', 'critical', 'major', 'normal', 'minor', 'trivial', 'enhancement']],
      ['resolution', ['', 'FIXED', 'INVALID', 'WONTFIX', 'DUPLICATE', 'WORKSFORME']],
    ] as const)
      for (const name of [field, restNameOf(field)]) {
        const { status, body } = await world.nobody.get(`/rest/field/bug/${name}/values`)
        assert.equal(status, 200, name)
        assert.deepEqual(body, { values })
      }
  })

  it('leaves out values that are not active', async () => {
    await world.ada.put('/rest/field/bug/op_sys/values/Windows', { is_active: false })
    const { body } = await world.nobody.get('/rest/field/bug/op_sys/values')
    assert.deepEqual(body.values, ['All', 'Mac OS', 'Linux', 'Other'])
    assert.ok(names(await valuesOf(world.nobody, 'op_sys')).includes('Windows'))
    await world.ada.put('/rest/field/bug/op_sys/values/Windows', { is_active: true })
  })

  it('returns values of custom selects', async () => {
    const field = newField(world, { type: 2, values: ['red', 'green'] })
    await world.ada.post('/rest/field/bug', field)
    const { body } = await world.nobody.get(`/rest/field/bug/${field.name}/values`)
    assert.deepEqual(body.values, ['---', 'red', 'green'])
  })

  it('refuses fields that are no selects of their own', async () => {
    for (const name of ['product', 'keywords', 'classification', 'short_desc', 'summary', 'nosuch'])
      assertRefused(await world.nobody.get(`/rest/field/bug/${name}/values`), 400, 108)
  })

  it('needs a product for what belongs to products', async () => {
    for (const name of ['version', 'target_milestone', 'component'])
      assertRefused(await world.nobody.get(`/rest/field/bug/${name}/values`), 400, 50)
  })
})

describeTogether.onOneEngine('GET /rest/field/bug/(field)/(product_id)/values', (world) => {
  it('returns the active values of the product, in their order', async () => {
    const { id, name } = await newProduct(world, ['UI', 'Core'])
    for (const version of ['1.10', '1.9', '0.1'])
      await world.ada.post(`/rest/product/${name}/version`, { name: version, is_active: version !== '0.1' })
    await world.ada.post(`/rest/product/${name}/milestone`, { name: 'M1', sort_key: 10 })
    const answer = async (field: string) =>
      (await world.nobody.get(`/rest/field/bug/${field}/${id}/values`)).body.values
    assert.deepEqual(await answer('version'), ['1.0', '1.9', '1.10'])
    assert.deepEqual(await answer('component'), ['Core', 'UI'])
    assert.deepEqual(await answer('target_milestone'), ['---', 'M1'])
  })

  it('gives the same error for a hidden product, a missing one and an invalid id', async () => {
    const hidden = await newHiddenProduct(world, ['Vault'])
    const path = (product: number | string) => `/rest/field/bug/component/${product}/values`
    const texts = []
    for (const product of [hidden.id, 4711, hidden.name, 'TestProduct']) {
      const reply = await world.stan.get(path(product))
      assertRefused(reply, 401, 106)
      texts.push(reply.body.message.replace(String(product), ''))
    }
    assert.equal(new Set(texts).size, 1)
    assert.deepEqual((await world.sven.get(path(hidden.id))).body.values, ['Vault'])
  })

  it('takes no notice of the product for what belongs to none', async () => {
    const { body } = await world.nobody.get('/rest/field/bug/priority/whatever/values')
    assert.equal(body.values[0], 'Highest')
  })
})
