import assert from 'node:assert/strict'
import { it } from 'node:test'
import { insertBug, readBugRow } from '../support/bug-rows.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { beforeCommit } from '../support/interleave.ts'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import { type Client, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

async function newKeyword(world: World, name = world.unique('keyword')): Promise<{ id: number; name: string }> {
  const { status, body, text } = await world.ada.post('/rest/keyword', { name, description: `About ${name}` })
  assert.equal(status, 201, text)
  return { id: body.id, name }
}

/** A bug that has these keywords. */
const bugWith = (world: World, ...keywords: string[]) =>
  insertBug(world, { product: 'TestProduct', component: 'TestComponent', keywords })

async function keywordsOf(world: World, bug: number): Promise<string[]> {
  const rows = await world.db.query((q) =>
    q
      .selectFrom('bug_keywords')
      .innerJoin('keywords', 'keywords.id', 'bug_keywords.keyword_id')
      .select('keywords.name')
      .where('bug_id', '=', bug)
      .orderBy('name_key'),
  )
  return rows.map(({ name }) => name)
}

async function auditOf(world: World, id: number) {
  const { body } = await world.ada.get(`/rest/audit?class=Tracker::Keyword&id=${id}`)
  return body.audit.reverse().map(({ who, field, removed, added }) => [who, field, removed, added])
}

async function allNames(world: World): Promise<string[]> {
  return (await world.nobody.get('/rest/keyword')).body.keywords.map(({ name }) => name)
}

describeTogether.onOneEngine('GET /rest/keyword', (world) => {
  it('returns all keywords by name to every caller', async () => {
    for (const name of ['zebra', 'Ant', 'bee']) await newKeyword(world, name)
    assert.deepEqual(await allNames(world), ['Ant', 'bee', 'zebra'])
  })

  it('returns one, by name in any letter case or by id', async () => {
    const { id, name } = await newKeyword(world)
    for (const ref of [name.toUpperCase(), id]) {
      const { body } = await world.nobody.get(`/rest/keyword/${ref}?include_fields=id,name`)
      assert.deepEqual(body.keywords, [{ id, name }])
    }
  })

  it('prefers a keyword whose name is the digits to the one with that id', async () => {
    const { id } = await newKeyword(world)
    const digits = await newKeyword(world, String(id))
    const { body } = await world.nobody.get(`/rest/keyword/${id}`)
    assert.equal(body.keywords[0].id, digits.id)
  })

  it('finds a name that is encoded in the address', async () => {
    for (const name of ['a/b', '50%', 'C++', 'что?', '日本語']) {
      const { id } = await newKeyword(world, name)
      const { body } = await world.nobody.get(`/rest/keyword/${encodeURIComponent(name)}`)
      assert.deepEqual(body.keywords, [{ id, name, description: `About ${name}` }])
    }
  })

  it('returns 51 for one that does not exist', async () => {
    assertRefused(await world.nobody.get('/rest/keyword/nosuch'), 404, 51)
    assertRefused(await world.nobody.get('/rest/keyword/4711'), 404, 51)
  })
})

describeTogether.onOneEngine('POST /rest/keyword', (world) => {
  it('creates a keyword for members of editkeywords', async () => {
    const editor = await world.newUser()
    await world.ada.put(`/rest/user/${editor.id}`, { groups: { add: ['editkeywords'] } })
    const { status, body } = await editor.client.post('/rest/keyword', { name: ' mine ', description: ' Mine ' })
    assert.equal(status, 201)
    const found = await world.nobody.get('/rest/keyword/mine')
    assert.deepEqual(found.body.keywords, [{ id: body.id, name: 'mine', description: 'Mine' }])
    assert.deepEqual(await auditOf(world, body.id), [[editor.login, '__create__', '', 'mine']])
  })

  it('refuses anonymous callers and all other users, and an invalid keyword', async () => {
    const before = await allNames(world)
    const wanted = { name: 'x', description: 'x' }
    assertRefused(await world.nobody.post('/rest/keyword', wanted), 401, 410)
    for (const client of [world.edna, world.greta, world.pam])
      assertRefused(await client.post('/rest/keyword', wanted), 401, 304)
    for (const [part, code] of [
      [{ name: '' }, 50],
      [{ name: ' ' }, 50],
      [{ name: null }, 50],
      [{ name: undefined }, 50],
      [{ description: '' }, 50],
      [{ description: ' ' }, 50],
      [{ description: undefined }, 50],
      [{ name: 'two words' }, 53],
      [{ name: 'no\u00a0break' }, 53],
      [{ name: 'line\nbreak' }, 53],
      [{ name: 'bell\u0007' }, 53],
      [{ name: 'with,comma' }, 53],
      [{ name: ['x', 'y'] }, 53],
      [{ name: 'x'.repeat(65) }, 53],
      [{ description: 'x'.repeat(10_001) }, 53],
      [{ name: 'MINE' }, 32000],
    ] as const)
      assertRefused(await world.ada.post('/rest/keyword', { ...wanted, ...part }), 400, code)
    assert.deepEqual(await allNames(world), before)
    assert.equal((await world.ada.post('/rest/keyword', { ...wanted, name: 'x'.repeat(64) })).status, 201)
  })
})

describeTogether.onOneEngine('PUT /rest/keyword/(ref)', (world) => {
  it('lets bugs follow the new name, without history', async () => {
    const { id, name } = await newKeyword(world)
    const bug = await bugWith(world, name)
    const before = await readBugRow(world, bug)
    const { body } = await world.ada.put(`/rest/keyword/${name}`, { name: 'renamed' })
    assert.deepEqual(body, { keywords: [{ id, changes: { name: { removed: name, added: 'renamed' } } }] })
    assert.deepEqual(await keywordsOf(world, bug), ['renamed'])
    assert.deepEqual(await readBugRow(world, bug), before)
  })

  it('changes the description and the letter case of the name, and returns nothing for what is so already', async () => {
    const { id, name } = await newKeyword(world)
    const wanted = { name: name.toUpperCase(), description: ' Other ' }
    const { body } = await world.ada.put(`/rest/keyword/${id}`, wanted)
    assert.deepEqual(body.keywords[0].changes, {
      name: { removed: name, added: name.toUpperCase() },
      description: { removed: `About ${name}`, added: 'Other' },
    })
    assert.deepEqual((await world.ada.put(`/rest/keyword/${id}`, wanted)).body.keywords[0].changes, {})
    assert.equal((await auditOf(world, id)).length, 3)
    assertRefused(await world.ada.put(`/rest/keyword/${id}`, { name: ' ' }), 400, 50)
    assertRefused(await world.ada.put(`/rest/keyword/${id}`, { description: '' }), 400, 50)
  })

  it('refuses a taken name, an unknown parameter, an unknown keyword, and users without the right', async () => {
    const [one, two] = [await newKeyword(world), await newKeyword(world)]
    assertRefused(await world.ada.put(`/rest/keyword/${one.name}`, { name: two.name.toUpperCase() }), 400, 32000)
    assertRefused(await world.ada.put(`/rest/keyword/${one.name}`, { colour: 'red' }), 400, 32601)
    assertRefused(await world.ada.put('/rest/keyword/nosuch', { name: 'x' }), 404, 51)
    assertRefused(await world.nobody.put(`/rest/keyword/${one.name}`, { name: 'x' }), 401, 410)
    assertRefused(await world.edna.put(`/rest/keyword/${one.name}`, { name: 'x' }), 401, 304)
    assert.ok((await allNames(world)).includes(one.name))
  })
})

describeTogether('DELETE /rest/keyword/(ref)', (world) => {
  it('takes the keyword from bugs silently', async () => {
    const [one, two] = [await newKeyword(world), await newKeyword(world)]
    const bug = await bugWith(world, one.name, two.name)
    const before = await readBugRow(world, bug)
    const { status, body } = await world.ada.delete(`/rest/keyword/${one.name}`)
    assert.equal(status, 200)
    assert.deepEqual(body, one)
    assert.deepEqual(await keywordsOf(world, bug), [two.name])
    assert.deepEqual(await readBugRow(world, bug), before)
    assert.deepEqual((await auditOf(world, one.id)).at(-1), ['ada@lacewing.test', '__remove__', one.name, ''])
  })

  itOnOneEngine(world, 'leaves the name to a new keyword, which is another', async () => {
    const { id, name } = await newKeyword(world)
    await world.ada.delete(`/rest/keyword/${id}`)
    assertRefused(await world.nobody.get(`/rest/keyword/${name}`), 404, 51)
    assert.notEqual((await newKeyword(world, name)).id, id)
  })

  itOnOneEngine(world, 'refuses an unknown keyword, and users without the right', async () => {
    const { name } = await newKeyword(world)
    assertRefused(await world.ada.delete('/rest/keyword/nosuch'), 404, 51)
    assertRefused(await world.nobody.delete(`/rest/keyword/${name}`), 401, 410)
    assertRefused(await world.edna.delete(`/rest/keyword/${name}`), 401, 304)
    assert.ok((await allNames(world)).includes(name))
  })
})

describeTogether('DELETE /rest/keyword/(ref) with replace_with', (world) => {
  it('gives bugs the other keyword once, with a line of history, and renames it in saved searches', async () => {
    const [from, to] = [await newKeyword(world), await newKeyword(world)]
    const one = await fileBug(world.ada, { keywords: [from.name] })
    const both = await fileBug(world.ada, { keywords: [from.name, to.name] })
    const { name: product } = await newHiddenProduct(world)
    const hidden = await fileBug(world.ada, { product, component: 'Core', version: '1.0', keywords: [from.name] })
    const search = { name: world.unique('search'), query: `keywords=${from.name}` }
    const { id } = (await world.edna.post('/rest/saved_search', search)).body
    const call = { method: 'DELETE', path: `/rest/keyword/${from.name}`, params: { replace_with: to.name } }
    const { effects } = (await world.ada.put('/rest/admin/changes', { dry_run: true, changes: [call] })).body
    assert.deepEqual([effects.bugs_changed, effects.searches_changed], [3, 1])
    assert.ok((await allNames(world)).includes(from.name))
    const editor = await newMember(world, 'editkeywords')
    const done = await editor.client.put('/rest/admin/changes', { changes: [call] })
    assert.equal(done.status, 200, done.text)
    assert.equal(done.body.effects.bugs_changed, undefined)
    const read = async (bug: number) => {
      const last = (await world.ada.get(`/rest/bug/${bug}/history`)).body.bugs[0].history.at(-1)
      return [(await readBug(world.ada, bug)).keywords, last?.who, last?.changes]
    }
    const line = (added: string) => [{ field_name: 'keywords', removed: from.name, added }]
    assert.deepEqual(await read(one), [[to.name], editor.login, line(to.name)])
    assert.deepEqual(await read(hidden), [[to.name], editor.login, line(to.name)])
    assert.deepEqual(await read(both), [[to.name], editor.login, line('')])
    const { saved_searches } = (await world.edna.get('/rest/saved_search')).body
    assert.equal(saved_searches.find((it) => it.id === id)?.query, `keywords=${to.name}`)
    assert.ok(!(await allNames(world)).includes(from.name))
  })

  it('refuses the keyword itself, an unknown one, and users without the right', async () => {
    const { name } = await newKeyword(world)
    const merge = (who: Client, to: string) => who.delete(`/rest/keyword/${name}?replace_with=${to}`)
    assertRefused(await merge(world.ada, name.toUpperCase()), 400, 53)
    assertRefused(await merge(world.ada, 'nosuch'), 404, 51)
    assertRefused(await merge(world.edna, 'nosuch'), 401, 304)
    assert.ok((await allNames(world)).includes(name))
  })
})

describeTogether('Two administrators of keywords at once', (world) => {
  itOnPostgres(world, 'merge one that the other renames, or the other way round', async () => {
    const [from, to] = [await newKeyword(world), await newKeyword(world)]
    const bug = await fileBug(world.ada, { keywords: [from.name] })
    const merge = () => world.ada.delete(`/rest/keyword/${from.id}?replace_with=${to.id}`)
    const rename = () => world.ada.put(`/rest/keyword/${to.id}`, { name: `${to.name}-new` })
    const [merged, renamed] = await beforeCommit(world, 'bug_keywords', merge, rename)
    assert.deepEqual([merged.status, renamed.status], [200, 200])
    assert.deepEqual((await readBug(world.ada, bug)).keywords, [`${to.name}-new`])
  })

  itOnPostgres(world, 'merge two into each other, and the slower one gets an error', async () => {
    const [one, two] = [await newKeyword(world), await newKeyword(world)]
    const bug = await fileBug(world.ada, { keywords: [one.name, two.name] })
    const merge = (from: number, to: number) => () => world.ada.delete(`/rest/keyword/${from}?replace_with=${to}`)
    const replies = await beforeCommit(world, 'bug_keywords', merge(one.id, two.id), merge(two.id, one.id))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 404])
    assert.equal((await readBug(world.ada, bug)).keywords.length, 1)
  })

  it('create one keyword of the same name, and refuse the slower one', async () => {
    const wanted = { name: 'contested', description: 'x' }
    const replies = await Promise.all([1, 2, 3].map(() => world.ada.post('/rest/keyword', wanted)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400])
  })

  itOnPostgres(world, 'change different things of it, and both stay', async () => {
    const { id, name } = await newKeyword(world)
    await Promise.all([
      world.ada.put(`/rest/keyword/${id}`, { name: `${name}-new` }),
      world.ada.put(`/rest/keyword/${id}`, { description: 'Other' }),
    ])
    const { body } = await world.nobody.get(`/rest/keyword/${id}`)
    assert.deepEqual(body.keywords, [{ id, name: `${name}-new`, description: 'Other' }])
  })

  itOnPostgres(world, 'rename or delete it, and the slower one gets an error', async () => {
    for (let round = 0; round < randomCases(2); round++) {
      const { name } = await newKeyword(world)
      const replies = await Promise.all([
        world.ada.put(`/rest/keyword/${name}`, { name: `${name}-new` }),
        world.ada.delete(`/rest/keyword/${name}`),
      ])
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 404])
    }
  })
})
