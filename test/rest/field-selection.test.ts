import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LOOK_PARAMETERS } from '../../shared/look.ts'
import type { AnyBody } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { everyCall, makeCall } from '../support/every-call.ts'
import { describeOnEachEngine, describeOnSqlite } from '../support/world.ts'

/** The objects of an answer to which include_fields and exclude_fields apply: those in its lists, or its only object. */
function objectsIn(body: AnyBody): object[] {
  // What the caller may do besides, and the numbers of the inbox, are no fields of the objects.
  const { may_create: _, total: __, counts: ___, ...parts } = body
  return Object.values(parts)
    .flatMap((part) => (Array.isArray(part) ? part : [part]))
    .filter((it) => it !== null)
}

describeOnSqlite('field selection on every call that has it', (world) => {
  for (const { call, title } of everyCall.filter(({ call }) => call.selectsFields)) {
    it(`${title} answers only what is included`, async () => {
      const ask = (query: Record<string, string>) => makeCall(world.ada, call, { query: { ids: '1', ...query } })
      const whole = await ask({})
      if (whole.status !== 200) return assert.ok(whole.body.code !== 100500, whole.text)
      const none = await ask({ include_fields: 'no_such_field' })
      assert.equal(none.status, 200)
      for (const object of objectsIn(none.body)) assert.deepEqual(object, {})
      const all = await ask({ exclude_fields: '_all' })
      for (const object of objectsIn(all.body)) assert.deepEqual(object, {})
      const [field] = Object.keys(objectsIn(whole.body)[0] ?? {})
      if (field === undefined) return
      const one = await ask({ include_fields: field })
      for (const object of objectsIn(one.body)) assert.deepEqual(Object.keys(object), [field])
      const others = await ask({ exclude_fields: field })
      for (const object of objectsIn(others.body)) assert.ok(!(field in object))
    })
  }

  it('has something to select from', () => {
    assert.ok(everyCall.filter(({ call }) => call.selectsFields).length >= 7)
  })
})

describeOnSqlite('include_fields and exclude_fields', (world) => {
  const userWith = async (query: string) => {
    const { status, body, text } = await world.ada.get(`/rest/user/1?${query}`)
    assert.equal(status, 200, text)
    return body.users[0]
  }
  const fieldsWith = async (query: string) =>
    Object.keys(await userWith(query))
      .sort()
      .join(' ')

  it('take names separated by commas, spaces or plus signs, and repeated', async () => {
    for (const query of [
      'include_fields=id,name',
      'include_fields=id%2Cname',
      'include_fields=id%20name',
      'include_fields=id+name',
      'include_fields=id%2Bname',
      'include_fields=id&include_fields=name',
      'include_fields=id,,name,',
      'include_fields=id,name,nothing',
      'include_fields=id,name,real_name&exclude_fields=real_name',
      'include_fields=id,name,real_name,email&exclude_fields=real_name&exclude_fields=email',
    ])
      assert.equal(await fieldsWith(query), 'id name', query)
  })

  it('are case-sensitive', async () => {
    assert.equal(await fieldsWith('include_fields=ID,Name'), '')
    assert.match(await fieldsWith('exclude_fields=ID'), /\bid\b/)
  })

  it('mean the default fields when they are empty', async () => {
    const all = await fieldsWith('')
    for (const query of ['include_fields=', 'include_fields=,', 'exclude_fields=', 'include_fields=_default'])
      assert.equal(await fieldsWith(query), all)
  })

  it('choose among the parts of a field', async () => {
    const [only] = (await userWith('include_fields=groups.name')).groups
    assert.deepEqual(only, { name: 'admin' })
    const [but] = (await userWith('include_fields=id,groups&exclude_fields=groups.description')).groups
    assert.deepEqual(but, { id: 1, name: 'admin' })
    const beside = await userWith('exclude_fields=groups.id,groups.description')
    assert.deepEqual(beside.groups[0], { name: 'admin' })
    assert.equal(beside.name, cast.ada.login)
    assert.equal(await fieldsWith('include_fields=name,groups.name&exclude_fields=groups'), 'name')
  })

  it('reveal nothing that the caller may not see', async () => {
    const { body } = await world.nobody.get(
      `/rest/user?names=${cast.ada.login}&include_fields=_all,_extra,email,groups`,
    )
    assert.deepEqual(Object.keys(body.users[0]).sort(), ['id', 'name', 'nick', 'real_name'])
    const { body: returned } = await world.nobody.get(
      '/rest/parameters?include_fields=maintainer,mailfrom,inbound_proxies,_all',
    )
    const others = Object.keys(returned.parameters).filter((name) => !LOOK_PARAMETERS.some((it) => it === name))
    assert.deepEqual(others.sort(), [
      'collapsed_comment_tags',
      'link_templates',
      'maintainer',
      'requirelogin',
      'use_see_also',
      'useqacontact',
      'usestatuswhiteboard',
      'usetargetmilestone',
    ])
  })

  it('give extra fields only when they are named, or by _extra or _all', async () => {
    const group = await world.newGroup({ icon_url: 'https://icons.test/x.png' })
    const fields = async (query: string) =>
      Object.keys((await world.ada.get(`/rest/group/${group.id}?${query}`)).body.groups[0])
    assert.ok(!(await fields('')).includes('icon_url'))
    assert.ok(!(await fields('exclude_fields=id')).includes('icon_url'))
    assert.deepEqual(await fields('include_fields=icon_url'), ['icon_url'])
    assert.deepEqual((await fields('include_fields=_extra')).sort(), ['icon_url', 'is_system', 'may_grant'])
    assert.ok((await fields('include_fields=_all')).includes('icon_url'))
    assert.deepEqual(
      (await fields('include_fields=_default,icon_url')).sort(),
      [...(await fields('')), 'icon_url'].sort(),
    )
    assert.ok(!(await fields('include_fields=_all&exclude_fields=_extra')).includes('icon_url'))
  })

  it('go through JSONP and pages as well', async () => {
    assert.equal((await world.ada.get('/rest/user/1?include_fields=id&callback=f')).text, '/**/f({"users":[{"id":1}]})')
    const { text } = await world.ada.get('/rest/user/1?include_fields=id', { Accept: 'text/html' })
    assert.doesNotMatch(text, /real_name/)
  })

  it('are ignored by calls that have none', async () => {
    assert.ok((await world.nobody.get('/rest/version?include_fields=nothing')).body.version)
    assert.ok((await world.ada.get('/rest/whoami?exclude_fields=_all')).body.name)
  })

  it('may be as long as an address can be', async () => {
    const names = Array.from({ length: 3000 }, (_, count) => `f${count}`).join()
    assert.equal(await fieldsWith(`include_fields=${names},id`), 'id')
    assert.equal(await fieldsWith(`include_fields=id&exclude_fields=${'a.'.repeat(7000)}`), 'id')
  })
})

describeOnEachEngine('what is not asked for', (world) => {
  it('is not read', async () => {
    const ask = (query: string) => world.ada.get(`/rest/field/bug/keywords?${query}`)
    assert.deepEqual((await ask('')).body.fields[0].values, [])
    await world.db.script('alter table keywords rename to keywords_elsewhere')
    assert.equal((await ask('')).status, 500)
    assert.deepEqual((await ask('include_fields=name')).body.fields, [{ name: 'keywords' }])
    assert.equal((await ask('exclude_fields=values')).status, 200)
  })
})
