import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cast } from '../support/cast.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import { type Client, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const ALL = ['read', 'write', 'admin']

/** A user with a key that has just these properties. */
async function withKey(world: World, owner: { id: number; client: Client }, wanted: object) {
  const { body } = await owner.client.post(`/rest/user/${owner.id}/api_key`, wanted)
  return {
    id: body.id as number,
    secret: body.api_key as string,
    client: world.as({ 'X-TRACKER-API-KEY': body.api_key }),
  }
}

const ada = (world: World) => ({ id: 1, client: world.ada })
const inSeconds = (seconds: number) => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`

/** The owner with a token instead of a key. */
async function sessionOf(world: World, owner: { id: number; login: string }): Promise<Client> {
  await world.uma.put(`/rest/user/${owner.id}`, { password: 'a passphrase' })
  const { body } = await world.nobody.get(`/rest/login?login=${owner.login}&password=a%20passphrase`)
  return world.as({ 'X-TRACKER-TOKEN': body.token })
}

async function keyOf(owner: { id: number; client: Client }, id: number) {
  const { body } = await owner.client.get(`/rest/user/${owner.id}/api_key`)
  return body.api_keys.find((key) => key.id === id)
}

describeTogether.onOneEngine('POST /rest/user/(self)/api_key', (world) => {
  it('creates a key with every scope and without an expiry date, and shows it once', async () => {
    const { id, login, client } = await world.newUser()
    const { status, body } = await client.post(`/rest/user/${login}/api_key`)
    assert.equal(status, 201)
    const { api_key, created_at, ...rest } = body
    assert.match(api_key, /^[A-Za-z0-9]{40}$/)
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 10_000)
    assert.deepEqual(rest, {
      id: body.id,
      description: '',
      scopes: ALL,
      expires_at: null,
      is_revoked: false,
      last_used: null,
      resource: null,
      renewable_until: null,
    })
    const list = await client.get(`/rest/user/${id}/api_key`)
    assert.equal(list.body.api_keys.length, 2)
    assert.ok(!list.text.includes(api_key))
    assert.equal((await world.as({ 'X-TRACKER-API-KEY': api_key }).get('/rest/whoami')).body.id, id)
    assert.notEqual((await client.post(`/rest/user/${login}/api_key`)).body.api_key, api_key)
  })

  it('stores nothing from which the key could be computed', async () => {
    const { client, login } = await world.newUser()
    const { body } = await client.post(`/rest/user/${login}/api_key`)
    const rows = await world.db.query((q) => q.selectFrom('api_keys').selectAll())
    assert.ok(!JSON.stringify(rows).includes(body.api_key))
    assert.ok(!JSON.stringify(world.logged).includes(body.api_key))
  })

  it('takes one’s own id or login name, in any letter case', async () => {
    const { id, login, client } = await world.newUser()
    for (const ref of [id, login, login.toUpperCase(), `%20${login}`])
      assert.equal((await client.post(`/rest/user/${ref}/api_key`)).status, 201)
  })

  it('refuses anonymous callers, and other people’s accounts like accounts that do not exist', async () => {
    assertRefused(await world.nobody.post(`/rest/user/${cast.stan.login}/api_key`), 401, 410)
    for (const who of ['rhea', 'uma', 'greta'] as const) {
      const replies = [
        await world[who].post(`/rest/user/${cast.stan.login}/api_key`),
        await world[who].post('/rest/user/1/api_key'),
        await world[who].post('/rest/user/noone@lacewing.test/api_key'),
        await world[who].post('/rest/user/4711/api_key'),
      ]
      for (const reply of replies) assertRefused(reply, 401, 304)
      assert.equal(new Set(replies.map(({ body }) => body.message)).size, 1)
    }
  })

  it('lets members of admin make keys for others, and writes that down', async () => {
    const owner = await world.newUser()
    const { status, body } = await world.ada.post(`/rest/user/${owner.login}/api_key`, {
      description: 'Robot',
      scopes: ['read'],
    })
    assert.equal(status, 201)
    assert.equal((await world.as({ 'X-TRACKER-API-KEY': body.api_key }).get('/rest/whoami')).body.id, owner.id)
    const log = await world.ada.get(`/rest/audit?class=Tracker::User::APIKey&id=${body.id}`)
    const [{ who, field, added }] = log.body.audit
    assert.deepEqual([who, field, added], [cast.ada.login, '__create__', `Robot (read) of ${owner.login}`])
    assert.ok(!log.text.includes(body.api_key))
    assertRefused(await world.ada.post('/rest/user/noone@lacewing.test/api_key'), 404, 51)
    assertRefused(await world.ada.post('/rest/user/4711/api_key'), 404, 51)
  })

  it('writes nothing into the audit log about keys that people make for themselves', async () => {
    const { id, client } = await world.newUser()
    const { body } = await client.post(`/rest/user/${id}/api_key`)
    await client.delete(`/rest/user/${id}/api_key/${body.id}`)
    assert.deepEqual((await world.ada.get(`/rest/audit?class=Tracker::User::APIKey&id=${body.id}`)).body.audit, [])
  })

  it('takes scopes in any order, once each', async () => {
    const { id, client } = await world.newUser()
    const scopes = async (wanted: unknown) =>
      (await client.post(`/rest/user/${id}/api_key`, { scopes: wanted })).body.scopes
    assert.deepEqual(await scopes(['admin', 'read', 'admin']), ['read', 'admin'])
    assert.deepEqual(await scopes('write'), ['write'])
    assert.deepEqual((await client.post(`/rest/user/${id}/api_key?scopes=write&scopes=read`)).body.scopes, [
      'read',
      'write',
    ])
  })

  it('refuses scopes that do not exist, or none', async () => {
    const { id, client } = await world.newUser()
    for (const scopes of [['everything'], ['read', 'READ'], [''], [], ['read,write']])
      assertRefused(await client.post(`/rest/user/${id}/api_key`, { scopes }), 400, 53)
    assertRefused(await client.post(`/rest/user/${id}/api_key`, { scopes: [['read']] }), 400, 58)
    assertRefused(await client.post(`/rest/user/${id}/api_key`, { scopes: { read: true } }), 400, 58)
  })

  it('refuses an end that is past or is no time, and a description of more than 255 characters', async () => {
    const { id, client } = await world.newUser()
    for (const expires_at of ['2001-01-01', inSeconds(-1)])
      assertRefused(await client.post(`/rest/user/${id}/api_key`, { expires_at }), 400, 53)
    for (const expires_at of ['tomorrow', '2099-13-01', 5, ''])
      assertRefused(await client.post(`/rest/user/${id}/api_key`, { expires_at }), 400, 56)
    assertRefused(await client.post(`/rest/user/${id}/api_key`, { description: 'x'.repeat(256) }), 400, 53)
    const { body } = await client.post(`/rest/user/${id}/api_key`, { description: ' two\nlines ' })
    assert.equal(body.description, 'two lines')
  })

  it('gives no more scopes than the key in use has', async () => {
    const limited = await withKey(world, ada(world), { scopes: ['write', 'admin'] })
    assert.deepEqual((await limited.client.post('/rest/user/1/api_key')).body.scopes, ['write', 'admin'])
    assert.deepEqual((await limited.client.post('/rest/user/1/api_key', { scopes: ['write'] })).body.scopes, ['write'])
    for (const scopes of [['read'], ALL])
      assertRefused(await limited.client.post('/rest/user/1/api_key', { scopes }), 401, 304)
  })

  it('needs a session, or a key with the scope admin', async () => {
    const owner = await world.newUser()
    for (const scopes of [['read'], ['write'], ['read', 'write']]) {
      const limited = await withKey(world, owner, { scopes })
      assertRefused(await limited.client.post(`/rest/user/${owner.id}/api_key`, { scopes }), 401, 304)
    }
    const session = await sessionOf(world, owner)
    assert.equal((await session.post(`/rest/user/${owner.id}/api_key`)).status, 201)
  })

  it('needs the scope admin for the keys of others', async () => {
    const limited = await withKey(world, ada(world), { scopes: ['read', 'write'] })
    assertRefused(await limited.client.post(`/rest/user/${cast.stan.login}/api_key`), 401, 304)
    assertRefused(await limited.client.get(`/rest/user/${cast.stan.login}/api_key`), 401, 304)
    assertRefused(await limited.client.post('/rest/user/noone@lacewing.test/api_key'), 401, 304)
  })

  it('gives no more time than the key in use has', async () => {
    const end = inSeconds(3600)
    const limited = await withKey(world, ada(world), { expires_at: end })
    assert.equal((await limited.client.post('/rest/user/1/api_key')).body.expires_at, end)
    const sooner = inSeconds(1800)
    assert.equal((await limited.client.post('/rest/user/1/api_key', { expires_at: sooner })).body.expires_at, sooner)
    assertRefused(await limited.client.post('/rest/user/1/api_key', { expires_at: inSeconds(7200) }), 401, 304)
    assertRefused(
      await limited.client.post(`/rest/user/${cast.stan.login}/api_key`, { expires_at: '2099-01-01' }),
      401,
      304,
    )
  })
})

describeTogether.onOneEngine('GET /rest/user/(self)/api_key', (world) => {
  it('lists one’s own keys in the order in which they were made, revoked ones too', async () => {
    const owner = await world.newUser()
    const one = await withKey(world, owner, { description: 'one', scopes: ['read'], expires_at: '2099-01-01' })
    const two = await withKey(world, owner, { description: 'two' })
    await owner.client.delete(`/rest/user/${owner.id}/api_key/${one.id}`)
    const { body } = await owner.client.get(`/rest/user/${owner.login}/api_key`)
    const seen = body.api_keys.map(({ description, scopes, expires_at, is_revoked }) => [
      description,
      scopes,
      expires_at,
      is_revoked,
    ])
    assert.deepEqual(seen, [
      ['test', ALL, null, false],
      ['one', ['read'], '2099-01-01T00:00:00Z', true],
      ['two', ALL, null, false],
    ])
    assert.equal(body.api_keys[2].id, two.id)
  })

  it('shows other people’s keys to members of admin only', async () => {
    assert.equal((await world.ada.get(`/rest/user/${cast.stan.login}/api_key`)).body.api_keys.length, 1)
    for (const who of ['rhea', 'uma'] as const) {
      assertRefused(await world[who].get(`/rest/user/${cast.stan.login}/api_key`), 401, 304)
      assertRefused(await world[who].get('/rest/user/noone@lacewing.test/api_key'), 401, 304)
    }
    assertRefused(await world.nobody.get(`/rest/user/${cast.stan.login}/api_key`), 401, 410)
  })

  it('shows the time of the last use of a key, soon after', { timeout: 60_000 }, async () => {
    const owner = await world.newUser()
    const key = await withKey(world, owner, {})
    assert.equal((await keyOf(owner, key.id)).last_used, null)
    const before = inSeconds(0)
    await key.client.get('/rest/whoami')
    const until = Date.now() + 20_000
    while ((await keyOf(owner, key.id)).last_used === null && Date.now() < until) await sleep(200)
    const { last_used } = await keyOf(owner, key.id)
    assert.ok(last_used >= before && last_used <= inSeconds(0))
  })
})

describeTogether('PUT /rest/user/(self)/api_key/(id)', (world) => {
  itOnOneEngine(world, 'changes description, scopes and end, and returns what changed', async () => {
    const owner = await world.newUser()
    const key = await withKey(world, owner, { description: 'before' })
    const { status, body } = await owner.client.put(`/rest/user/${owner.id}/api_key/${key.id}`, {
      description: 'after',
      scopes: ['write', 'read'],
      expires_at: '2099-01-01T00:00:00Z',
    })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      api_keys: [
        {
          id: key.id,
          changes: {
            description: { removed: 'before', added: 'after' },
            scopes: { removed: 'read, write, admin', added: 'read, write' },
            expires_at: { removed: '', added: '2099-01-01T00:00:00Z' },
          },
        },
      ],
    })
    assert.deepEqual((await key.client.get('/rest/whoami')).body.scopes, ['read', 'write'])
    const again = await owner.client.put(`/rest/user/${owner.id}/api_key/${key.id}`, { description: ' after ' })
    assert.deepEqual(again.body.api_keys[0].changes, {})
  })

  itOnOneEngine(world, 'revokes a key for good', async () => {
    const owner = await world.newUser()
    const key = await withKey(world, owner, {})
    const path = `/rest/user/${owner.id}/api_key/${key.id}` as const
    assert.deepEqual((await owner.client.put(path, { is_revoked: false })).body.api_keys[0].changes, {})
    const { body } = await owner.client.put(path, { is_revoked: true })
    assert.deepEqual(body.api_keys[0].changes, { is_revoked: { removed: '0', added: '1' } })
    assertRefused(await key.client.get('/rest/whoami'), 400, 306)
    assertRefused(await owner.client.put(path, { is_revoked: false }), 400, 32000)
    assert.equal((await owner.client.put(path, { description: 'old', expires_at: '2099-01-01' })).status, 200)
    assertRefused(await key.client.get('/rest/whoami'), 400, 306)
  })

  itOnPostgres(world, 'leaves a key revoked that another user changes at the same moment', async () => {
    const owner = await world.newUser()
    for (let round = 0; round < randomCases(2); round++) {
      const key = await withKey(world, owner, {})
      const path = `/rest/user/${owner.id}/api_key/${key.id}` as const
      await Promise.all([
        ...['a', 'b', 'c'].map((description) => owner.client.put(path, { description })),
        world.ada.put(path, { is_revoked: true }),
        ...['d', 'e', 'f'].map((description) => owner.client.put(path, { description })),
      ])
      assert.equal((await keyOf(owner, key.id)).is_revoked, true)
      assertRefused(await key.client.get('/rest/whoami'), 400, 306)
    }
  })

  itOnOneEngine(world, 'refuses unknown parameters and values that a new key could not have', async () => {
    const owner = await world.newUser()
    const { id } = await withKey(world, owner, {})
    const path = `/rest/user/${owner.id}/api_key/${id}` as const
    assertRefused(await owner.client.put(path, { user_id: 1 }), 400, 32601)
    assertRefused(await owner.client.put(path, { scopes: ['all'] }), 400, 53)
    assertRefused(await owner.client.put(path, { scopes: [] }), 400, 53)
    assertRefused(await owner.client.put(path, { expires_at: '2001-01-01' }), 400, 53)
    assertRefused(await owner.client.put(path, { expires_at: 'never' }), 400, 56)
    assertRefused(await owner.client.put(path, { is_revoked: 'perhaps' }), 400, 53)
    assertRefused(await owner.client.put(path, { description: 'x'.repeat(256) }), 400, 53)
  })

  itOnOneEngine(world, 'refuses anonymous callers, other users, and keys that the owner does not have', async () => {
    const [owner, other] = [await world.newUser(), await world.newUser()]
    const { id } = await withKey(world, owner, {})
    const wanted = { description: 'Mine' }
    assertRefused(await world.nobody.put(`/rest/user/${owner.id}/api_key/${id}`, wanted), 401, 410)
    assertRefused(await other.client.put(`/rest/user/${owner.id}/api_key/${id}`, wanted), 401, 304)
    for (const ref of [id, 4711, '99999999999', 'x', '-1'])
      assertRefused(await other.client.put(`/rest/user/${other.id}/api_key/${ref}`, wanted), 404, 51)
    assertRefused(await world.ada.put(`/rest/user/${other.id}/api_key/${id}`, wanted), 404, 51)
  })

  itOnOneEngine(world, 'needs a session, or a key with the scope admin', async () => {
    const owner = await world.newUser()
    const path = (id: number) => `/rest/user/${owner.id}/api_key/${id}`
    const other = await withKey(world, owner, {})
    const limited = await withKey(world, owner, { scopes: ['read', 'write'] })
    for (const wanted of [{ description: 'mine' }, { scopes: ['read'] }, { is_revoked: true }]) {
      assertRefused(await limited.client.put(path(other.id), wanted), 401, 304)
      assertRefused(await limited.client.put(path(limited.id), wanted), 401, 304)
    }
    assertRefused(await limited.client.put(path(limited.id), { expires_at: inSeconds(900) }), 401, 304)
    const session = await sessionOf(world, owner)
    assert.equal((await session.put(path(limited.id), { scopes: ALL, expires_at: '2099-01-01' })).status, 200)
  })

  itOnOneEngine(world, 'widens no key beyond the scopes and the end of the key in use', async () => {
    const owner = await world.newUser()
    const path = (id: number) => `/rest/user/${owner.id}/api_key/${id}`
    const ending = await withKey(world, owner, { expires_at: inSeconds(3600) })
    const partial = await withKey(world, owner, { scopes: ['read', 'admin'] })
    const reader = await withKey(world, owner, { scopes: ['read'] })
    const brief = await withKey(world, owner, { scopes: ['read'], expires_at: inSeconds(1800) })

    assertRefused(await ending.client.put(path(reader.id), { scopes: ALL }), 401, 304)
    assertRefused(await ending.client.put(path(brief.id), { expires_at: '2099-01-01' }), 401, 304)
    assertRefused(await ending.client.put(path(ending.id), { expires_at: '2099-01-01' }), 401, 304)
    assertRefused(await partial.client.put(path(reader.id), { scopes: ['read', 'write'] }), 401, 304)
    assertRefused(await partial.client.put(path(ending.id), { expires_at: '2099-01-01' }), 401, 304)
    assert.deepEqual((await keyOf(owner, reader.id)).scopes, ['read'])

    assert.equal((await ending.client.put(path(brief.id), { scopes: ALL })).status, 200)
    assert.equal((await ending.client.put(path(brief.id), { expires_at: inSeconds(3000) })).status, 200)
    assert.equal((await partial.client.put(path(reader.id), { scopes: ['read', 'admin'] })).status, 200)
  })

  itOnOneEngine(world, 'lets a key with the scope admin narrow any key of its owner', async () => {
    const owner = await world.newUser()
    const path = (id: number) => `/rest/user/${owner.id}/api_key/${id}`
    const whole = await withKey(world, owner, {})
    const limited = await withKey(world, owner, { scopes: ['admin'], expires_at: inSeconds(1800) })
    assert.equal((await limited.client.put(path(whole.id), { scopes: ['read', 'write'] })).status, 200)
    assert.equal((await limited.client.put(path(whole.id), { expires_at: inSeconds(7200) })).status, 200)
    assert.equal((await limited.client.put(path(whole.id), { is_revoked: true })).status, 200)
  })

  itOnOneEngine(world, 'writes down what members of admin do to the keys of others', async () => {
    const owner = await world.newUser()
    const { id, secret } = await withKey(world, owner, { description: 'theirs' })
    await world.ada.put(`/rest/user/${owner.id}/api_key/${id}`, { scopes: ['read'] })
    await world.ada.delete(`/rest/user/${owner.login}/api_key/${id}`)
    const log = await world.ada.get(`/rest/audit?class=Tracker::User::APIKey&id=${id}`)
    assert.deepEqual(
      log.body.audit.map(({ who, field, removed, added }) => [who, field, removed, added]),
      [
        [cast.ada.login, 'is_revoked', '0', '1'],
        [cast.ada.login, 'scopes', 'read, write, admin', 'read'],
      ],
    )
    assert.ok(!log.text.includes(secret))
  })
})

describeTogether.onOneEngine('DELETE /rest/user/(self)/api_key/(id)', (world) => {
  it('revokes a key, as often as one likes, and keeps it in the list', async () => {
    const owner = await world.newUser()
    const { id, client } = await withKey(world, owner, { description: 'going' })
    for (let times = 0; times < 2; times++)
      assert.deepEqual((await owner.client.delete(`/rest/user/${owner.id}/api_key/${id}`)).body, { id, name: 'going' })
    assertRefused(await client.get('/rest/whoami'), 400, 306)
    assert.equal((await keyOf(owner, id)).is_revoked, true)
  })

  it('revokes even the key in use, which needs no scope but write', async () => {
    const owner = await world.newUser()
    const { id, client } = await withKey(world, owner, { scopes: ['write'] })
    const other = await withKey(world, owner, { scopes: ['write'] })
    assertRefused(await client.delete(`/rest/user/${owner.id}/api_key/${other.id}`), 401, 304)
    assert.equal((await keyOf(owner, other.id)).is_revoked, false)
    assert.equal((await client.delete(`/rest/user/${owner.id}/api_key/${id}`)).status, 200)
    assertRefused(await client.delete(`/rest/user/${owner.id}/api_key/${id}`), 400, 306)
  })

  it('refuses anonymous callers, other users, and keys that the owner does not have', async () => {
    const [owner, other] = [await world.newUser(), await world.newUser()]
    const { id, client } = await withKey(world, owner, {})
    assertRefused(await world.nobody.delete(`/rest/user/${owner.id}/api_key/${id}`), 401, 410)
    assertRefused(await other.client.delete(`/rest/user/${owner.id}/api_key/${id}`), 401, 304)
    assertRefused(await other.client.delete(`/rest/user/${other.id}/api_key/${id}`), 404, 51)
    assert.equal((await client.get('/rest/whoami')).status, 200)
  })
})

describeTogether('An API key', (world) => {
  it('is refused from the moment of its end', async () => {
    const owner = await world.newUser()
    const { id, client } = await withKey(world, owner, { expires_at: inSeconds(3600) })
    const end = (at: string) =>
      world.db.query((q) => q.updateTable('api_keys').set({ expires_at: at }).where('id', '=', id))
    await end(inSeconds(60))
    assert.equal((await client.get('/rest/whoami')).status, 200)
    await end(inSeconds(0))
    assertRefused(await client.get('/rest/whoami'), 400, 306)
    assertRefused(await client.get('/rest/parameters'), 400, 306)
  })

  itOnOneEngine(world, 'stays good when the password or the login of its owner changes', async () => {
    const owner = await world.newUser()
    await world.uma.put(`/rest/user/${owner.id}`, { password: 'plainwords2', email: 'key-owner@lacewing.test' })
    assert.equal((await owner.client.get('/rest/whoami')).body.name, 'key-owner@lacewing.test')
  })

  itOnOneEngine(world, 'is as good as the rights of its owner at the time, and its scopes', async () => {
    const owner = await world.newUser()
    const key = await withKey(world, owner, { scopes: ['admin'] })
    const wanted = () => key.client.post('/rest/keyword', { name: world.unique('k'), description: 'X' })
    assertRefused(await wanted(), 401, 304)
    await world.ada.put(`/rest/user/${owner.id}`, { groups: { add: ['editkeywords'] } })
    assert.equal((await wanted()).status, 201)
    assertRefused(await key.client.get('/rest/keyword'), 401, 304)
    await world.ada.put(`/rest/user/${owner.id}`, { groups: { remove: ['editkeywords'] } })
    assertRefused(await wanted(), 401, 304)
  })
})

describeTogether.onOneEngine('A key with fewer scopes or an end', (world) => {
  const limits = () => [{ scopes: ['admin'] }, { scopes: ['read', 'admin'] }, { expires_at: inSeconds(3600) }]

  it('sets no password, which would have every scope and no end', async () => {
    const other = await world.newUser()
    for (const wanted of limits()) {
      const limited = await withKey(world, ada(world), wanted)
      for (const ref of [1, other.id])
        assertRefused(await limited.client.put(`/rest/user/${ref}`, { password: 'hijacked 1' }), 401, 304)
      const email = `${world.unique('made')}@lacewing.test`
      assertRefused(await limited.client.post('/rest/user', { email, password: 'hijacked 1' }), 401, 304)
      assertRefused(await world.nobody.get(`/rest/login?login=${other.login}&password=hijacked%201`), 401, 300)
    }
  })

  it('gives nothing else that outlasts it: no account, address, right or parameter that decides who gets in', async () => {
    const [other, disabled] = [await world.newUser(), await world.newUser()]
    const { name } = await world.newGroup()
    await world.ada.put(`/rest/user/${disabled.id}`, { login_denied_text: 'Left' })
    const others = `/rest/user/${other.id}` as const
    const refused: [string, object][] = [
      ['/rest/user/1', { email: 'mine@lacewing.test' }],
      ['/rest/user/1', { email_code: '123456' }],
      [others, { email: 'mine@lacewing.test' }],
      [others, { groups: { add: ['admin'] } }],
      [others, { groups: { set: [name] } }],
      [others, { bless_groups: { add: [name] } }],
      [`/rest/user/${disabled.id}`, { login_denied_text: '' }],
      [`/rest/group/${name}`, { user_regexp: '@lacewing' }],
      [`/rest/group/${name}`, { member_groups: { add: ['editbugs'] } }],
      [`/rest/group/${name}`, { bless_groups: { add: ['editbugs'] } }],
      ...Object.entries({
        sign_in_providers: [
          { name: 'x', title: 'X', issuer: 'https://id.example', client_id: 'x', client_secret: 'x' },
        ],
        urlbase: 'https://evil.example/',
        createemailregexp: '@evil',
        emailsuffix: '@evil.example',
        insidergroup: name,
      }).map(([parameter, value]): [string, object] => ['/rest/parameters', { [parameter]: value }]),
    ]
    await world.ada.put('/rest/parameters', { allowemailchange: true, createemailregexp: '' })
    for (const wanted of limits()) {
      const limited = await withKey(world, ada(world), wanted)
      for (const [path, change] of refused) assertRefused(await limited.client.put(path, change), 401, 304)
      const email = `${world.unique('made')}@lacewing.test`
      assertRefused(await limited.client.post('/rest/user', { email }), 401, 304)
      assert.equal((await limited.client.put(others, { full_name: 'Renamed', password: '' })).status, 200)
      assert.equal((await limited.client.put(others, { groups: { remove: ['editbugs'], add: [] } })).status, 200)
      const why = { login_denied_text: world.unique('Left') }
      assert.equal((await limited.client.put(`/rest/user/${disabled.id}`, why)).status, 200, 'it may disable')
      assert.equal((await limited.client.put('/rest/parameters', { maxusermatches: 900 })).status, 200)
      const same = { createemailregexp: '' }
      assert.equal((await limited.client.put('/rest/parameters', same)).status, 200)
    }
    const unlimited = await withKey(world, ada(world), {})
    for (const [path, change] of refused.filter(
      ([path, change]) => path.includes('group') || !('email_code' in change),
    ))
      if (path !== '/rest/parameters' && path !== '/rest/user/1')
        assert.equal((await unlimited.client.put(path, change)).status, 200, JSON.stringify(change))
    await world.ada.put('/rest/parameters', { maxusermatches: 1000 })
  })

  it('gets no answer that was kept for another credential of the same user', async () => {
    const owner = await world.newUser()
    const path = `/rest/user/${owner.id}/api_key` as const
    const once = { 'Idempotency-Key': 'once-only' }
    const first = await owner.client.post(path, {}, once)
    assert.equal(first.status, 201)
    for (const wanted of [{ scopes: ['read', 'admin'] }, { expires_at: inSeconds(3600) }]) {
      const limited = await withKey(world, owner, wanted)
      assertRefused(await limited.client.post(path, {}, once), 422, 32000)
    }
    assert.equal((await owner.client.post(path, {}, once)).body.api_key, first.body.api_key)
  })
})
