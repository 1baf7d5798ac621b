import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isConfigurationCall } from '../../src/admin/changes/requested-changes.ts'
import { calls } from '../../src/routes.ts'
import { cast } from '../support/cast.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnOneEngine, type World } from '../support/world.ts'

interface Change {
  method: string
  path: string
  params?: object
}

/** One call that changes the configuration: what two administrators want with it, and where the result is read. */
interface Row {
  /** As in the list of all calls. */
  call: string
  path: string
  theirs: object
  mine: object
  read: string
}

describeOnOneEngine('PUT /rest/admin/changes with If-Match', (world) => {
  const change = (changes: readonly Change[], tag: number | string) =>
    world.ada.put('/rest/admin/changes', { changes }, { 'If-Match': String(tag) })
  const version = async (): Promise<number> => (await world.ada.get('/rest/admin/changes')).body.version
  const textOf = async (path: string) => (await world.ada.send('GET', path)).text

  it('refuses what somebody else has changed, whatever kind of object it is', async () => {
    const { rows, bystander } = await newObjects(world)
    const puts = configurationCalls('PUT')
    assert.deepEqual(rows.map((row) => row.call).sort(), puts.sort(), 'every call has its row')
    const untouched = { method: 'PUT', path: bystander, params: { description: 'Changed with the others' } }
    for (const { path, theirs, mine, read } of rows) {
      const old = await version()
      const theirChange = { method: 'PUT', path, params: theirs }
      const myChange = { method: 'PUT', path, params: mine }
      const saved = await change([theirChange], `"${old}"`)
      assert.equal(saved.status, 200, `${path}: ${saved.text}`)
      const [before, stored, beside] = [await version(), await textOf(read), await textOf(bystander)]
      assert.ok(before > old, path)
      const late = await change([untouched, myChange], `"${old}"`)
      assertRefused(late, 412, 32000)
      assert.deepEqual([late.body.reason, late.body.values.who], ['configuration_changed', cast.ada.login], path)
      assert.deepEqual([await version(), await textOf(read), await textOf(bystander)], [before, stored, beside], path)
      // The object of another call is no reason to refuse this one, and the version that was returned is the right tag.
      assert.equal((await change([untouched], `"${old}"`)).status, 200, path)
      const last = await change([myChange], `W/"${saved.body.version}"`)
      assert.equal(last.status, 200, `${path}: ${last.text}`)
      assert.notEqual(await textOf(read), stored, path)
      // With * whatever the others have done is overwritten.
      assert.equal((await change([theirChange], '*')).status, 200, path)
      await world.ada.put('/rest/keyword/bystander', { description: 'At first' })
    }
  })

  it('refuses to delete what somebody else has changed', async () => {
    const { rows, deletions } = await newObjects(world)
    const deletes = configurationCalls('DELETE').filter((it) => !it.includes(':id') || it.includes('canned'))
    assert.deepEqual(deletions.map((row) => row.call).sort(), deletes.sort(), 'every call has its row')
    for (const { call, path } of deletions) {
      const row = rows.find((it) => it.path === path)
      assert.ok(row, path)
      const [method, old] = ['DELETE', await version()]
      // Whatever it has now, one of the two is a change.
      for (const params of [row.mine, row.theirs])
        assert.equal((await change([{ method: 'PUT', path, params }], '*')).status, 200, path)
      const [before, stored] = [await version(), await textOf(row.read)]
      assert.ok(before > old, path)
      assertRefused(await change([{ method, path }], `"${old}"`), 412, 32000)
      assert.deepEqual([await version(), await textOf(row.read)], [before, stored], call)
      const done = await change([{ method, path }], `"${before}"`)
      assert.equal(done.status, 200, `${call}: ${done.text}`)
      assert.notEqual(await textOf(row.read), stored, call)
    }
  })

  it('refuses a wrong tag, and kinds of objects that are changed one by one, and changes nothing', async () => {
    const { bystander } = await newObjects(world)
    const described = { method: 'PUT', path: bystander, params: { description: 'Never' } }
    const [before, stored] = [await version(), await textOf(bystander)]
    for (const tag of ['""', '"x"', '"1" "2"', `"${before}", "${before + 1}"`, '**', '-1', '1e3'])
      assertRefused(await change([described], tag), 400, 53)
    for (const path of [
      '/rest/rotation/1',
      '/rest/triage/queue/1',
      '/rest/user/1',
      '/rest/webhook/1',
      '/rest/nothing/1',
    ])
      assertRefused(await change([described, { method: 'PUT', path }], `"${before}"`), 400, 32000)
    assert.deepEqual([await version(), await textOf(bystander)], [before, stored])
  })
})

function configurationCalls(method: string): string[] {
  return calls.filter((it) => it.method === method && isConfigurationCall(it)).map((it) => it.path)
}

/** One new object of each kind, all of them with one name. */
async function newObjects(world: World) {
  const { ada } = world
  const { name: product } = await newProduct(world)
  const name = world.unique('kind').replaceAll('-', '').toLowerCase()
  const about = { description: 'A' }
  const make = async (path: string, params: object): Promise<{ id: number }> => {
    const { status, body, text } = await ada.send('POST', path, params)
    assert.ok(status < 300, `${path}: ${text}`)
    return body as unknown as { id: number }
  }
  if ((await ada.get('/rest/keyword/bystander')).status !== 200)
    await make('/rest/keyword', { name: 'bystander', ...about })
  await make('/rest/classification', { name, ...about })
  await make('/rest/group', { name, ...about })
  await make('/rest/keyword', { name, ...about })
  const type = await make('/rest/flag_type', { name, ...about })
  const field = `cf_${name}`
  await make('/rest/field/bug', { name: field, display_name: name, type: 'single_select' })
  await make(`/rest/field/bug/${field}/values`, { name: 'One' })
  await make(`/rest/product/${product}/milestone`, { name })
  await make(`/rest/product/${product}/version`, { name })
  const part = { product, description: 'A part', default_assignee: cast.ada.login }
  const { id } = await make('/rest/component', { ...part, name })
  const other = await make('/rest/component', { ...part, name: `${name}-other` })
  const reply = await make('/rest/canned_reply', { name, text: 'Thank you', product })
  const [described, renamed] = [{ description: 'B' }, { description: 'C' }]
  const steps = (await ada.get('/rest/workflow')).body.transitions
  const withComment = steps.map((step) => ({ ...step, comment_required: true }))
  const at = (call: string, path: string, theirs: object, mine: object, read = path): Row => ({
    call,
    path: `/rest${path}`,
    theirs,
    mine,
    read: `/rest${read}`,
  })
  const replies = `/canned_reply?product=${product}&for_editing=1`
  const rows = [
    at('/group/:ref', `/group/${name}`, { user_regexp: '^nobody$' }, { user_regexp: '' }),
    at('/group/:ref/members', `/group/${name}/members`, { add: [cast.stan.login] }, { remove: [cast.stan.login] }),
    at('/classification/:ref', `/classification/${name}`, described, renamed),
    at('/product/:ref', `/product/${product}`, described, renamed),
    at(
      '/product/:product/version/:version',
      `/product/${product}/version/${name}`,
      { is_active: false },
      { is_active: true },
      `/product/${product}`,
    ),
    at(
      '/product/:product/milestone/:milestone',
      `/product/${product}/milestone/${name}`,
      { sort_key: 6 },
      { sort_key: 5 },
      `/product/${product}`,
    ),
    at('/component/:product/:component', `/component/${product}/${name}`, { is_active: false }, { is_active: true }),
    at('/component/:id', `/component/${other.id}`, described, renamed),
    at('/canned_reply/:id', `/canned_reply/${reply.id}`, { text: 'B' }, { text: 'C' }, replies),
    at(
      '/product/:product/group_control/:group',
      `/product/${product}/group_control/security`,
      { membercontrol: 'Shown', canedit: true },
      { membercontrol: 'Shown', canedit: false },
      `/product/${product}/group_control`,
    ),
    at('/flag_type/:ref', `/flag_type/${type.id}`, { sortkey: 7 }, { sortkey: 6 }, `/flag_type?ids=${type.id}`),
    at('/keyword/:ref', `/keyword/${name}`, described, renamed),
    at(
      '/field/bug/:field',
      `/field/bug/${field}`,
      { display_name: 'B', is_obsolete: true },
      { display_name: 'C', is_obsolete: false },
    ),
    at(
      '/field/bug/:field/values/:value',
      `/field/bug/${field}/values/One`,
      { sort_key: 6 },
      { sort_key: 5 },
      `/field/bug/${field}`,
    ),
    at('/workflow', '/workflow', { transitions: withComment }, { transitions: steps }),
    at(
      '/workflow/from/:from/:to',
      '/workflow/from/CONFIRMED/RESOLVED',
      { is_allowed: true, comment_required: false },
      { is_allowed: true, comment_required: true },
      '/workflow',
    ),
    at('/workflow/new/:to', '/workflow/new/RESOLVED', { is_allowed: true }, { is_allowed: false }, '/workflow'),
    at('/parameters', '/parameters', { whinedays: 8 }, { whinedays: 9 }, '/admin/parameters'),
  ]
  const deletions = rows.filter(
    ({ call }) => !/members|workflow|group_control|parameters|:id$/.test(call) || call.includes('canned'),
  )
  return { rows, deletions: deletions.reverse(), bystander: '/rest/keyword/bystander', id }
}
