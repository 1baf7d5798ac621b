import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, type Json, type World } from '../support/world.ts'

const names = (list: { name: string }[]) => list.map(({ name }) => name)

/** Somebody who may edit keywords, and nothing else. */
async function keywordEditor(world: World): Promise<Client> {
  const { id, client } = await world.newUser()
  await world.ada.put(`/rest/user/${id}`, { groups: { add: ['editkeywords'] } })
  return client
}

describeOnEachEngine('Keywords', (world) => {
  let editor: Client
  before(async () => {
    editor = await keywordEditor(world)
  })

  const make = async (name: string) =>
    (await editor.post('/rest/keyword', { name, description: `Means ${name}` })).body.id as number
  const get = async (ref: string | number) => (await world.nobody.get(`/rest/keyword/${ref}`)).body.keywords[0]

  it('are made by members of editkeywords, and read by everybody', async () => {
    const reply = await editor.post('/rest/keyword', { name: ' crash ', description: ' It crashes ' })
    assert.equal(reply.status, 201)
    const keyword = { id: reply.body.id, name: 'crash', description: 'It crashes' }
    assert.deepEqual(reply.body, { id: keyword.id })
    for (const client of [world.nobody, world.stan, world.ada])
      assert.deepEqual((await client.get('/rest/keyword/CRASH')).body, { keywords: [keyword] })
    assert.deepEqual((await world.nobody.get(`/rest/keyword/${keyword.id}`)).body, { keywords: [keyword] })
  })

  it('are made, changed and deleted by nobody else', async () => {
    const id = await make('guarded')
    for (const who of ['stan', 'edna', 'uma', 'greta', 'pam'] as const) {
      assertRefused(await world[who].post('/rest/keyword', { name: 'mine', description: 'X' }), 401, 304)
      assertRefused(await world[who].put(`/rest/keyword/${id}`, { description: 'X' }), 401, 304)
      assertRefused(await world[who].delete(`/rest/keyword/${id}`), 401, 304)
      assertRefused(await world[who].delete('/rest/keyword/nosuchkeyword'), 401, 304)
    }
    assertRefused(await world.nobody.post('/rest/keyword', { name: 'mine', description: 'X' }), 401, 410)
    assertRefused(await world.nobody.put(`/rest/keyword/${id}`, { description: 'X' }), 401, 410)
    assertRefused(await world.nobody.delete(`/rest/keyword/${id}`), 401, 410)
    assert.equal((await get(id)).description, 'Means guarded')
  })

  it('are listed by name, letter case aside', async () => {
    for (const name of ['zebra', 'Apple', 'banana', 'Ärger']) await make(name)
    const listed = names((await world.nobody.get('/rest/keyword')).body.keywords)
    const ours = listed.filter((name) => ['zebra', 'Apple', 'banana', 'Ärger'].includes(name))
    assert.deepEqual(ours, ['Apple', 'banana', 'zebra', 'Ärger'])
    const { body } = await world.nobody.get('/rest/keyword?include_fields=name')
    assert.deepEqual(Object.keys(body.keywords[0]), ['name'])
    assert.deepEqual((await world.nobody.get('/rest/keyword/apple?exclude_fields=id,description')).body.keywords, [
      { name: 'Apple' },
    ])
  })

  it('need a name and a description', async () => {
    for (const name of [undefined, null, '', '  '])
      assertRefused(await editor.post('/rest/keyword', { name, description: 'X' }), 400, 50)
    for (const description of [undefined, null, '', '  '])
      assertRefused(await editor.post('/rest/keyword', { name: 'nodescription', description }), 400, 50)
    const id = await make('needy')
    assertRefused(await editor.put(`/rest/keyword/${id}`, { name: '' }), 400, 50)
    assertRefused(await editor.put(`/rest/keyword/${id}`, { description: ' ' }), 400, 50)
  })

  it('are one word of at most 64 characters', async () => {
    for (const name of ['two words', 'a,b', 'line\nbreak', 'bell\u0007', 'no\u00a0break', 'x'.repeat(65)])
      assertRefused(await editor.post('/rest/keyword', { name, description: 'X' }), 400, 53)
    assertRefused(await editor.post('/rest/keyword', { name: ['a', 'b'], description: 'X' }), 400, 53)
    assertRefused(await editor.post('/rest/keyword', { name: 'long', description: 'x'.repeat(10_001) }), 400, 53)
    assert.equal((await editor.post('/rest/keyword', { name: 'x'.repeat(64), description: 'X' })).status, 201)
  })

  it('have a name that no other has, in any letter case', async () => {
    const id = await make('unique')
    const other = await make('other')
    for (const name of ['unique', 'UNIQUE', ' Unique '])
      assertRefused(await editor.post('/rest/keyword', { name, description: 'X' }), 400, 32000)
    assertRefused(await editor.put(`/rest/keyword/${other}`, { name: 'Unique' }), 400, 32000)
    assert.deepEqual((await editor.put(`/rest/keyword/${id}`, { name: 'UNIQUE' })).body.keywords[0].changes, {
      name: { removed: 'unique', added: 'UNIQUE' },
    })
  })

  it('are found by what is in an address only when it is encoded', async () => {
    for (const name of ['a/b', '50%', 'C++', 'что?', '日本語']) {
      const id = await make(name)
      assert.equal((await get(encodeURIComponent(name))).id, id, name)
    }
  })

  it('are found by a name of digits before an id', async () => {
    const first = await make('first-by-id')
    const digits = await make(String(first))
    assert.equal((await get(first)).id, digits)
    await editor.delete(`/rest/keyword/${first}`)
    assert.equal((await get(first)).id, first)
  })

  it('are renamed and described, and answer what changed', async () => {
    const id = await make('old')
    const { status, body } = await editor.put('/rest/keyword/OLD', { name: 'new', description: 'Anew' })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      keywords: [
        {
          id,
          changes: { name: { removed: 'old', added: 'new' }, description: { removed: 'Means old', added: 'Anew' } },
        },
      ],
    })
    assert.deepEqual((await editor.put(`/rest/keyword/${id}`, { name: ' new ' })).body.keywords[0].changes, {})
    assertRefused(await editor.put(`/rest/keyword/${id}`, { sort_key: 1 }), 400, 32601)
    assertRefused(await editor.put('/rest/keyword/old', { description: 'X' }), 404, 51)
    assertRefused(await world.nobody.get('/rest/keyword/old'), 404, 51)
  })

  it('are deleted, and then are not there', async () => {
    const id = await make('doomed')
    assert.deepEqual((await editor.delete('/rest/keyword/Doomed')).body, { id, name: 'doomed' })
    assertRefused(await world.nobody.get(`/rest/keyword/${id}`), 404, 51)
    assertRefused(await editor.delete(`/rest/keyword/${id}`), 404, 51)
    assert.ok(!names((await world.nobody.get('/rest/keyword')).body.keywords).includes('doomed'))
    const again = await make('doomed')
    assert.notEqual(again, id)
  })

  it('go to one of several who want the same name at once', async () => {
    const replies = await Promise.all(
      ['raced', 'RACED', 'Raced'].map((name) => editor.post('/rest/keyword', { name, description: 'X' })),
    )
    assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).sort(), [201, 32000, 32000])
  })

  it('keep what two people change at once', async () => {
    const id = await make('shared')
    await Promise.all([
      editor.put(`/rest/keyword/${id}`, { name: 'shared-by-two' }),
      world.ada.put(`/rest/keyword/${id}`, { description: 'By Ada' }),
    ])
    assert.deepEqual(await get(id), { id, name: 'shared-by-two', description: 'By Ada' })
  })

  it('stand in the audit log with every change', async () => {
    const id = await make('logged')
    await editor.put(`/rest/keyword/${id}`, { description: 'Changed' })
    await editor.delete(`/rest/keyword/${id}`)
    const { body } = await world.ada.get(`/rest/audit?class=Tracker::Keyword&id=${id}`)
    assert.deepEqual(
      body.audit.map(({ field, removed, added }: Json) => [field, removed, added]),
      [
        ['__remove__', 'logged', ''],
        ['description', 'Means logged', 'Changed'],
        ['__create__', '', 'logged'],
      ],
    )
  })
})
