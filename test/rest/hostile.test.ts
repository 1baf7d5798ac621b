import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import type { Call } from '../../src/access/call.ts'
import { anyText } from '../support/any-text.ts'
import type { JsonSchema } from '../support/body-types.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { everyCall, makeCall } from '../support/every-call.ts'
import { rawRequest } from '../support/raw-http.ts'
import { isEveryCombination, sampled, sampledOn, sampledOnPostgres } from '../support/sample.ts'
import {
  type Client,
  describeOnEachEngine,
  describeOnOneEngine,
  describeOnSqlite,
  type Logged,
  type Reply,
  type World,
} from '../support/world.ts'

function assertError(reply: Reply, status: number, code: number) {
  assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text.slice(0, 300))
}

/** Whatever was sent: the server has not stumbled over it. */
function assertNoFault({ status, text }: Reply, what: string) {
  assert.ok(status < 500, `${what.slice(0, 300)} answers ${status} ${text.slice(0, 300)}`)
}

/** Counts what must not change when a user plays tricks with SQL. */
async function census({ db }: World) {
  const tables = ['users', 'groups', 'parameters', 'audit_log', 'keywords'] as const
  const counts = tables.map(async (table) => (await db.query((q) => q.selectFrom(table).selectAll())).length)
  return Promise.all(counts)
}

describeOnSqlite('odd JSON', (world) => {
  const post = (body: string) => world.ada.post('/rest/keyword', body)

  it('with two equal names has the last, for every user who looks at it', async () => {
    const { body } = await post('{"name":"first","description":"d","name":"second"}')
    assert.equal((await world.nobody.get(`/rest/keyword/${body.id}`)).body.keywords[0].name, 'second')
    const user = await world.newUser()
    const twice = `{"names":["${cast.ada.login}"],"full_name":"x","names":[]}`
    assert.deepEqual((await world.ada.put(`/rest/user/${user.id}`, twice)).body.users.length, 1)
  })

  it('nested without end is refused, and quickly', async () => {
    for (const levels of [33, 10_000, 4_000_000]) {
      assertError(await post(`{"name":${'['.repeat(levels)}`), 400, 32000)
      assertError(await post(`{"a":`.repeat(Math.min(levels, 800_000))), 400, 32000)
    }
    assertError(await world.ada.put('/rest/user/2', `{"groups":${'{"add":'.repeat(20)}1${'}'.repeat(20)}}`), 400, 53)
  })

  it('with numbers that no number can hold is refused where a number is wanted', async () => {
    for (const number of ['9007199254740993', '1e400', '-1e400', '1.5', '9'.repeat(400), '-9007199254740993'])
      assertError(await world.ada.put('/rest/user/2', `{"ids":[${number}]}`), 400, 52)
    for (const id of ['2147483648', '4294967297', '9007199254740991', '0', '-1'])
      assertNoFault(await world.ada.put('/rest/user/2', `{"ids":[${id}],"full_name":"x"}`), `the id ${id}`)
    for (const path of ['/rest/user/9007199254740993', '/rest/group/99999999999999999999', '/rest/keyword/2147483648'])
      assertNoFault(await world.ada.get(path), path)
  })

  it('with half a character, or a NUL, is refused wherever it stands', async () => {
    for (const bad of ['\\ud800', '\\udfff', '\\u0000', 'x\\ud83d', '\\ude00\\ud83d']) {
      assertError(await post(`{"name":"${bad}","description":"d"}`), 400, 53)
      assertError(await world.ada.put('/rest/user/2', `{"groups":{"add":["${bad}"]}}`), 400, 53)
      assertError(await world.ada.put('/rest/user/2', `{"groups":{"${bad}":[]}}`), 400, 53)
      assertError(await world.nobody.post('/rest/user/2/api_key', `{"login":"${bad}","password":"x"}`), 400, 53)
    }
    assertNoFault(await post(`{"${'\\u0000'}":"x","name":"","description":"d"}`), 'a NUL in a name')
    for (const query of ['login=%00&password=x', 'Tracker_api_key=%00', 'token=a%00', 'ids=%00', 'x=%00'])
      assertNoFault(await world.nobody.get(`/rest/user?${query}`), query)
  })

  it('with a prototype in it has none', async () => {
    const body =
      '{"__proto__":{"name":"inherited","isAdmin":true},"constructor":{"prototype":{"x":1}},"description":"d"}'
    assertError(await post(body), 400, 50)
    assertError(await world.ada.put('/rest/parameters', '{"__proto__":{"requirelogin":"1"}}'), 404, 51)
    assertError(await world.ada.put('/rest/group/security', '{"toString":"x"}'), 400, 32601)
    assertError(await world.ada.put('/rest/group/security', '{"member_groups":{"__proto__":["admin"]}}'), 400, 53)
    assert.equal((await world.nobody.get('/rest/parameters')).body.parameters.requirelogin, '0')
    assert.equal(({} as Record<string, unknown>).isAdmin, undefined)
  })

  it('with lists without end is answered, and the server goes on', async () => {
    const ids = Array.from({ length: 50_000 }, (_, index) => index + 1_000_000)
    const replies = [
      await world.ada.put('/rest/user/2', { ids, full_name: 'x' }),
      await world.ada.put('/rest/user/2', { names: ids.map((id) => `person${id}@lacewing.test`), full_name: 'x' }),
      await world.ada.put('/rest/user/2', { groups: { add: ids } }),
      await world.ada.put('/rest/group/security', { names: ids.map(String) }),
      await world.ada.put('/rest/group/security', { member_groups: { set: ids } }),
      await post(JSON.stringify({ name: ids, description: 'd' })),
      await post(JSON.stringify(Object.fromEntries(ids.map((id) => [`field${id}`, id])))),
      await post(JSON.stringify({ name: 'x'.repeat(10_000_000), description: 'd' })),
    ]
    for (const reply of replies) assert.ok(reply.status >= 400 && reply.status < 500, reply.text.slice(0, 300))
    for (const reply of replies) assert.ok(reply.text.length < 1000, 'the answer does not repeat it all')
    assert.equal((await world.nobody.get('/rest/version')).status, 200)
  })

  it('in a query string has no end either', async () => {
    const many = Array.from({ length: 4000 }, (_, index) => `ids=${index}`).join('&')
    assertNoFault(await world.ada.get(`/rest/user?${many}`), 'ids')
    assertNoFault(await world.ada.get(`/rest/user?${'&names=x'.repeat(3500)}`), 'names')
    assertNoFault(await world.ada.get(`/rest/version?${'a&'.repeat(15_000)}`), 'names of parameters')
  })
})

describeOnEachEngine('SQL in what clients send', (world) => {
  const PAYLOADS = [
    "' or '1'='1",
    "'; drop table users; --",
    '" or ""="',
    '1) union select login, password_hash from users --',
    '*/ select 1 /*',
    "\\'; delete from users; #",
    "admin'--",
    '%27%20or%201%3D1',
    '$1?:x@y',
    "x' || (select password_hash from users limit 1) || '",
    '%_\\%',
  ]
  for (const [place, { call, title }] of sampledOnPostgres(world.engine, [...everyCall.entries()], 3))
    it(`is only text to ${title}`, async () => {
      const names = Object.keys(call.params).filter((name) => name !== '(name)')
      for (const [index, payload] of sampledOn(world.engine, [...PAYLOADS.entries()], 11, place)) {
        const one = names[index % Math.max(names.length, 1)] ?? 'name'
        const everywhere = { ref: payload, [placeOf(call)]: Object.fromEntries(names.map((name) => [name, payload])) }
        const somewhere = {
          ref: '2',
          query: { [payload]: payload, [one]: payload, include_fields: payload, order: payload },
        }
        for (const attempt of sampledOn(world.engine, [everywhere, somewhere], 2, place))
          assertNoFault(await makeCall(world.stan, call, attempt), `${title} ${JSON.stringify(attempt)}`)
        if (call.method === 'GET')
          assertNoFault(await makeCall(world.ada, call, everywhere), `${title} ${payload} by an administrator`)
      }
    })

  it('is only text to administrators’ writes', async () => {
    for (const payload of sampledOn(world.engine, PAYLOADS, 4)) {
      const attempts: [string, string, unknown][] = [
        ['POST', '/rest/keyword', { name: payload, description: payload }],
        ['POST', '/rest/group', { name: payload, description: payload, icon_url: payload }],
        ['POST', '/rest/user', { email: payload, full_name: payload, password: payload }],
        ['PUT', '/rest/user/2', { full_name: payload, groups: { add: [payload] } }],
        ['PUT', '/rest/user/2', { full_name: payload, names: [payload] }],
        ['PUT', '/rest/parameters', { [payload]: payload, announcehtml: payload }],
        ['PUT', '/rest/parameters', { announcehtml: payload }],
        ['POST', '/rest/user/2/api_key', { description: payload, scopes: [payload] }],
      ]
      for (const [method, path, body] of attempts)
        assertNoFault(await world.ada.send(method, path, body), `${method} ${path} ${payload}`)
      const { body } = await world.ada.get('/rest/parameters?include_fields=announcehtml')
      assert.equal(body.parameters.announcehtml, payload.trim())
    }
  })

  it('is only text in headers and in credentials', async () => {
    const before = await census(world)
    const headers = [
      'User-Agent',
      'Referer',
      'Cookie',
      'X-Forwarded-For',
      'If-None-Match',
      'Accept',
      'Accept-Language',
      'Origin',
      'X-Request-Id',
    ]
    for (const payload of sampledOn(world.engine, PAYLOADS, 4, 1)) {
      for (const name of headers) assertNoFault(await world.rhea.get('/rest/whoami', { [name]: payload }), name)
      for (const name of ['X-TRACKER-API-KEY', 'X-TRACKER-TOKEN', 'Authorization'])
        assertNoFault(
          await world.nobody.get('/rest/whoami', { [name]: name === 'Authorization' ? `Bearer ${payload}` : payload }),
          name,
        )
      const login = new URLSearchParams({ login: payload, password: payload })
      assertError(await world.nobody.get(`/rest/login?${login}`), 401, 300)
    }
    assert.deepEqual(await census(world), before)
  })

  it('has changed nothing that it should not', async () => {
    assert.equal((await world.ada.get('/rest/whoami')).status, 200)
    assert.equal((await world.rhea.get('/rest/whoami')).status, 200)
    const rows = await world.db.query((q) => q.selectFrom('users').select('login'))
    for (const { login } of Object.values(cast)) assert.ok(rows.some((row) => row.login === login))
  })
})

describeOnOneEngine('patterns in what clients send', (world) => {
  it('stand for themselves in a match, and take no longer than other text', async () => {
    const { login } = await world.newUser({ email: `${'a'.repeat(60)}@lacewing.test` })
    const patterns = [
      '%%%',
      '___',
      '\\\\\\',
      '_'.repeat(15_000),
      '*'.repeat(10_000),
      `${'a*'.repeat(50)}b`,
      `${'*a'.repeat(3000)}*b`,
      '[a-z]+',
      '(a+)+$',
      `${'é'.repeat(2000)}`,
    ]
    for (const pattern of patterns) {
      const { status, body } = await world.ada.get(`/rest/user?match=${encodeURIComponent(pattern)}`)
      assert.equal(status, 200, pattern.slice(0, 20))
      if (!pattern.startsWith('*')) assert.deepEqual(body.users, [], pattern.slice(0, 20))
    }
    assert.equal((await world.ada.get('/rest/user?match=aaa*aaa*')).body.users[0].name, login)
  })

  it('that never end elsewhere end here', async () => {
    for (const user_regexp of ['(a+)+$', '(a|a)*$', '(.*)*x', '(a?){200}a{200}', '((a*)*)*b']) {
      const group = await world.ada.post('/rest/group', { name: world.unique('group'), description: 'd', user_regexp })
      assertNoFault(group, user_regexp)
    }
    const email = `${'a'.repeat(100)}@lacewing.test`
    assert.equal((await world.ada.post('/rest/user', { email })).status, 201)
    await world.withParameters({ emailregexp: '^(([a-z])+.)+@([a-z.])+$' }, async () => {
      assertNoFault(await world.ada.post('/rest/user', { email: `${'a'.repeat(110)}!` }), 'an address')
    })
  })

  it('of another kind are refused, and never run', async () => {
    for (const user_regexp of ['(?<=a)b', '\\1(a)', '(?=x)', '(', '[z-a]', 'a{1001}', '*', 'x'.repeat(3000)])
      assertError(
        await world.ada.post('/rest/group', { name: world.unique('group'), description: 'd', user_regexp }),
        400,
        803,
      )
  })
})

describeOnSqlite('line ends in what clients send', (world) => {
  const SPLIT = [
    '%0d%0aX-Evil:%201',
    '%0aX-Evil:%201',
    '%0dX-Evil:%201',
    '%0d%0a%0d%0a<script>',
    '%c4%8d%c4%8aX-Evil:1',
    '%e2%80%a8X-Evil:1',
  ]

  for (const split of SPLIT)
    it(`make no header of ${split}`, async () => {
      const targets = [
        `/rest/version?callback=f${split}`,
        `/rest/version?include_fields=${split}`,
        `/rest/keyword/x${split}`,
        `/rest/user/x${split}`,
        `/rest/nothing/${split}`,
        `/rest/logout?token=${split}`,
        `/rest/version?${split}=1`,
        `/rest${split}`,
        `/rest/docs${split}`,
      ]
      for (const target of targets)
        for (const accept of ['application/json', 'text/html']) {
          const reply = await rawRequest(world.url, 'GET', target, { headers: { Accept: accept } })
          assert.ok(reply.status < 500)
          assert.equal(reply.headers.get('x-evil'), undefined)
          for (const value of reply.headers.values()) assert.doesNotMatch(value, /evil/i)
        }
    })

  it('do not get into the log either, where every line is one event', async () => {
    await rawRequest(world.url, 'GET', '/rest/x%0a{"event":"forged"}')
    await world.nobody.get('/rest/keyword/x%0aforged', { 'User-Agent': 'x\tforged' })
    for (const line of world.logged) assert.doesNotMatch(JSON.stringify(line), /forged/)
  })
})

describeOnOneEngine('secrets', (world) => {
  it('stand in no log line, no error, no audit entry, no measurement and no table', async () => {
    const secrets = new Set<string>()
    const secret = (word: string) => {
      const made = `${word}-${Math.random().toString(36).slice(2)}`
      secrets.add(made)
      return made
    }
    const replies: Reply[] = []
    const note = async (reply: Promise<Reply>) => replies[replies.push(await reply) - 1] as Reply
    const password = secret('Password1')
    const { id, login, apiKey } = await world.newUser({ password })
    secrets.add(apiKey)
    const { body } = await world.nobody.get(`/rest/login?${new URLSearchParams({ login, password })}`)
    secrets.add(body.token)
    const changed = secret('Password2')
    await note(world.ada.put(`/rest/user/${id}`, { password: changed }))
    await note(world.nobody.get(`/rest/whoami?${new URLSearchParams({ login, password: changed })}`))
    for (const name of ['api_key', 'Tracker_api_key', 'Bugzilla_api_key', 'token', 'Tracker_token', 'Bugzilla_token'])
      for (const path of ['/rest/version', '/rest/nothing', '/rest/whoami', '/rest/keyword/%zz', '/metrics'])
        await note(world.nobody.get(`${path}?${name}=${secret('query')}&x=%00`))
    for (const name of ['X-TRACKER-API-KEY', 'X-BUGZILLA-TOKEN', 'Authorization'])
      await note(world.nobody.get('/rest/whoami', { [name]: `Bearer ${secret('header')}` }))
    await note(world.nobody.get(`/rest/login?${new URLSearchParams({ login, password: secret('wrong') })}`))
    await note(world.nobody.get(`/rest/login?login=x@y.test&password=${secret('list')}&password=${secret('list')}`))
    await note(world.ada.post('/rest/user', { email: 'x@y.test', password: secret('short').slice(0, 5) }))
    await note(world.ada.post('/rest/user', { email: 'x@y.test', password: { nested: secret('nested') } }))
    await note(world.ada.put(`/rest/user/${id}`, { password: secret('long').repeat(200) }))
    await note(world.ada.put(`/rest/user/${id}`, { password: [secret('array')], api_key: [secret('array')] }))
    await note(world.ada.post('/rest/keyword', `{"api_key":"${secret('broken')}",`))
    await world.db.script('alter table keywords rename to elsewhere')
    await note(world.nobody.get('/rest/keyword', { 'X-TRACKER-API-KEY': cast.stan.apiKey }))
    await note(world.nobody.get(`/rest/keyword?login=${login}&password=${changed}`))
    await world.db.script('alter table elsewhere rename to keywords')
    secrets.add(cast.stan.apiKey)
    const failures = replies.filter(({ status }) => status === 500)
    assert.equal(failures.length, 2)

    const audit = await world.ada.get('/rest/audit?limit=1000')
    const tables = ['users', 'api_keys', 'login_tokens', 'login_failures', 'audit_log', 'parameters'] as const
    const rows = await Promise.all(tables.map((table) => world.db.query((q) => q.selectFrom(table).selectAll())))
    const places = {
      'the log': JSON.stringify(world.logged),
      'an error': replies.map(({ text, headers }) => text + JSON.stringify([...headers])).join('\n'),
      'the audit log': audit.text,
      'the measurements': (await world.nobody.get('/metrics')).text,
      'a table': JSON.stringify(rows),
    }
    assert.ok(audit.body.audit.some(({ field }: { field: string }) => field.includes('password')))
    for (const [place, text] of Object.entries(places))
      for (const it of secrets) assert.ok(!text.includes(it), `${it} stands in ${place}`)
  })

  it('are made of at least 128 random bits', async () => {
    const tokens = new Set<string>()
    for (let count = 0; count < 5; count++) {
      const { body } = await world.nobody.get(
        `/rest/login?${new URLSearchParams({ login: cast.rhea.login, password: PASSWORD })}`,
      )
      assert.match(body.token, /^\d+-[A-Za-z0-9]{22,}$/)
      tokens.add(body.token)
      const key = await world.rhea.post(`/rest/user/${cast.rhea.login}/api_key`, { description: 'x' })
      assert.match(key.body.api_key, /^[A-Za-z0-9]{40}$/)
      tokens.add(key.body.api_key)
    }
    assert.equal(tokens.size, 10)
  })
})

describeOnSqlite('ambient authority', (world) => {
  it('does not exist: a cookie says nothing, and none is set', async () => {
    const { body } = await world.nobody.get(
      `/rest/login?${new URLSearchParams({ login: cast.rhea.login, password: PASSWORD })}`,
    )
    const cookies = [
      `token=${body.token}`,
      `Bugzilla_login=2; Bugzilla_logincookie=${body.token}`,
      `api_key=${cast.ada.apiKey}`,
    ]
    for (const Cookie of cookies) assertError(await world.nobody.get('/rest/whoami', { Cookie }), 401, 410)
    const reads = everyCall.filter(({ call }) => call.method === 'GET' && call.path !== '/logout')
    for (const { call } of sampled(reads, 3))
      assert.equal((await makeCall(world.ada, call)).headers.get('set-cookie'), null)
    const logout = await world.nobody.get('/rest/logout')
    for (const cookie of logout.headers.getSetCookie()) assert.match(cookie, /^\w+=; Path=\/; Max-Age=0; HttpOnly$/)
  })

  it('is not lent to other origins', async () => {
    const { headers } = await world.ada.get('/rest/whoami', { Origin: 'https://evil.test' })
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-credentials'), null)
  })
})

describeOnOneEngine('names that look alike', (world) => {
  const ADA = cast.ada.login
  const ALIKE = [
    ADA.replace('a', '\u0430'),
    ADA.replace('a', '\uff41'),
    `${ADA}\u200b`,
    `\u202e${ADA}`,
    ADA.replace('a', 'a\u0301'),
    ADA.replace('@', '\uff20'),
    `${ADA}.`,
    ADA.replace('.', '\u3002'),
    ADA.replace('.', '_'),
    ADA.replace('ada', '%'),
    'ada*',
    '1',
  ]
  it('do not log in as each other', async () => {
    for (const login of ALIKE)
      assertError(await world.nobody.get(`/rest/login?${new URLSearchParams({ login, password: PASSWORD })}`), 401, 300)
  })

  it('cannot be made', async () => {
    for (const email of [
      ...ALIKE,
      ` ${ADA} `,
      ADA.toUpperCase(),
      `${ADA}\n`,
      `x\n${ADA}`,
      `${'x'.repeat(127)}${ADA}`,
    ]) {
      const { status, body } = await world.ada.post('/rest/user', { email })
      assert.equal(status, 400, JSON.stringify(email))
      assert.ok([500, 501].includes(body.code))
    }
  })
})

describeOnEachEngine('whatever may come', (world) => {
  const REQUESTS = isEveryCombination ? 1000 : 50
  const ODD = [
    ...[
      '',
      ' ',
      '0',
      '-1',
      '%',
      '..',
      '/',
      '\n',
      '\u2028',
      '\u0000',
      "'",
      '"',
      '<b>',
      '(',
      '*',
      '$1',
      '😀',
      '[]',
      '{}',
    ],
    ...['9'.repeat(30), 'x'.repeat(300), '__proto__', 'constructor', '_all', 'a.b', '2026-02-30', 'true'],
  ]
  // Things that a fresh world has, so that calls find what they look for, but for the caller's own account, which has number 1.
  const KNOWN = [
    ...[
      '2',
      '3',
      '4',
      'security',
      'editbugs',
      'canconfirm',
      cast.stan.login,
      cast.edna.login,
      'TestProduct',
      'TestComponent',
    ],
    ...[
      'unspecified',
      '---',
      'priority',
      'bug_status',
      'keywords',
      'CONFIRMED',
      'RESOLVED',
      'FIXED',
      'Normal',
      'Unclassified',
    ],
    ...[
      'read',
      'write',
      'bug',
      'attachment',
      'cf_fuzz',
      'Tracker::User',
      'Mandatory',
      'fresh',
      'fresh2',
      'a@lacewing.test',
    ],
  ]
  const PLACES: Record<string, string[]> = {
    product: ['TestProduct', 'fresh'],
    component: ['TestComponent', 'fresh'],
    version: ['unspecified', 'fresh'],
    milestone: ['---', 'fresh'],
    field: ['priority', 'bug_status', 'cf_fuzz', 'resolution', 'component'],
    value: ['Normal', 'CONFIRMED', 'fresh'],
    user: [cast.stan.login, '4'],
    group: ['security', 'editbugs', 'fresh'],
    classification: ['Unclassified', 'fresh'],
    email: ['a@lacewing.test', 'b@lacewing.test'],
    default_assignee: [cast.stan.login],
    scopes: ['read', 'write', 'admin'],
    target_type: ['bug', 'attachment'],
    bug: ['2', '3', '4'],
    attachment: ['2', '3'],
    comment: ['2', '3', '11'],
    ids: ['2', '3', '4'],
    summary: ['Words', 'Other words'],
    keywords: ['fresh'],
    status: ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'VERIFIED', 'UNCONFIRMED'],
    resolution: ['FIXED', 'WONTFIX', 'DUPLICATE', ''],
    op_sys: ['All', 'Linux'],
    platform: ['All', 'PC'],
    priority: ['Normal', '---'],
    severity: ['normal', 'minor'],
    target_milestone: ['---'],
    assigned_to: [cast.edna.login, cast.stan.login],
    cc: [cast.edna.login, cast.rhea.login],
    deadline: ['2026-02-01', ''],
    content_type: ['text/plain', 'image/png'],
    data: ['aGVsbG8=', ''],
    see_also: ['https://bugs.example.org/show_bug.cgi?id=7', '2'],
  }
  const known = (place: string) => fc.constantFrom(...(PLACES[place] ?? KNOWN))
  const odd = fc.oneof(fc.constantFrom(...ODD), anyText({ maxLength: 20 }))
  const oddNumber = fc.constantFrom(0, -1, 32_767, 32_768, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1.5, -0.1, 1e300)
  const number = fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 2, max: 9 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1002, max: 1009 }) },
    { weight: 1, arbitrary: oddNumber },
  )
  const scalar = fc.oneof(odd, number, fc.boolean(), fc.constant(null))
  const anything = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }))
  const mostly = (usual: fc.Arbitrary<unknown>, rest: fc.Arbitrary<unknown>, weight = 9) =>
    fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rest })

  /** A value of the kind that the parameter wants, but for one in so many. */
  function valueFor(place: string, schema: JsonSchema, wrong: number): fc.Arbitrary<unknown> {
    const within = (part: JsonSchema) => valueFor(place, part, wrong)
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(within))
    return mostly(ofKind(), anything, wrong)

    function ofKind(): fc.Arbitrary<unknown> {
      if (schema.type === 'array') return fc.array(within(schema.items ?? {}), { maxLength: 2 })
      if (schema.properties)
        return fc.record(
          mapped(schema.properties as Record<string, JsonSchema>, (part, name) => valueFor(name, part, wrong)),
          { requiredKeys: [] },
        )
      if (schema.format === 'date-time') return fc.constantFrom('2026-01-31', '2047-01-31T12:00:00Z', '1999-12-31')
      if (schema.type === 'integer' || schema.type === 'number') return number
      if (schema.type === 'boolean') return fc.constantFrom(true, false, 0, 1, '1', 'true')
      return mostly(known(place), odd)
    }
  }

  function requestTo(call: Call) {
    const params = Object.entries(call.params).filter(([name]) => name !== '(name)')
    const needed = params.filter(([, param]) => param.isRequired)
    const given = (wrong: number, always: typeof params) =>
      fc.subarray(params, { maxLength: Math.min(4, params.length) }).chain((some) => {
        const values = [...always, ...some].map(([name, { schema }]) => [name, valueFor(name, schema, wrong)])
        return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>)
      })
    const variables = [...call.path.matchAll(/(\w+)(?:\/:\w+)*\/:(\w+)/g)].flatMap(([whole, before]) =>
      [...whole.matchAll(/:(\w+)/g)].map(([, name]) => [name as string, before as string] as const),
    )
    const ref = (name: string, before: string) =>
      mostly(known(name in PLACES ? name : before), odd).filter(
        (it) => it !== '1' && it !== '' && String(it).isWellFormed(),
      )
    return fc.record({
      call: fc.constant(call),
      refs: fc.record(Object.fromEntries(variables.map(([name, before]) => [name, ref(name, before)]))),
      given: mostly(given(60, needed), given(3, []), 3),
      more: mostly(fc.constant({}), fc.dictionary(odd, anything, { maxKeys: 2 })),
      selection: mostly(fc.constant({}), fc.record({ include_fields: odd, exclude_fields: odd }, { requiredKeys: [] })),
      callback: mostly(fc.constant({}), fc.record({ callback: odd })),
      accept: mostly(fc.constant('application/json'), fc.constantFrom('text/html', 'application/javascript', '*/*')),
      who: mostly(fc.constant('ada'), fc.constantFrom('rhea', 'nobody', 'edna')),
    })
  }

  // What the parameters are set to changes how everything else is answered; see the tests of parameters for these.
  const calls = everyCall.map(({ call }) => call).filter((call) => call.path !== '/parameters' || call.method === 'GET')

  before(async () => {
    const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'A bug', version: 'unspecified' }
    for (let count = 0; count < 9; count++) assert.equal((await world.edna.post('/rest/bug', bug)).status, 200)
    const file = { data: 'aGVsbG8=', file_name: 'x.txt', summary: 'A file', content_type: 'text/plain' }
    for (const id of [1002, 1003, 1004])
      assert.equal((await world.edna.post(`/rest/bug/${id}/attachment`, file)).status, 201)
  })

  it('is answered in the format of the REST API, and never by a fault', async () => {
    const before = world.logged.length
    let done = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...calls).chain(requestTo),
        async ({ call, refs, given, accept, who, ...rest }) => {
          const all = Object.assign({}, given, rest.more) as Record<string, unknown>
          // GET /rest/event would wait for as many seconds, up to a minute.
          if (Number(all.wait) > 1) all.wait = 1
          const inBody = placeOf(call) === 'body'
          const search = queryOf({ ...(!inBody && all), ...(rest.selection as object), ...(rest.callback as object) })
          const client = world[who as 'ada' | 'rhea' | 'nobody' | 'edna'] as Client
          const path = call.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(refs[name])))
          const target = `/rest${path}?${search}`
          const reply = await client.send(call.method, target, inBody ? all : undefined, { Accept: accept as string })
          assertNoFault(reply, `${who} ${call.method} ${target} ${JSON.stringify(all)}`)
          if (reply.status < 300) done++
        },
      ),
      { seed: 20_260_131, numRuns: REQUESTS, endOnFailure: true },
    )
    assert.deepEqual(faultsIn(world.logged.slice(before)), [])
    assert.equal((await world.ada.get('/rest/whoami')).status, 200)
    assert.ok(done > 0.15 * REQUESTS, `only ${done} requests did anything`)
  })

  function queryOf(given: Record<string, unknown>): string {
    const pairs: [string, string][] = Object.entries(given).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((it) => [name, typeof it === 'string' ? it : JSON.stringify(it)]),
    )
    return new URLSearchParams(pairs).toString()
  }

  function faultsIn(lines: readonly Logged[]) {
    return lines.filter(({ level }) => level === 'error')
  }
})

function mapped<From, To>(from: Record<string, From>, map: (it: From, name: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, it]) => [name, map(it, name)]))
}

function placeOf(call: Call): 'query' | 'body' {
  return call.method === 'POST' || call.method === 'PUT' ? 'body' : 'query'
}
