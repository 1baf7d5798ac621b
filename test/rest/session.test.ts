import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast, PASSWORD } from '../support/cast.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, describeOnOneEngine, itOnOneEngine, type World } from '../support/world.ts'

const PROXY = '127.0.0.1'
const from = (address: string) => ({ 'X-Forwarded-For': address })
const credentials = (login: string, password = PASSWORD) => `login=${login}&password=${encodeURIComponent(password)}`

async function login(world: World, who: 'stan' | 'rhea', more = '', headers = {}): Promise<string> {
  const { status, body } = await world.nobody.get(`/rest/login?${credentials(cast[who].login)}${more}`, headers)
  assert.equal(status, 200)
  return body.token
}

const using = (world: World, token: string) => world.as({ 'X-TRACKER-TOKEN': token })

/** As if nobody had used the token for that many days. */
async function age(world: World, sessionId: number, days: number) {
  const then = `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)}Z`
  await world.db.query((q) => q.updateTable('login_tokens').set({ last_used_at: then }).where('id', '=', sessionId))
}

async function sessionsOf(world: World, token: string) {
  return (await using(world, token).get('/rest/session')).body.sessions
}

describeOnOneEngine('GET /rest/login', (world) => {
  it('returns the id and a new token each time, all of them good', async () => {
    const { body } = await world.nobody.get(`/rest/login?${credentials(cast.stan.login)}`)
    assert.deepEqual(Object.keys(body), ['id', 'token'])
    assert.equal(body.id, 5)
    assert.match(body.token, /^5-[A-Za-z0-9]{32}$/)
    const other = await login(world, 'stan')
    assert.notEqual(other, body.token)
    for (const token of [body.token, other])
      assert.equal((await using(world, token).get('/rest/whoami')).body.name, cast.stan.login)
  })

  it('needs a login name and a password, for every caller', async () => {
    for (const client of [world.nobody, world.stan])
      for (const query of ['', `login=${cast.stan.login}`, 'password=x', 'login=', 'password='])
        assertRefused(await client.get(`/rest/login?${query}`), 400, 50)
    assertRefused(await world.nobody.get(`/rest/login?${credentials(cast.stan.login, 'wrong')}`), 401, 300)
  })

  it('takes an empty login or password for a wrong one, however often it comes', async () => {
    for (let count = 0; count < 3; count++)
      for (const query of [
        'login=&password=',
        'login=&password=x',
        `login=${cast.stan.login}&password=`,
        `Bugzilla_login=${cast.stan.login}&Bugzilla_password=`,
      ])
        assertRefused(await world.nobody.get(`/rest/login?${query}`), 401, 300)
    assert.ok(await login(world, 'stan'), 'nothing was counted')
  })

  it('stores nothing from which the token could be computed, and does not log it', async () => {
    const token = await login(world, 'stan')
    const rows = await world.db.query((q) => q.selectFrom('login_tokens').selectAll())
    assert.ok(!JSON.stringify(rows).includes(token))
    assert.ok(!JSON.stringify(world.logged).includes(token))
  })

  it('sets no cookie', async () => {
    const { headers } = await world.nobody.get(`/rest/login?${credentials(cast.stan.login)}`)
    assert.equal(headers.get('set-cookie'), null)
  })

  it('restricts the token to the address of the client on request', async () => {
    await world.withParameters({ inbound_proxies: PROXY }, async () => {
      for (const more of [
        '&restrict_login=true',
        '&Tracker_restrictlogin=1',
        '&Bugzilla_restrictlogin=1',
        '&restrict_login=True',
      ]) {
        const token = await login(world, 'stan', more, from('203.0.113.5'))
        assert.equal((await using(world, token).get('/rest/whoami', from('203.0.113.5'))).status, 200, more)
        assertRefused(await using(world, token).get('/rest/whoami', from('203.0.113.6')), 400, 307)
        assertRefused(await using(world, token).get('/rest/whoami', from('203.0.113.5, 203.0.113.6')), 400, 307)
        assertRefused(await using(world, token).get('/rest/whoami'), 400, 307)
      }
      const free = await login(world, 'stan', '&restrict_login=0', from('203.0.113.5'))
      assert.equal((await using(world, free).get('/rest/whoami', from('203.0.113.6'))).status, 200)
    })
  })

  it('trusts an address only from a configured proxy', async () => {
    const token = await login(world, 'stan', '&restrict_login=1', from('203.0.113.5'))
    assert.equal((await using(world, token).get('/rest/whoami', from('198.51.100.1'))).status, 200)
    const [session] = (await sessionsOf(world, token)).slice(-1)
    assert.equal(session.address, PROXY)
  })

  it('refuses a restriction that is neither yes nor no', async () => {
    assertRefused(await world.nobody.get(`/rest/login?${credentials(cast.stan.login)}&restrict_login=perhaps`), 400, 53)
  })

  it('returns a token that expires after thirty days without use', async () => {
    const token = await login(world, 'stan')
    const { id } = (await sessionsOf(world, token)).find(({ is_current }) => is_current)
    await age(world, id, 29)
    assert.equal((await using(world, token).get('/rest/whoami')).status, 200)
    await age(world, id, 31)
    assertRefused(await using(world, token).get('/rest/whoami'), 400, 307)
    assert.equal((await world.nobody.get(`/rest/valid_login?login=${cast.stan.login}&token=${token}`)).body, false)
    const others = await sessionsOf(world, await login(world, 'stan'))
    assert.ok(others.every((session) => session.id !== id))
    const stored = await world.db.query((q) => q.selectFrom('login_tokens').select('id').where('id', '=', id))
    assert.deepEqual(stored, [], 'the next login deletes it')
  })
})

describeOnOneEngine('GET /rest/logout', (world) => {
  it('ends the token and no other', async () => {
    const [one, two] = [await login(world, 'stan'), await login(world, 'stan')]
    assert.deepEqual((await world.nobody.get(`/rest/logout?token=${one}`)).body, { result: null })
    assertRefused(await using(world, one).get('/rest/whoami'), 400, 307)
    assert.equal((await using(world, two).get('/rest/whoami')).status, 200)
    assert.deepEqual((await using(world, two).get('/rest/logout')).body, { result: null })
    assertRefused(await using(world, two).get('/rest/whoami'), 400, 307)
  })

  it('does nothing when the token is not in use, or there is none', async () => {
    const token = await login(world, 'stan')
    for (const query of [`?token=${token}`, `?token=${token}`, '?token=nonsense', '?token=5-0000000000', '?token=', ''])
      assert.deepEqual((await world.nobody.get(`/rest/logout${query}`)).body, { result: null }, query)
    assert.deepEqual((await world.stan.get('/rest/logout')).body, { result: null })
    assert.equal((await world.stan.get('/rest/whoami')).status, 200)
  })

  it('clears the cookies that Bugzilla may have left', async () => {
    const { headers } = await world.nobody.get('/rest/logout')
    const cookies = headers.getSetCookie()
    assert.ok(cookies.some((cookie) => cookie.startsWith('Bugzilla_logincookie=;')))
    for (const cookie of cookies) assert.match(cookie, /Max-Age=0/)
  })
})

describeOnOneEngine('GET /rest/valid_login', (world) => {
  const valid = async (query: string, client = world.nobody, headers = {}) =>
    (await client.get(`/rest/valid_login?${query}`, headers)).body

  it('is true for the login of a token, in any letter case, and for no other', async () => {
    const token = await login(world, 'stan')
    assert.equal(await valid(`login=${cast.stan.login}&token=${token}`), true)
    assert.equal(await valid(`login=STAN@lacewing.test%20&token=${token}`), true)
    assert.equal(await valid(`login=${cast.rhea.login}&token=${token}`), false)
    assert.equal(await valid(`login=noone@lacewing.test&token=${token}`), false)
    assert.equal(await valid(`login=${cast.stan.login}`, using(world, token)), true)
  })

  it('is false for a token that has expired, never existed, or is not a token', async () => {
    const token = await login(world, 'stan')
    await world.nobody.get(`/rest/logout?token=${token}`)
    for (const dead of [token, 'nonsense', '5-00000000000000000000000000000000', ''])
      assert.equal(await valid(`login=${cast.stan.login}&token=${dead}`), false)
    assert.equal(await valid(`login=${cast.stan.login}`), false)
  })

  it('is false for a token that is restricted to another address', async () => {
    await world.withParameters({ inbound_proxies: PROXY }, async () => {
      const token = await login(world, 'stan', '&restrict_login=1', from('203.0.113.5'))
      const query = `login=${cast.stan.login}&token=${token}`
      assert.equal(await valid(query, world.nobody, from('203.0.113.5')), true)
      assert.equal(await valid(query, world.nobody, from('203.0.113.6')), false)
    })
  })

  it('is about the API key when there is no token', async () => {
    assert.equal(await valid(`login=${cast.stan.login}`, world.stan), true)
    assert.equal(await valid(`login=${cast.rhea.login}`, world.stan), false)
    assertRefused(await world.nobody.get(`/rest/valid_login?login=${cast.stan.login}&api_key=wrong`), 400, 306)
  })

  it('needs a login', async () => {
    assertRefused(await world.nobody.get('/rest/valid_login'), 400, 50)
    assertRefused(await world.stan.get('/rest/valid_login?login='), 400, 50)
    assertRefused(await world.nobody.get('/rest/valid_login?login=a&login=b'), 400, 53)
  })
})

describeOnOneEngine('GET /rest/session', (world) => {
  it('lists one’s own sessions without their tokens, and marks the one in use', async () => {
    const token = await login(world, 'rhea')
    await login(world, 'rhea', '&restrict_login=1')
    await login(world, 'stan')
    const reply = await using(world, token).get('/rest/session')
    const seen = reply.body.sessions.map(({ address, is_current }) => [address, is_current])
    assert.deepEqual(seen, [
      [null, true],
      [PROXY, false],
    ])
    for (const { created_at, last_used } of reply.body.sessions) {
      assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 10_000)
      assert.ok(last_used >= created_at)
    }
    assert.ok(!reply.text.includes(token))
    assert.deepEqual(
      (await world.rhea.get('/rest/session')).body.sessions.map((it) => it.is_current),
      [false, false],
    )
  })

  it('refuses anonymous callers', async () => {
    assertRefused(await world.nobody.get('/rest/session'), 401, 410)
  })
})

describeOnOneEngine('DELETE /rest/session/(id)', (world) => {
  it('ends one of one’s own sessions, also the one in use', async () => {
    const [one, two] = [await login(world, 'stan'), await login(world, 'stan')]
    const [first, second] = await sessionsOf(world, one)
    assert.deepEqual((await using(world, one).delete(`/rest/session/${second.id}`)).body, { id: second.id })
    assertRefused(await using(world, two).get('/rest/whoami'), 400, 307)
    assert.equal((await using(world, one).delete(`/rest/session/${first.id}`)).status, 200)
    assertRefused(await using(world, one).get('/rest/whoami'), 400, 307)
  })

  it('refuses other people’s sessions like sessions that do not exist, members of admin included', async () => {
    const token = await login(world, 'rhea')
    const [session] = await sessionsOf(world, token)
    for (const who of ['stan', 'uma', 'ada'] as const) {
      const theirs = await world[who].delete(`/rest/session/${session.id}`)
      const missing = await world[who].delete('/rest/session/4711')
      for (const reply of [theirs, missing]) assertRefused(reply, 404, 51)
      assert.equal(theirs.body.message.replace(String(session.id), ''), missing.body.message.replace('4711', ''))
    }
    for (const ref of ['x', '-1', '0', '99999999999', '1.5'])
      assertRefused(await world.rhea.delete(`/rest/session/${ref}`), 404, 51)
    assertRefused(await world.nobody.delete(`/rest/session/${session.id}`), 401, 410)
    assert.equal((await using(world, token).get('/rest/whoami')).status, 200)
  })

  it('needs the scope write', async () => {
    await login(world, 'rhea')
    const { body } = await world.rhea.post('/rest/user/2/api_key', { scopes: ['read'] })
    const reader = world.as({ 'X-TRACKER-API-KEY': body.api_key })
    const [session] = (await reader.get('/rest/session')).body.sessions
    assertRefused(await reader.delete(`/rest/session/${session.id}`), 401, 304)
  })
})

describeOnEachEngine('A session', (world) => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const EDGE =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0'

  async function adaLogsIn(userAgent = FIREFOX) {
    const { body } = await world.nobody.get(`/rest/login?${credentials(cast.ada.login)}`, { 'User-Agent': userAgent })
    return using(world, body.token)
  }

  const currentOf = async (session: Client) =>
    (await session.get('/rest/session')).body.sessions.find(({ is_current }) => is_current)

  /** As if the session had begun, or its password had been sent, that many seconds ago. */
  async function shift(session: Client, column: 'created_at' | 'proven_at', seconds: number) {
    const { id } = await currentOf(session)
    const then = `${new Date(Date.now() - seconds * 1000).toISOString().slice(0, 19)}Z`
    await world.db.query((q) =>
      q
        .updateTable('login_tokens')
        .set({ [column]: then })
        .where('id', '=', id),
    )
  }

  itOnOneEngine(world, 'has a device and the address of its last use', async () => {
    for (const [userAgent, device] of [
      [FIREFOX, 'Firefox on Linux'],
      [EDGE, 'Edge on Windows'],
      ['python-bugzilla/3.3.0', 'python-bugzilla'],
      [`<script>${'x'.repeat(500)}`, `<script>${'x'.repeat(52)}`],
    ] as const) {
      const { device: seen, last_address } = await currentOf(await adaLogsIn(userAgent))
      assert.deepEqual([seen, last_address], [device, PROXY])
    }
  })

  itOnOneEngine(world, 'ends with all others of its user, except the one in use', async () => {
    const [one, two] = [await adaLogsIn(), await adaLogsIn()]
    const other = using(world, await login(world, 'stan'))
    const { body } = await one.delete('/rest/session/others')
    assert.ok(body.ended >= 1)
    assert.equal((await one.get('/rest/session')).body.sessions.length, 1)
    assertRefused(await two.get('/rest/whoami'), 400, 307)
    assert.equal((await other.get('/rest/whoami')).status, 200)
    assert.deepEqual((await world.ada.delete('/rest/session/others')).body, { ended: 1 })
    assertRefused(await world.nobody.delete('/rest/session/others'), 401, 410)
  })

  it('ends after session_days even if it is used, and after session_idle_days without use', async () => {
    const session = await adaLogsIn()
    await world.withParameters({ session_days: 2 }, async () => {
      assert.equal((await session.get('/rest/whoami')).status, 200)
      await shift(session, 'created_at', 3 * 86_400)
      assertRefused(await session.get('/rest/whoami'), 400, 307)
    })
    assert.equal((await session.get('/rest/whoami')).status, 200)
    const { id } = await currentOf(session)
    await age(world, id, 8)
    await world.withParameters({ session_idle_days: 7 }, async () => {
      assertRefused(await session.get('/rest/whoami'), 400, 307)
    })
    await world.withParameters({ session_idle_days: 0 }, async () => {
      await age(world, id, 1000)
      assert.equal((await session.get('/rest/whoami')).status, 200)
      assertRefused(await using(world, '1-unknown').get('/rest/whoami'), 400, 307)
    })
  })

  it('needs the password again for the most sensitive changes, some minutes after it was sent', async () => {
    const session = await adaLogsIn()
    const { id } = await world.newUser()
    const sensitive = [
      () => session.put('/rest/parameters', { whinedays: 6 }),
      () => session.put(`/rest/user/${id}`, { password: 'set by ada' }),
      () => session.put(`/rest/user/${id}`, { groups: { add: ['editbugs'] } }),
      () => session.post('/rest/user/1/api_key', { description: 'From a session' }),
      () => session.post('/rest/group', { name: world.unique('proven'), description: 'Proven' }),
      () => session.post('/rest/user', { email: `${world.unique('made')}@lacewing.test` }),
      () => session.put('/rest/product/TestProduct/group_control/security', { canconfirm: false }),
      () => session.get('/rest/user/1/mail_address'),
      () => session.post('/rest/user/1/mail_address'),
      () => session.post('/rest/webhook', { url: 'https://hooks.example.com/' }),
      () => session.put(`/rest/webhook/${hook.id}`, { url: 'https://others.example.com/' }),
    ]
    await world.ada.put('/rest/parameters', { incoming_address: 'bugs@lacewing.test' })
    const { body: hook } = await world.ada.post('/rest/webhook', { url: 'https://hooks.example.com/' })
    await shift(session, 'proven_at', 31 * 60)
    for (const change of sensitive) assertRefused(await change(), 401, 308)
    assert.equal((await session.put(`/rest/user/${id}`, { full_name: 'Not sensitive' })).status, 200)
    assert.equal((await world.ada.put('/rest/parameters', { whinedays: 7 })).status, 200, 'keys go on as before')
    assertRefused(await session.post('/rest/session/proof', { password: 'wrong' }), 401, 300)
    assertRefused(await session.post('/rest/session/proof', {}), 400, 50)
    assert.deepEqual((await session.post('/rest/session/proof', { password: PASSWORD })).body, { minutes: 30 })
    for (const change of sensitive) assert.ok((await change()).status < 300)
    await world.ada.put('/rest/parameters', { whinedays: 7, incoming_address: '' })
    assertRefused(await world.ada.post('/rest/session/proof', { password: PASSWORD }), 400, 32000)
    assertRefused(await world.nobody.post('/rest/session/proof', { password: PASSWORD }), 401, 410)
    await shift(session, 'proven_at', 31 * 60)
    await world.withParameters({ confirm_password_minutes: 0 }, async () => {
      assert.equal((await session.put(`/rest/user/${id}`, { login_denied_text: 'Gone' })).status, 200)
    })
  })
})
