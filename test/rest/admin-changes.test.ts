import assert from 'node:assert/strict'
import { it } from 'node:test'
import { countHidden } from '../../src/admin/changes/count-hidden.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { beforeCommit, changedMeanwhile } from '../support/interleave.ts'
import { newMember } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

const MANDATORY = { membercontrol: 'Mandatory', othercontrol: 'Mandatory' }

describeOnEachEngine('PUT /rest/admin/changes', (world) => {
  const change = (who: Client, changes: unknown, more: object = {}, headers: Record<string, string> = {}) =>
    who.put('/rest/admin/changes', { changes, ...more }, headers)
  const put = (path: string, params: object = {}) => ({ method: 'PUT', path, params })
  const version = async (): Promise<number> => (await world.ada.get('/rest/admin/changes')).body.version
  const productNamed = async (name: string) => (await world.ada.get(`/rest/product?names=${name}`)).body.products[0]

  it('makes all changes in their order, and each sees those before it', async () => {
    const name = world.unique('Together')
    const before = await version()
    const { status, body, text } = await change(world.ada, [
      { method: 'POST', path: '/rest/product', params: { name, description: 'One', version: '1' } },
      { method: 'POST', path: '/rest/component', params: partOf(name) },
      { method: 'POST', path: `/rest/product/${name}/version`, params: { name: '2' } },
      put(`/rest/product/${name}/group_control/security`, MANDATORY),
      put(`/rest/product/${name}`, { description: 'Two' }),
      { method: 'DELETE', path: `/rest/product/${name}/version/1` },
    ])
    assert.equal(status, 200, text)
    const product = await productNamed(name)
    assert.deepEqual(
      [product.description, product.versions.map((it) => it.name), product.components.length],
      ['Two', ['2'], 1],
    )
    assert.equal(body.responses.length, 6)
    assert.deepEqual(body.responses[0], { id: product.id })
    assert.ok(body.version > before)
    assert.equal(body.version, await version())
    const described = body.effects.changes.find((it) => it.class === 'Tracker::Product' && it.added === 'Two')
    assert.deepEqual([described.id, described.removed, described.bugs], [product.id, 'One', 0])
  })

  it('counts the bugs that lose a deleted keyword', async () => {
    const name = world.unique('lost')
    const { id } = (await world.ada.post('/rest/keyword', { name, description: 'X' })).body
    for (let count = 0; count < 2; count++) await fileBug(world.ada, { keywords: [name] })
    const { body } = await change(world.ada, [{ method: 'DELETE', path: `/rest/keyword/${name}` }], { dry_run: true })
    assert.deepEqual(body.effects.changes, [
      { class: 'Tracker::Keyword', id, field: '__remove__', removed: name, added: '', bugs: 2 },
    ])
    assertRefused(await change(world.ada, [{ method: 'DELETE', path: '/rest/keyword/nosuchword' }]), 404, 51)
  })

  it('counts the bugs that lose the flags of a deleted type', async () => {
    const name = world.unique('lost')
    const { id } = (await world.ada.post('/rest/flag_type', { name, description: 'X' })).body
    for (let count = 0; count < 2; count++)
      await fileBug(world.ada, {
        flags: [
          { name, status: '+' },
          { name, status: '?', new: true },
        ],
      })
    const remove = { method: 'DELETE', path: `/rest/flag_type/${id}`, params: { remove_flags: true } }
    const { body, text } = await change(world.ada, [remove], { dry_run: true })
    assert.deepEqual(
      [body.effects.changes, body.effects.bugs_changed],
      [[{ class: 'Tracker::FlagType', id, field: '__remove__', removed: name, added: '', bugs: 2 }], 2],
      text,
    )
    assertRefused(await change(world.ada, [{ method: 'DELETE', path: '/rest/flag_type/999999' }]), 404, 51)
  })

  it('counts the bugs whose value is hidden by a rule, also of a field that another one controls', async () => {
    const { ada } = world
    const [one, other] = [await newProduct(world), await newProduct(world)]
    const newField = async (params: object) =>
      (await ada.post('/rest/field/bug', { name: world.unique('cf_hidden'), display_name: 'F', ...params })).body.name
    const source = await newField({ type: 'single select', values: ['inside', 'outside'] })
    const place = await newField({ type: 'single select', values: ['hall'], value_field: source })
    const text = await newField({ type: 'free text' })
    const file = (product: string, values: object) =>
      fileBug(ada, { product, component: 'Core', version: '1.0', ...values })
    await file(one.name, { [text]: 'A', [source]: 'inside', [place]: 'hall' })
    await file(one.name, { [text]: '', [source]: 'outside' })
    await file(other.name, { [text]: 'B', [source]: 'outside', [place]: 'hall' })
    await file(other.name, { [text]: 'C' })
    const hiddenBy = async (...changes: object[]) => {
      const reply = await change(ada, changes, { dry_run: true })
      assert.equal(reply.status, 200, reply.text)
      return reply.body.effects.hidden
    }
    const rule = (visibility_field: string | null, ...visibility_values: string[]) =>
      put(`/rest/field/bug/${text}`, { visibility_field, visibility_values })
    assert.deepEqual(await hiddenBy(rule('product', one.name)), [{ field: text, display_name: 'F', bugs: 2 }])
    assert.deepEqual(await hiddenBy(rule('product', one.name, other.name)), [])
    assert.deepEqual(await hiddenBy(rule(source, 'inside')), [{ field: text, display_name: 'F', bugs: 2 }])
    assert.deepEqual(await hiddenBy(rule(source, 'inside', '---')), [{ field: text, display_name: 'F', bugs: 1 }])
    assert.deepEqual(await hiddenBy(rule('classification', 'Unclassified')), [])
    assert.deepEqual(await hiddenBy(put(`/rest/field/bug/${text}`, { is_obsolete: true })), [
      { field: text, display_name: 'F', bugs: 3 },
    ])
    assert.deepEqual(await hiddenBy(put(`/rest/field/bug/${text}`, { description: 'G' })), [])
    assert.deepEqual(await hiddenBy(put(`/rest/field/bug/${place}/values/hall`, { visibility_values: ['inside'] })), [
      { field: place, display_name: 'F', value: 'hall', bugs: 1 },
    ])
    assert.equal((await change(ada, [rule('product', one.name)])).status, 200)
    // Many values are counted in steps, with the same result.
    const [field] = (await ada.get(`/rest/field/bug/${text}`)).body.fields
    const entry = { class: 'Field', object_id: field.id, field: 'visibility_field' }
    for (const bugs of [1, 2, 1000])
      assert.deepEqual(await countHidden(world.db, [entry], { few: 1, bugs }), [
        { field: text, display_name: 'F', bugs: 2 },
      ])
    // A rule that is removed hides nothing.
    assert.deepEqual(await hiddenBy(rule(null)), [])
  })

  it('changes nothing if one of them is refused, and says which', async () => {
    const { name } = await newProduct(world)
    const before = await version()
    const reply = await change(world.ada, [
      put(`/rest/product/${name}`, { description: 'Lost' }),
      put('/rest/parameters', { whinedays: 3 }),
      { method: 'DELETE', path: `/rest/product/${name}/version/1.0` },
    ])
    assertRefused(reply, 400, 32000)
    assert.equal(reply.body.reason, 'version_is_last')
    assert.match(reply.body.message, /^Change 3, DELETE \/rest\/product\/.*: The version 1\.0/)
    assert.equal((await productNamed(name)).description, 'For a test')
    assert.equal(await version(), before)
  })

  it('says with dry_run what would happen, and does nothing', async () => {
    const product = await newProduct(world)
    const bug = await fileBug(world.edna, { product: product.name, component: 'Core', version: '1.0' })
    await world.edna.post('/rest/saved_search', { name: 'Mine', query: `product=${product.name}` })
    const member = await newMember(world)
    const group = world.unique('readers')
    const before = [await version(), (await world.edna.get(`/rest/bug/${bug}`)).text]
    const changes = [
      {
        method: 'POST',
        path: '/rest/group',
        params: { name: group, description: 'R', user_regexp: `^${member.login}$` },
      },
      put(`/rest/product/${product.name}/group_control/${group}`, MANDATORY),
      put(`/rest/product/${product.name}`, { name: `${product.name}-new` }),
    ]
    const { status, body, text } = await change(world.ada, changes, { dry_run: true })
    assert.equal(status, 200, text)
    assert.equal(body.version, undefined)
    const { changes: lines, members, milliseconds, ...numbers } = body.effects
    assert.deepEqual(numbers, {
      bugs_changed: 1,
      bugs_deleted: 0,
      hidden: [],
      restrictions: [{ group, added: 1, removed: 0 }],
      searches_changed: 1,
    })
    // The administrators are in it too.
    assert.deepEqual(members, [{ group, before: 0, after: 2 }])
    const renamed = lines.find((it) => it.class === 'Tracker::Product' && it.field === 'name')
    assert.deepEqual([renamed.added, renamed.bugs], [`${product.name}-new`, 1])
    assert.deepEqual([await version(), (await world.edna.get(`/rest/bug/${bug}`)).text], before)
    assertRefused(await world.ada.get(`/rest/group/${group}`), 404, 51)
    const { body: done } = await change(world.ada, changes)
    assert.deepEqual(
      { ...done.effects, changes: lines.length, milliseconds },
      { ...body.effects, changes: done.effects.changes.length },
    )
    assertRefused(await world.stan.get(`/rest/bug/${bug}`), 401, 102)
  })

  it('counts the bugs that have a value, a keyword and a flag, and those that are deleted', async () => {
    const product = await newProduct(world, ['Core', 'Old'])
    const keyword = world.unique('counted')
    await world.ada.post('/rest/keyword', { name: keyword, description: 'K' })
    for (const component of ['Core', 'Core', 'Old'])
      await fileBug(world.edna, {
        product: product.name,
        component,
        version: '1.0',
        priority: 'Low',
        keywords: [keyword],
      })
    await world.ada.put('/rest/parameters', { allowbugdeletion: true })
    const { body, text } = await change(
      world.ada,
      [
        put(`/rest/keyword/${keyword}`, { description: 'L' }),
        put(`/rest/component/${product.name}/Core`, { description: 'M' }),
        put('/rest/field/bug/priority/values/Low', { sort_key: 5000 }),
        { method: 'DELETE', path: `/rest/component/${product.name}/Old` },
      ],
      { dry_run: true },
    )
    const bugsOf = (name: string) => body.effects.changes.find((it) => it.class === `Tracker::${name}`)?.bugs
    assert.deepEqual([bugsOf('Keyword'), bugsOf('Component')], [2, 2], text)
    assert.ok(bugsOf('FieldValue') >= 2)
    assert.equal(body.effects.bugs_deleted, 1)
  })

  it('refuses with If-Match what somebody else has changed, and nothing else', async () => {
    const [one, other] = [await newProduct(world), await newProduct(world)]
    const read = await version()
    await world.ada.put(`/rest/product/${other.name}`, { description: 'Theirs' })
    const headers = { 'If-Match': `"${read}"` }
    assert.equal(
      (await change(world.ada, [put(`/rest/product/${one.name}`, { description: 'A' })], {}, headers)).status,
      200,
    )
    const late = await change(world.ada, [put(`/rest/product/${other.name}`, { description: 'B' })], {}, headers)
    assertRefused(late, 412, 32000)
    assert.deepEqual([late.body.reason, late.body.values.who], ['configuration_changed', cast.ada.login])
    assert.equal((await productNamed(other.name)).description, 'Theirs')
    await world.ada.put('/rest/parameters', { whinedays: 4 })
    assert.equal(
      (await change(world.ada, [put('/rest/parameters', { maxlocalattachment: 1 })], {}, headers)).status,
      200,
    )
    assertRefused(await change(world.ada, [put('/rest/parameters', { whinedays: 5 })], {}, headers), 412, 32000)
    const { name } = await newProduct(world)
    const later = { 'If-Match': '"999999999999999"' }
    assert.equal((await change(world.ada, [put(`/rest/product/${name}`, { description: 'C' })], {}, later)).status, 200)
    for (const wrong of ['"new"', '1 2', '-1'])
      assertRefused(
        await change(world.ada, [put('/rest/parameters', { whinedays: 5 })], {}, { 'If-Match': wrong }),
        400,
        53,
      )
  })

  it('lets only one of two administrators save at the same time', async () => {
    const { name } = await newProduct(world)
    const headers = { 'If-Match': `"${await version()}"` }
    const save = (description: string) =>
      change(world.ada, [put(`/rest/product/${name}`, { description })], {}, headers)
    const slow = await changedMeanwhile(
      world,
      () => save('Mine'),
      async () => assert.equal((await save('Theirs')).status, 200),
      'configuration',
    )
    assertRefused(slow, 412, 32000)
    assert.equal((await productNamed(name)).description, 'Theirs')
  })

  it('needs the rights of each call, and tells numbers to administrators only', async () => {
    const { name } = await newProduct(world)
    const editor = await newMember(world, 'editcomponents')
    const described = put(`/rest/product/${name}`, { description: 'Theirs' })
    const { status, body, text } = await change(editor.client, [described], { dry_run: true })
    assert.equal(status, 200, text)
    assert.deepEqual(Object.keys(body.effects), ['changes'])
    const known = (await change(world.ada, [described], { dry_run: true })).body.effects
    assert.ok(Number.isInteger(known.milliseconds) && known.milliseconds >= 0, 'how long others wait')
    assert.equal(body.effects.changes[0].bugs, undefined)
    const late = await change(editor.client, [described], {}, { 'If-Match': '0' })
    assertRefused(late, 412, 32000)
    assert.equal(late.body.values.who, 'Somebody')
    assertRefused(await change(editor.client, [described, put('/rest/parameters', { whinedays: 3 })]), 401, 304)
    assert.equal((await productNamed(name)).description, 'For a test')
    assertRefused(await change(world.stan, [described]), 401, 304)
    for (const [method, path] of [
      ['POST', '/rest/admin/backup'],
      ['DELETE', '/rest/admin/setup'],
      ['PUT', '/rest/admin/changes'],
    ]) {
      const refused = await change(world.ada, [described, { method, path }])
      assertRefused(refused, 400, 32000)
      assert.match(refused.body.message, new RegExp(`${method} “?${path}”? is no call that changes the configuration`))
    }
    assert.equal((await productNamed(name)).description, 'For a test')
    assertRefused(await change(world.nobody, [described]), 401, 410)
    assertRefused(await world.nobody.get('/rest/admin/changes'), 401, 410)
  })

  it('shows no entry of the audit log that others make meanwhile', async () => {
    const editor = await newMember(world, 'editkeywords')
    const died = { attempts: 9, created_at: '2020-01-01T00:00:00Z', died_at: '2020-01-01T00:00:00Z' }
    const [job] = await world.db.query((q) =>
      q
        .insertInto('jobs')
        .values({ queue: 'mail', lane: '1', payload: '{}', ...died })
        .returning('id'),
    )
    const name = world.unique('meanwhile')
    const keyword = { method: 'POST', path: '/rest/keyword', params: { name, description: 'X' } }
    const [changed, deleted] = await beforeCommit(
      world,
      'keywords',
      () => change(editor.client, [keyword]),
      () => world.ada.delete(`/rest/mail/undelivered?ids=${job?.id}`),
    )
    assert.deepEqual(deleted.body, { ids: [job?.id] })
    assert.deepEqual(
      changed.body.effects.changes.map(({ added }) => added),
      [name],
    )
  })

  it('refuses a key that was revoked before the changes began', async () => {
    const { body } = await world.ada.post('/rest/user/1/api_key', { description: 'for this' })
    const keyed = world.as({ 'X-TRACKER-API-KEY': body.api_key })
    const reply = await changedMeanwhile(
      world,
      () => change(keyed, [put('/rest/parameters', { whinedays: 6 })]),
      () => world.ada.delete(`/rest/user/1/api_key/${body.id}`),
      'configuration',
    )
    assertRefused(reply, 400, 306)
  })

  itOnOneEngine(world, 'takes only calls that change the configuration', async () => {
    const wrong = [
      put('/rest/bug/1', { summary: 'X' }),
      put('/rest/user/1', { real_name: 'X' }),
      put('/rest/admin/changes', { changes: [] }),
      put('/rest/parameters?whinedays=3'),
      put('/rest/nothing'),
      put('/parameters'),
      { method: 'POST', path: '/rest/setup', params: { code: 'x' } },
      put('/rest/product/%ff'),
      { method: 'GET', path: '/rest/product/1' },
      { method: 'put', path: '/rest/parameters' },
      { method: 'PUT', path: 5 },
      { method: 'PUT', path: '/rest/parameters', params: [] },
      { method: 'PUT', path: '/rest/parameters', body: {} },
      put('/rest/product/a%00b', { description: 'X' }),
      null,
      'PUT',
    ]
    for (const one of wrong) {
      const { status, body } = await change(world.ada, [one])
      assert.ok(status === 400 && body.error, JSON.stringify(one))
    }
    for (const changes of [[], {}, 'x', 3, new Array(201).fill(put('/rest/parameters'))])
      assert.equal((await change(world.ada, changes)).status, 400)
    assertRefused(await world.ada.put('/rest/admin/changes', {}), 400, 50)
    assertRefused(await change(world.ada, [put('/rest/parameters')], { dryrun: true }), 400, 32601)
  })
})

function partOf(product: string) {
  return { product, name: 'Core', description: 'A part', default_assignee: cast.ada.login }
}
