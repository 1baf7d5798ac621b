import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordWork } from '../../src/platform/secrets/passwords.ts'
import type { Scope } from '../../src/platform/wire/call.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { everyCall, makeCall } from '../support/every-call.ts'
import { withRealPasswordCost } from '../support/password-cost.ts'
import { itInSoak, sampled } from '../support/sample.ts'
import {
  type Client,
  describeOnEachEngine,
  describeOnOneEngine,
  describeOnSqlite,
  itOnOneEngine,
  type Reply,
  type World,
} from '../support/world.ts'

const { login, apiKey } = cast.rhea
const KEY = { 'X-TRACKER-API-KEY': apiKey }

async function tokenOf(world: World, who = login, password = PASSWORD): Promise<string> {
  const { body } = await world.nobody.get(`/rest/login?${new URLSearchParams({ login: who, password })}`)
  return body.token
}

const query = (given: Record<string, string>) => new URLSearchParams(given).toString()
const withPassword = (who: string, password: string) => ({ 'X-TRACKER-LOGIN': who, 'X-TRACKER-PASSWORD': password })

function assertError(reply: Reply, status: number, code: number, message?: RegExp) {
  assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text)
  if (message) assert.match(reply.body.message, message)
}

describeOnSqlite('the spellings of credentials', (world) => {
  const PARAMETERS: [title: string, of: (token: string) => Record<string, string>, source: string][] = [
    ...['api_key', 'Tracker_api_key', 'Bugzilla_api_key'].map(
      (name) => [name, () => ({ [name]: apiKey }), 'api_key'] as (typeof PARAMETERS)[number],
    ),
    ...['token', 'Tracker_token', 'Bugzilla_token'].map(
      (name) => [name, (token) => ({ [name]: token }), 'token'] as (typeof PARAMETERS)[number],
    ),
    ...['', 'Tracker_', 'Bugzilla_'].map(
      (prefix) =>
        [
          `${prefix}login with ${prefix}password`,
          () => ({ [`${prefix}login`]: login, [`${prefix}password`]: PASSWORD }),
          'password',
        ] as (typeof PARAMETERS)[number],
    ),
  ]

  for (const [title, given, source] of PARAMETERS) {
    it(`knows ${title} in the query string`, async () => {
      const { status, body } = await world.nobody.get(`/rest/whoami?${query(given(await tokenOf(world)))}`)
      assert.deepEqual([status, body.name, body.login_source], [200, login, source])
    })

    it(`knows ${title} in the body`, async () => {
      const wanted = { description: title, ...given(await tokenOf(world)) }
      const { status } = await world.nobody.post(`/rest/user/${login}/api_key`, wanted)
      assert.equal(status, 201)
    })

    it(`knows ${title} in the query string of a write`, async () => {
      const address = `/rest/user/${login}/api_key?${query(given(await tokenOf(world)))}`
      assert.equal((await world.nobody.post(address, { description: title })).status, 201)
    })
  }

  const HEADERS: [title: string, of: (token: string) => Record<string, string>, source: string][] = [
    ['X-TRACKER-API-KEY', () => ({ 'X-TRACKER-API-KEY': apiKey }), 'api_key'],
    ['X-BUGZILLA-API-KEY', () => ({ 'X-BUGZILLA-API-KEY': apiKey }), 'api_key'],
    ['Authorization: Bearer', () => ({ Authorization: `Bearer ${apiKey}` }), 'api_key'],
    ['authorization: bearer', () => ({ authorization: `bearer ${apiKey}` }), 'api_key'],
    ['X-TRACKER-TOKEN', (token) => ({ 'X-TRACKER-TOKEN': token }), 'token'],
    ['X-BUGZILLA-TOKEN', (token) => ({ 'X-BUGZILLA-TOKEN': token }), 'token'],
    ['X-TRACKER-LOGIN', () => withPassword(login, PASSWORD), 'password'],
    ['X-BUGZILLA-LOGIN', () => ({ 'X-BUGZILLA-LOGIN': login, 'X-BUGZILLA-PASSWORD': PASSWORD }), 'password'],
    ['both headers of one key', () => ({ 'X-BUGZILLA-API-KEY': apiKey, Authorization: `Bearer ${apiKey}` }), 'api_key'],
  ]
  for (const [title, given, source] of HEADERS)
    it(`knows the header ${title}`, async () => {
      const { status, body } = await world.nobody.get('/rest/whoami', given(await tokenOf(world)))
      assert.deepEqual([status, body.name, body.login_source], [200, login, source])
    })

  it('take the login name in any letter case, and with spaces around it', async () => {
    const spelled = { login: ` ${login.toUpperCase()} `, password: PASSWORD }
    assert.equal((await world.nobody.get(`/rest/whoami?${query(spelled)}`)).status, 200)
  })

  it('take a password of the whole of Unicode', async () => {
    const { login } = await world.newUser({ password: 'pässwörd 😀' })
    const { status } = await world.nobody.get(`/rest/whoami?${query({ login, password: 'pässwörd 😀' })}`)
    assert.equal(status, 200)
    const inHeader = Buffer.from('pässwörd 😀').toString('latin1')
    assert.equal((await world.nobody.get('/rest/whoami', withPassword(login, inHeader))).status, 200)
  })

  for (const nothing of [
    'api_key=',
    'token=',
    'Tracker_api_key=&Bugzilla_token=',
    `login=${login}`,
    'password=x',
    `Tracker_login=${login}`,
  ])
    it(`are anonymous when there is only ${nothing}`, async () => {
      assertError(await world.nobody.get(`/rest/whoami?${nothing}`), 401, 410)
      assert.equal((await world.nobody.get(`/rest/extensions?${nothing}`)).status, 200)
    })

  it('are anonymous when the headers are empty or of another kind', async () => {
    const headers = { 'X-TRACKER-API-KEY': '', 'X-BUGZILLA-TOKEN': '', Authorization: 'Basic YTpi' }
    assertError(await world.nobody.get('/rest/whoami', headers), 401, 410)
    assertError(await world.nobody.get('/rest/whoami', { 'X-TRACKER-PASSWORD': PASSWORD }), 401, 410)
  })

  it('are used in this order: password, token, key', async () => {
    const token = await tokenOf(world, cast.edna.login)
    const both = { token, api_key: apiKey }
    assert.equal((await world.nobody.get(`/rest/whoami?${query(both)}`)).body.name, cast.edna.login)
    const all = { ...both, login: cast.stan.login, password: PASSWORD }
    assert.equal((await world.nobody.get(`/rest/whoami?${query(all)}`)).body.name, cast.stan.login)
    assertError(await world.nobody.get(`/rest/whoami?${query({ token: '1-wrong', api_key: apiKey })}`), 400, 307)
  })

  it('are refused when they come twice, so that none is checked and another used', async () => {
    const ada = encodeURIComponent(cast.ada.login)
    const twice = `login=${encodeURIComponent(login)}&login=${ada}&password=${encodeURIComponent(PASSWORD)}`
    assertError(await world.nobody.get(`/rest/whoami?${twice}`), 400, 53)
    assertError(await world.nobody.get(`/rest/whoami?api_key=${apiKey}&api_key=${cast.ada.apiKey}`), 400, 53)
    const inBody = { login: [login, cast.ada.login], password: PASSWORD, description: 'x' }
    assertError(await world.nobody.post(`/rest/user/${login}/api_key`, inBody), 400, 53)
  })

  it('are the last of two equal names in JSON', async () => {
    const body = `{"api_key":"wrong","api_key":"${apiKey}","description":"x"}`
    assert.equal((await world.nobody.post(`/rest/user/${login}/api_key`, body)).status, 201)
    const reverse = `{"api_key":"${apiKey}","api_key":"wrong","description":"x"}`
    assertError(await world.nobody.post(`/rest/user/${login}/api_key`, reverse), 400, 306)
  })
})

describeOnSqlite('wrong credentials', (world) => {
  it('are not taken for those of an anonymous caller, though they read like where one is', async () => {
    for (const key of ['\n127.0.0.1\n', '\n::ffff:127.0.0.1\n', '\n', '127.0.0.1']) {
      assert.equal((await world.nobody.get('/rest/parameters')).status, 200)
      const reply = await world.nobody.get(`/rest/parameters?api_key=${encodeURIComponent(key)}`)
      assertError(reply, 400, 306)
    }
  })

  // Looking at a password takes long; that of an account that is locked out is wrong at once.
  const locked = { login: 'locked@lacewing.test', password: 'wrong' }
  before(async () => {
    for (let count = 0; count < 5; count++) await world.nobody.get(`/rest/parameters?${query(locked)}`)
  })

  for (const [place, { call, title }] of everyCall.filter(({ call }) => !call.ignoresCredentials).entries()) {
    it(`are an error for ${title}, never anonymous`, async () => {
      const key = { 'X-TRACKER-API-KEY': 'wrong' }
      // Only pages of the server make these calls.
      const isForOwnPage = / \/rest\/session(\/passkey\/challenge)?$/.test(title)
      const headers: Record<string, string> = isForOwnPage ? { 'Sec-Fetch-Site': 'same-origin' } : {}
      const hasBody = call.method !== 'GET' && call.method !== 'DELETE'
      const takesTokens = !call.readsCredentials && !call.takesDeadTokens
      const wrong: [request: Parameters<typeof makeCall>[2], code: number][] = [
        [{ headers: key }, 306],
        [{ query: { api_key: 'wrong' } }, 306],
        [{ headers: { Authorization: 'Bearer wrong key' } }, 306],
        ...(hasBody ? ([[{ body: { Bugzilla_api_key: 'wrong' } }, 306]] as typeof wrong) : []),
        [{ query: locked, headers }, 32000],
        ...(takesTokens
          ? ([
              [{ headers: { 'X-TRACKER-TOKEN': '1-wrong' } }, 307],
              [{ query: { Bugzilla_token: 'no token' } }, 307],
            ] as typeof wrong)
          : []),
      ]
      for (const [request, code] of sampled(wrong, wrong.length, place))
        assertError(await makeCall(world.nobody, call, request), 400, code, code === 32000 ? /locked/ : undefined)
    })
  }

  it('include an empty password', async () => {
    assertError(await world.nobody.get(`/rest/parameters?${query({ login, password: '' })}`), 401, 300)
    assertError(await world.nobody.get(`/rest/parameters?Tracker_login=${login}&Tracker_password=`), 401, 300)
    assertError(await world.nobody.get('/rest/parameters', withPassword(login, '')), 401, 300)
  })

  it('include the hash of a key, and the name of an account without a password', async () => {
    assertError(await world.nobody.get('/rest/parameters?api_key=__proto__'), 400, 306)
    const { login } = await world.newUser({ password: '' })
    for (const password of ['', 'x', 'null', 'none'])
      assertError(await world.nobody.get(`/rest/parameters?${query({ login, password })}`), 401, 300)
  })

  it('are returned without the credentials', async () => {
    const wrong = ['api_key=tops3cret', 'token=1-tops3cret', 'login=a@b.test&password=tops3cret']
    for (const given of wrong)
      assert.doesNotMatch((await world.nobody.get(`/rest/parameters?${given}`)).text, /tops3cret/)
  })
})

describeOnSqlite('the calls that ignore credentials', (world) => {
  const IGNORING = ['/version', '/timezone', '/extensions', '/time']
  const WRONG: [title: string, query: string, headers?: Record<string, string>][] = [
    ['a wrong key', 'api_key=wrong'],
    ['a stale token', 'Bugzilla_token=1-stale'],
    ['a wrong password', query({ login, password: 'wrong' })],
    ['a key that is sent twice', 'api_key=one&api_key=two'],
    ['a wrong key in a header', '', { 'X-TRACKER-API-KEY': 'wrong' }],
    ['a wrong bearer', '', { Authorization: 'Bearer wrong' }],
  ]

  it('are these four, those for users who cannot log in yet, and one that takes signed deliveries', () => {
    const isOther = (call: EveryCall) => isForNewUsers(call) || isSigned(call)
    const ignoring = everyCall.flatMap(({ call }) => (call.ignoresCredentials && !isOther(call) ? call.path : []))
    assert.deepEqual(ignoring.sort(), IGNORING.toSorted())
  })

  for (const path of IGNORING)
    for (const [title, given, headers] of WRONG)
      it(`answer GET /rest${path} with ${title}`, async () => {
        assert.equal((await world.nobody.get(`/rest${path}?${given}`, headers)).status, 200)
      })

  it('count no attempt with a wrong password', async () => {
    const { login } = await world.newUser({ password: 'plainwords1' })
    for (let count = 0; count < 6; count++) await world.nobody.get('/rest/version', withPassword(login, 'wrong'))
    assert.equal((await world.nobody.get('/rest/whoami', withPassword(login, 'plainwords1'))).status, 200)
  })

  it('let a client with a stale token connect and log in again, as python-bugzilla does', async () => {
    const token = await tokenOf(world)
    await world.nobody.get(`/rest/logout?token=${token}`)
    const stale = `Bugzilla_token=${token}`
    assert.equal((await world.nobody.get(`/rest/version?${stale}`)).status, 200)
    const { body } = await world.nobody.get(`/rest/login?${stale}&${query({ login, password: PASSWORD })}`)
    assert.equal((await world.nobody.get(`/rest/whoami?Bugzilla_token=${body.token}`)).body.name, login)
    assertError(await world.nobody.get(`/rest/whoami?${stale}`), 400, 307)
  })

  it('read them where the parameter requirelogin asks for a login', async () => {
    await world.withParameters({ requirelogin: 1 }, async () => {
      for (const path of ['/rest/extensions', '/rest/time']) {
        assertError(await world.nobody.get(path), 401, 410)
        assertError(await world.nobody.get(`${path}?api_key=wrong`), 400, 306)
        assert.equal((await world.nobody.get(path, KEY)).status, 200)
      }
      for (const path of ['/rest/version', '/rest/timezone'])
        assert.equal((await world.nobody.get(`${path}?api_key=wrong`)).status, 200)
    })
  })
})

describeOnOneEngine('a disabled account', (world) => {
  it('is shown the reason only with the right password', async () => {
    const { login, id, client } = await world.newUser({ password: 'plainwords1' })
    const token = await tokenOf(world, login, 'plainwords1')
    await world.ada.put(`/rest/user/${id}`, { login_denied_text: 'Left us in May' })
    assertError(await world.nobody.get('/rest/whoami', withPassword(login, 'plainwords1')), 401, 301, /Left us in May/)
    const wrong = await world.nobody.get('/rest/whoami', withPassword(login, 'plainwords2'))
    assertError(wrong, 401, 300)
    assert.doesNotMatch(wrong.text, /Left us/)
    const byKey = await client.get('/rest/whoami')
    assertError(byKey, 401, 301)
    assert.doesNotMatch(byKey.text, /Left us/)
    assertError(await world.nobody.get(`/rest/whoami?token=${token}`), 400, 307)
    assertError(await client.get('/rest/parameters'), 401, 301)
  })

  it('can be used again when it is enabled', async () => {
    const { login, id, client } = await world.newUser({ password: 'plainwords1' })
    await world.ada.put(`/rest/user/${id}`, { login_denied_text: 'A mistake' })
    await world.ada.put(`/rest/user/${id}`, { login_denied_text: '' })
    assert.equal((await world.nobody.get('/rest/whoami', withPassword(login, 'plainwords1'))).status, 200)
    assert.equal((await client.get('/rest/whoami')).status, 200)
  })
})

describeOnEachEngine('the lockout', (world) => {
  const attempt = (who: string, password: string, from?: string) =>
    world.nobody.get('/rest/whoami', { ...withPassword(who, password), ...(from && { 'X-Forwarded-For': from }) })

  async function fail(who: string, times: number, from?: string) {
    for (let count = 0; count < times; count++) assertError(await attempt(who, `wrong ${count}`, from), 401, 300)
  }

  itOnOneEngine(world, 'comes after five failures, and the right password does not end it', async () => {
    const { login, client } = await world.newUser({ password: 'plainwords1' })
    await fail(login, 5)
    assertError(await attempt(login, 'wrong'), 400, 32000, /until \d{4}-\d\d-\d\dT/)
    assertError(await attempt(login, 'plainwords1'), 400, 32000)
    assertError(await world.nobody.get(`/rest/login?${query({ login, password: 'plainwords1' })}`), 400, 32000)
    assert.equal((await client.get('/rest/whoami')).status, 200, 'a key goes on working')
  })

  itOnOneEngine(world, 'comes even when the right password is known from before', async () => {
    const { login } = await world.newUser({ password: 'plainwords1' })
    assert.equal((await attempt(login, 'plainwords1')).status, 200)
    await fail(login, 5)
    assertError(await attempt(login, 'plainwords1'), 400, 32000)
  })

  itOnOneEngine(
    world,
    'counts every spelling of a login, every way of sending it and the login call as one',
    async () => {
      const { login } = await world.newUser({ password: 'plainwords1' })
      await fail(login.toUpperCase(), 1)
      await fail(` ${login}`, 1)
      assertError(await world.nobody.get(`/rest/login?${query({ login, password: 'x1' })}`), 401, 300)
      assertError(await world.nobody.get(`/rest/parameters?${query({ login, password: 'x2' })}`), 401, 300)
      const inBody = { Bugzilla_login: login, Bugzilla_password: 'x3', description: 'x' }
      assertError(await world.nobody.post('/rest/user/1/api_key', inBody), 401, 300)
      assertError(await attempt(login, 'plainwords1'), 400, 32000)
    },
  )

  itOnOneEngine(world, 'is of one account', async () => {
    const [locked, other] = [
      await world.newUser({ password: 'plainwords1' }),
      await world.newUser({ password: 'plainwords1' }),
    ]
    await fail(locked.login, 5)
    assert.equal((await attempt(other.login, 'plainwords1')).status, 200)
  })

  itOnOneEngine(world, 'forgets the failures before a success', async () => {
    const { login } = await world.newUser({ password: 'plainwords1' })
    await fail(login, 4)
    assert.equal((await attempt(login, 'plainwords1')).status, 200)
    await fail(login, 4)
    assert.equal((await attempt(login, 'plainwords1')).status, 200)
  })

  itOnOneEngine(world, 'ends thirty minutes after the fifth last failure', async () => {
    const { login } = await world.newUser({ password: 'plainwords1' })
    await fail(login, 5)
    const minutesAgo = (minutes: number) => `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`
    const move = (minutes: number) =>
      world.db.query((q) =>
        q
          .updateTable('login_failures')
          .set({ at: minutesAgo(minutes) })
          .where('login_key', '=', login)
          .returning('id'),
      )
    await move(29)
    assertError(await attempt(login, 'plainwords1'), 400, 32000)
    await move(31)
    assert.equal((await attempt(login, 'plainwords1')).status, 200)
  })

  itOnOneEngine(world, 'is the same for an account that does not exist', async () => {
    const unknown = `${world.unique('unknown')}@lacewing.test`
    await fail(unknown, 5)
    assertError(await attempt(unknown, 'wrong'), 400, 32000, /until/)
    const long = `${'x'.repeat(5000)}@lacewing.test`
    await fail(long, 5)
    assertError(await attempt(long, 'wrong'), 400, 32000)
  })

  itOnOneEngine(world, 'is not escaped by naming another address', async () => {
    const { login } = await world.newUser({ password: 'plainwords1' })
    for (let count = 1; count <= 5; count++) await fail(login, 1, `203.0.113.${count}`)
    assertError(await attempt(login, 'plainwords1', '203.0.113.77'), 400, 32000)
  })

  itOnOneEngine(world, 'is of one real address, behind a proxy that is named', async () => {
    const { login } = await world.newUser({ password: 'plainwords1' })
    await world.withParameters({ inbound_proxies: '127.0.0.1' }, async () => {
      await fail(login, 5, '203.0.113.1')
      assertError(await attempt(login, 'plainwords1', '203.0.113.1'), 400, 32000)
      assertError(await attempt(login, 'plainwords1', '9.9.9.9, 203.0.113.1'), 400, 32000)
      assert.equal((await attempt(login, 'plainwords1', '203.0.113.2')).status, 200)
      assert.equal((await attempt(login, 'plainwords1')).status, 200)
    })
  })

  itOnOneEngine(world, 'counts the addresses of one IPv6 /64 network together', async () => {
    const { login } = await world.newUser({ password: 'plainwords1' })
    await world.withParameters({ inbound_proxies: '127.0.0.1' }, async () => {
      for (let count = 1; count <= 5; count++) await fail(login, 1, `2001:db8::${count}`)
      assertError(await attempt(login, 'plainwords1', '2001:db8::77'), 400, 32000)
      assert.equal((await attempt(login, 'plainwords1', '2001:db8:0:1::77')).status, 200)
    })
  })

  /** With passwords that take as long to check as in a server, and a proxy that passes on any address. */
  const inFlood = (work: () => Promise<void>) =>
    withRealPasswordCost(() => world.withParameters({ inbound_proxies: '127.0.0.1', rate_limit_anonymous: 0 }, work))

  const flooded =
    'delays no user because of many wrong passwords from another address, and counts none of these that is refused because too many wait'
  itOnOneEngine(world, flooded, () =>
    inFlood(async () => {
      const { login } = await world.newUser({ password: 'plainwords1' })
      const address = '203.0.113.77'
      const answered: string[] = []
      const flood = Array.from({ length: 80 }, async (_, count) => {
        const { status, headers } = await attempt(`unknown${count}@lacewing.test`, 'wrong', address)
        answered.push(status === 503 && headers.get('retry-after') ? 'refused' : String(status))
      })
      while (answered.filter((it) => it === '401').length < 2) await sleep(5)
      assert.equal((await attempt(login, 'plainwords1', '198.51.100.2')).status, 200)
      const before = answered.filter((it) => it === '401').length
      await Promise.all(flood)
      const wrong = answered.filter((it) => it === '401').length
      assert.ok(
        answered.every((it) => it === '401' || it === 'refused'),
        answered.join(' '),
      )
      assert.ok(before < wrong / 2, `answered after ${before} of ${wrong} wrong passwords`)
      assert.ok(wrong < 80, 'none was refused')
      const failures = await world.db.query((q) =>
        q.selectFrom('login_failures').select('login_key').where('address', '=', address),
      )
      assert.equal(failures.length, wrong)
    }),
  )

  itInSoak('delays no user because of wrong passwords from many addresses of a network', () =>
    inFlood(async () => {
      const { login } = await world.newUser({ password: 'plainwords1' })
      for (const prefix of ['203.0.113.', '2001:db8:7:']) {
        let answered = 0
        const flood = Array.from({ length: 20 }, async (_, count) => {
          const from = prefix.includes(':') ? `${prefix}${count}::1` : `${prefix}${count + 1}`
          await attempt(`unknown${count}@lacewing.test`, 'wrong', from)
          answered++
        })
        while (answered < 2) await sleep(5)
        const before = answered
        assert.equal((await attempt(login, `plainwords1${' '.repeat(prefix.length)}`, '198.51.100.2')).status, 200)
        assert.ok(answered - before <= 8, `${answered - before} wrong passwords were checked before the right one`)
        await Promise.all(flood)
      }
    }),
  )

  it('checks only five of twenty concurrent guesses', async () => {
    for (const who of [
      (await world.newUser({ password: 'plainwords1' })).login,
      `${world.unique('unknown')}@lacewing.test`,
    ]) {
      const before = passwordWork.derivations
      const replies = await Promise.all(Array.from({ length: 20 }, (_, count) => attempt(who, `guess ${count}`)))
      const codes = replies.map((reply) => reply.body.code).sort()
      assert.deepEqual(codes, [...Array(5).fill(300), ...Array(15).fill(32000)])
      assert.equal(passwordWork.derivations - before, 5)
    }
  })

  it('does not hit a client that sends the right password twenty times at once', async () => {
    const { login } = await world.newUser({ password: 'plainwords1' })
    const before = passwordWork.derivations
    const replies = await Promise.all(Array.from({ length: 20 }, () => attempt(login, 'plainwords1')))
    assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([200]))
    assert.equal(passwordWork.derivations - before, 1)
  })
})

describeOnOneEngine('the work for a password', (world) => {
  async function workOf(request: () => Promise<Reply>): Promise<{ reply: Reply; work: number }> {
    const before = passwordWork.derivations
    const reply = await request()
    return { reply, work: passwordWork.derivations - before }
  }

  it('is the same, and so are the words, whether the account exists or not', async () => {
    const [somebody, silent] = [await world.newUser({ password: 'plainwords1' }), await world.newUser({ password: '' })]
    const seen = new Set<string>()
    for (const who of [somebody.login, silent.login, 'nobody-at-all@lacewing.test', '12', 'admin', 'x'.repeat(500)]) {
      for (const request of [
        () => world.nobody.get('/rest/parameters', withPassword(who, 'wrong')),
        () => world.nobody.get(`/rest/login?${query({ login: who, password: 'wrong, too' })}`),
      ]) {
        const { reply, work } = await workOf(request)
        seen.add(`${work} ${reply.status} ${reply.text} ${[...reply.headers.keys()].sort()}`)
      }
    }
    assert.equal(seen.size, 1)
    assert.match([...seen][0] as string, /^1 401 .*300/)
  })

  it('is done once, and not again with every call', async () => {
    const { login } = await world.newUser({ password: 'plainwords1' })
    const call = () => world.nobody.get('/rest/whoami', withPassword(login, 'plainwords1'))
    assert.equal((await workOf(call)).work, 1)
    for (let count = 0; count < 10; count++) {
      const { reply, work } = await workOf(call)
      assert.deepEqual([reply.status, work], [200, 0])
    }
  })

  it('is not saved for a wrong password, or for an old one', async () => {
    const { login, id } = await world.newUser({ password: 'plainwords1' })
    const call = (password: string) => () => world.nobody.get('/rest/whoami', withPassword(login, password))
    await call('plainwords1')()
    assert.equal((await workOf(call('plainwords2'))).work, 1)
    await world.ada.put(`/rest/user/${id}`, { password: 'plainwords2' })
    const old = await workOf(call('plainwords1'))
    assert.deepEqual([old.reply.body.code, old.work], [300, 1])
    assert.equal((await call('plainwords2')()).status, 200)
  })

  it('is none for keys, tokens and the cookie of the pages, after one sign-in', async () => {
    const token = await tokenOf(world)
    const { login: email } = await world.newUser({ password: 'plainwords1' })
    const ownPage = { 'Sec-Fetch-Site': 'same-origin' }
    const signedIn = await workOf(() =>
      world.nobody.post('/rest/session', { login: email, password: 'plainwords1' }, ownPage),
    )
    assert.deepEqual([signedIn.reply.status, signedIn.work], [201, 1])
    const Cookie = signedIn.reply.headers.getSetCookie().map((it) => it.split(';')[0])
    const session = { ...ownPage, Cookie: Cookie.join('; ') }
    for (const call of [
      () => world.nobody.get('/rest/whoami', KEY),
      () => world.nobody.get(`/rest/whoami?api_key=${apiKey}`),
      () => world.nobody.get(`/rest/whoami?token=${token}`),
      () => world.nobody.get('/rest/whoami', { 'X-TRACKER-TOKEN': token }),
      () => world.nobody.get('/rest/whoami', session),
      () => world.nobody.put(`/rest/user/${email}`, { full_name: 'Renamed' }, session),
      () => world.nobody.get('/', { ...session, Accept: 'text/html' }),
    ])
      for (let count = 0; count < 3; count++) {
        const { reply, work } = await workOf(call)
        assert.deepEqual([reply.status, work], [200, 0])
      }
  })
})

type EveryCall = (typeof everyCall)[number]['call']

/** Signing in to the pages and out: open to everybody, but only from a page of the server. */
function isForPages({ method, path }: EveryCall) {
  return (path === '/session' && method !== 'GET') || path.startsWith('/session/passkey')
}

/** Joining, forgotten passwords, providers that log users in, and the code of the first start. */
function isForNewUsers({ resource, path }: EveryCall) {
  return resource === 'account' || path === '/setup' || (resource === 'provider' && path.startsWith('/session/'))
}

/** Deliveries prove themselves by a signature or token. */
function isSigned({ takesBytes }: EveryCall) {
  return takesBytes !== undefined
}

describeOnSqlite('the parameter requirelogin', (world) => {
  const OPEN = ['/version', '/timezone', '/parameters', '/login']
  const required = <Result>(work: () => Promise<Result>) => world.withParameters({ requirelogin: 1 }, work)

  it('lets anonymous callers make only the calls that are needed to log in', async () => {
    await required(async () => {
      for (const { call, title } of everyCall) {
        const { status, body } = await makeCall(world.nobody, call)
        const isOpen =
          (call.method === 'GET' && OPEN.includes(call.path)) ||
          isForPages(call) ||
          isForNewUsers(call) ||
          isSigned(call)
        assert.equal(body?.code === 410, !isOpen, `${title} answers ${status} ${JSON.stringify(body)}`)
      }
    })
  })

  it('lets anonymous callers log in, and those who are logged in do everything, log out included', async () => {
    await required(async () => {
      assertError(await world.nobody.get('/rest/login'), 400, 50)
      const token = await tokenOf(world)
      assert.equal((await world.nobody.get(`/rest/extensions?token=${token}`)).status, 200)
      assert.equal((await world.nobody.get(`/rest/valid_login?${query({ login, token })}`)).body, true)
      assertError(await world.nobody.get(`/rest/valid_login?${query({ login, token: '1-wrong' })}`), 401, 410)
      assert.equal((await world.nobody.get(`/rest/logout?token=${token}`)).status, 200)
      assertError(await world.nobody.get(`/rest/extensions?token=${token}`), 400, 307)
    })
  })

  it('gives anonymous callers the same errors for unknown paths and wrong methods as all users', async () => {
    await required(async () => {
      assertError(await world.nobody.get('/rest/nothing'), 404, 32614)
      assertError(await world.nobody.post('/rest/version'), 405, 32614)
      assert.equal((await world.nobody.get('/health')).status, 200)
    })
  })
})

describeOnSqlite('the scopes of a key', (world) => {
  /** Whoever may write may propose; with propose alone, some writes are made as proposals. */
  const isAllowed = (scope: Scope, call: EveryCall) =>
    call.scope === scope ||
    (scope === 'write' && call.scope === 'propose') ||
    (scope === 'propose' && call.proposes !== undefined)

  for (const [place, scope] of (['read', 'write', 'admin', 'propose'] as const).entries())
    it(`let a key for ${scope} make just the calls of that scope`, async () => {
      const { body } = await world.ada.post('/rest/user/1/api_key', { description: scope, scopes: [scope] })
      const client: Client = world.as({ 'X-TRACKER-API-KEY': body.api_key })
      for (const { call, title } of sampled(everyCall, 4, place)) {
        const reply = await makeCall(client, call, { ref: 'nothing-of-that-name' })
        const isRefused = reply.body?.code === 304 && reply.body.message.includes(`lacks the scope ${call.scope}`)
        assert.equal(isRefused, !isAllowed(scope, call) && !call.ignoresCredentials, `${title} answers ${reply.text}`)
      }
    })

  it('do not limit a password or a token', async () => {
    const { body } = await world.nobody.get('/rest/whoami', withPassword(login, PASSWORD))
    assert.deepEqual(body.scopes, ['admin', 'read', 'write'])
  })
})

describeOnSqlite('an anonymous caller', (world) => {
  const isOpen = (call: EveryCall) => isForPages(call) || isForNewUsers(call) || isSigned(call)
  const writes = everyCall.filter(({ call }) => call.scope !== 'read' && !isOpen(call))
  const QUERIES: Record<string, string>[] = [{}, { nonsense: '1', limit: 'x', since: 'soon', text: 'a\0b' }]
  const NONSENSE = { nonsense: 1, ids: { a: 1 }, names: [[]], name: 'a\0b', summary: '', is_active: 'perhaps' }

  const requests = ['1', 'nothing-of-that-name', 'a\0b', '-1'].flatMap((ref) =>
    [{}, NONSENSE].flatMap((body) => QUERIES.map((query) => ({ ref, body, query }))),
  )

  for (const [place, { call, title }] of writes.entries())
    it(`gets 410 from ${title}, with any parameters`, async () => {
      for (const request of sampled(requests, 16, place))
        assertError(await makeCall(world.nobody, call, request), 401, 410)
    })
})

describe('every call', () => {
  it('has a scope that fits its method', () => {
    for (const { call, title } of everyCall)
      if (call.scope === 'read' && call.path !== '/bug/comment/render')
        assert.equal(call.method, 'GET', `${title} writes with the scope read`)
  })
})
