import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MOST_FAILURES } from '../../src/access/authentication/lockout.ts'
import { passwordWork } from '../../src/platform/secrets/passwords.ts'
import { cast } from '../support/cast.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnOneEngine, type World } from '../support/world.ts'

const OLD = 'plainwords1'
const NEW = 'a longer password'

async function logIn(world: World, login: string, password: string): Promise<Client> {
  const { body } = await world.nobody.get(`/rest/login?login=${login}&password=${encodeURIComponent(password)}`)
  return world.as({ 'X-TRACKER-TOKEN': body.token })
}

async function canLogIn(world: World, login: string, password: string) {
  return (await world.nobody.get(`/rest/login?login=${login}&password=${encodeURIComponent(password)}`)).status === 200
}

describeOnEachEngine('PUT /rest/user/(self)', (world) => {
  itOnOneEngine(world, 'changes one’s own name', async () => {
    const { id, login, client } = await world.newUser({ password: OLD })
    for (const [ref, full_name] of [
      [id, 'One'],
      [login, 'Two'],
      [login.toUpperCase(), 'Three'],
    ]) {
      const { status, body } = await client.put(`/rest/user/${ref}`, { full_name })
      assert.equal(status, 200)
      assert.equal(body.users[0].changes.full_name?.added, full_name)
    }
    assert.equal((await client.get('/rest/whoami')).body.real_name, 'Three')
    assertRefused(await client.put(`/rest/user/${id}`, { full_name: 'x'.repeat(256) }), 400, 53)
    assert.deepEqual((await client.put(`/rest/user/${id}`, {})).body, { users: [{ id, changes: {} }] })
  })

  itOnOneEngine(world, 'changes the caller’s password with the old one, and reveals neither', async () => {
    const { id, login } = await world.newUser({ password: OLD })
    const session = await logIn(world, login, OLD)
    const reply = await session.put(`/rest/user/${id}`, { password: NEW, old_password: OLD })
    assert.equal(reply.status, 200)
    const hidden = { removed: '********', added: '********' }
    assert.deepEqual(reply.body, { users: [{ id, changes: { password: hidden, cryptpassword: hidden } }] })
    assert.ok(!(await canLogIn(world, login, OLD)))
    assert.ok(await canLogIn(world, login, NEW))
    const log = await world.ada.get(`/rest/audit?class=Tracker::User&id=${id}`)
    assert.deepEqual([log.body.audit[0].who, log.body.audit[0].field], [login, 'password'])
    for (const text of [log.text, reply.text, JSON.stringify(world.logged)])
      for (const secret of [OLD, NEW]) assert.ok(!text.includes(secret))
  })

  itOnOneEngine(
    world,
    'ends all other sessions with a new password, and keeps the one in use and the keys',
    async () => {
      const { id, login, client } = await world.newUser({ password: OLD })
      const [used, other] = [await logIn(world, login, OLD), await logIn(world, login, OLD)]
      await used.put(`/rest/user/${id}`, { password: NEW, old_password: OLD })
      assert.equal((await used.get('/rest/whoami')).status, 200)
      assertRefused(await other.get('/rest/whoami'), 400, 307)
      assert.equal((await client.get('/rest/whoami')).status, 200)
      await client.put(`/rest/user/${id}`, { password: OLD, old_password: NEW })
      assertRefused(await used.get('/rest/whoami'), 400, 307)
    },
  )

  itOnOneEngine(world, 'needs the old password, and refuses a wrong one like a wrong login', async () => {
    const { id, login, client } = await world.newUser({ password: OLD })
    assertRefused(await client.put(`/rest/user/${id}`, { password: NEW }), 400, 50)
    for (const old_password of ['', 'wrong', `${OLD}x`])
      assertRefused(await client.put(`/rest/user/${id}`, { password: NEW, old_password }), 401, 300)
    assertRefused(await client.put(`/rest/user/${id}`, { password: NEW, old_password: [OLD] }), 400, 53)
    assert.ok(await canLogIn(world, login, OLD))
  })

  itOnOneEngine(world, 'counts a wrong old password against the lockout, as a login does', async () => {
    const { id, login, client } = await world.newUser({ password: OLD })
    const change = (old_password: string) => client.put(`/rest/user/${id}`, { password: NEW, old_password })
    for (let times = 0; times < MOST_FAILURES; times++) assertRefused(await change(`wrong ${times}`), 401, 300)
    assertRefused(await change(OLD), 400, 32000)
    assertRefused(await world.nobody.get(`/rest/login?login=${login}&password=${OLD}`), 400, 32000)
    assert.equal((await client.put(`/rest/user/${id}`, { full_name: 'Free to rename' })).status, 200)
  })

  itOnOneEngine(world, 'takes the old password in a session although others have locked the account', async () => {
    const { id, login, client } = await world.newUser({ password: OLD })
    const session = await logIn(world, login, OLD)
    for (let times = 0; times < MOST_FAILURES; times++) assert.ok(!(await canLogIn(world, login, `wrong ${times}`)))
    const change = { password: NEW, old_password: OLD }
    assertRefused(await client.put(`/rest/user/${id}`, change), 400, 32000)
    assert.equal((await session.put(`/rest/user/${id}`, change)).status, 200)
  })

  itOnOneEngine(world, 'holds a new password to the rules, before it looks at the old one', async () => {
    const { id, login, client } = await world.newUser({ password: OLD })
    const before = passwordWork.derivations
    for (const password of ['short', '', ' '])
      assertRefused(await client.put(`/rest/user/${id}`, { password, old_password: OLD }), 400, 502)
    assertRefused(await client.put(`/rest/user/${id}`, { password: 'x'.repeat(1001), old_password: OLD }), 400, 53)
    assert.equal(passwordWork.derivations, before)
    assert.ok(await canLogIn(world, login, OLD))
  })

  itOnOneEngine(world, 'changes no password of an account that has none', async () => {
    const { id, client } = await world.newUser({ password: '' })
    for (const old_password of ['', ' ', 'anything'])
      assertRefused(await client.put(`/rest/user/${id}`, { password: NEW, old_password }), 401, 300)
    assertRefused(await client.put(`/rest/user/${id}`, { password: NEW }), 400, 50)
  })

  it('does not take an old password that an administrator has replaced in the meantime', async () => {
    const { id, login, client } = await world.newUser({ password: OLD })
    const replaced = 'chosen by ada 1'
    const reply = await changedMeanwhile(
      world,
      () => client.put(`/rest/user/${id}`, { password: NEW, old_password: OLD }),
      () => world.ada.put(`/rest/user/${id}`, { password: replaced }),
      'configuration',
    )
    assertRefused(reply, 401, 300)
    assert.ok(await canLogIn(world, login, replaced))
    assert.ok(!(await canLogIn(world, login, NEW)))
  })

  itOnOneEngine(world, 'needs a session, or a key with every scope and no end, for a password', async () => {
    const { id, login, client } = await world.newUser({ password: OLD })
    for (const wanted of [{ scopes: ['read', 'admin'] }, { expires_at: '2099-01-01' }]) {
      const { body } = await client.post(`/rest/user/${id}/api_key`, wanted)
      const limited = world.as({ 'X-TRACKER-API-KEY': body.api_key })
      assertRefused(await limited.put(`/rest/user/${id}`, { password: NEW, old_password: OLD }), 401, 304)
      assert.equal((await limited.put(`/rest/user/${id}`, { full_name: 'Renamed' })).status, 200)
    }
    const { body } = await client.post(`/rest/user/${id}/api_key`, { scopes: ['read', 'write'] })
    const limited = world.as({ 'X-TRACKER-API-KEY': body.api_key })
    assertRefused(await limited.put(`/rest/user/${id}`, { full_name: 'Renamed' }), 401, 304)
    assert.ok(await canLogIn(world, login, OLD))
  })

  itOnOneEngine(world, 'refuses everything else about oneself, and all about others', async () => {
    const [{ id, client }, other] = [await world.newUser({ password: OLD }), await world.newUser({ password: OLD })]
    for (const wanted of [
      { groups: { add: ['admin'] } },
      { bless_groups: { add: ['admin'] } },
      { login_denied_text: 'Left' },
      { email_enabled: false },
      { full_name: 'Me', groups: { add: ['editbugs'] } },
      { full_name: 'Us', ids: [other.id] },
      { full_name: 'Us', names: [other.login] },
      { full_name: 'Us', names: ['noone@lacewing.test'] },
    ])
      assertRefused(await client.put(`/rest/user/${id}`, wanted), 401, 304)
    for (const ref of [other.id, other.login, 'noone@lacewing.test', 4711]) {
      assertRefused(await client.put(`/rest/user/${ref}`, { full_name: 'You' }), 401, 304)
      assertRefused(await client.put(`/rest/user/${ref}`, { password: NEW, old_password: OLD }), 401, 304)
    }
    assertRefused(await client.put(`/rest/user/${id}`, { full_name: 'Me', real_name: 'Me' }), 400, 32601)
    assertRefused(await world.nobody.put(`/rest/user/${id}`, { password: NEW, old_password: OLD }), 401, 410)
    assert.equal((await client.get('/rest/whoami')).body.real_name, 'Somebody')
    assert.equal((await client.put(`/rest/user/${id}`, { full_name: 'Me', ids: [id] })).status, 200)
  })

  itOnOneEngine(
    world,
    'lets members of editusers change themselves as before, and look at an old password that they send',
    async () => {
      const user = await world.newUser({ password: OLD })
      await world.ada.put(`/rest/user/${user.id}`, { groups: { add: ['editusers'] } })
      const wrong = { password: NEW, old_password: 'wrong' }
      assertRefused(await user.client.put(`/rest/user/${user.id}`, wrong), 401, 300)
      assert.equal((await user.client.put(`/rest/user/${user.id}`, { password: NEW })).status, 200)
      const session = await logIn(world, user.login, NEW)
      assert.equal((await session.put(`/rest/user/${user.id}`, { password: OLD, old_password: NEW })).status, 200)
      assert.equal((await session.get('/rest/whoami')).status, 200)
      const about = { password: NEW, old_password: OLD }
      assertRefused(await session.put(`/rest/user/${cast.stan.login}`, about), 400, 53)
      assert.ok(await canLogIn(world, cast.stan.login, 'correct horse'))
    },
  )
})
