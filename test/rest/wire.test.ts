import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { BodyAt } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { everyCall, makeCall } from '../support/every-call.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import { sampled } from '../support/sample.ts'
import { describeOnOneEngine, describeOnSqlite, itOnOneEngine, type Reply } from '../support/world.ts'

const KEY = { 'X-TRACKER-API-KEY': cast.ada.apiKey }
const JSON_TYPE = { 'Content-Type': 'application/json' }

function assertError(reply: Reply, status: number, code: number) {
  assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text)
}

describeOnSqlite('JSON', (world) => {
  it('goes out with its type, Vary, nosniff and CORS', async () => {
    const { headers } = await world.nobody.get('/rest/version')
    assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8')
    assert.match(headers.get('vary') ?? '', /^Accept, .*Cookie.*Authorization/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.match(headers.get('access-control-expose-headers') ?? '', /ETag/)
    assert.match(headers.get('cache-control') ?? '', /private/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
  })

  it('goes out with the same headers when there is an error, whatever it is', async () => {
    const replies = [
      await world.nobody.get('/rest/whoami'),
      await world.nobody.get('/rest/nothing'),
      await world.nobody.post('/rest/version'),
      await world.ada.post('/rest/keyword', 'no JSON'),
    ]
    for (const { headers, text } of replies) {
      assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8', text)
      assert.match(headers.get('vary') ?? '', /^Accept, .*Cookie.*Authorization/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('access-control-allow-origin'), '*')
    }
  })

  it('is answered without an Accept header, and for one that wants something else', async () => {
    const none: Record<string, string> = {}
    for (const headers of [none, { Accept: '*/*' }, { Accept: 'application/xml' }, { Accept: 'constructor' }]) {
      const reply = await rawRequest(world.url, 'GET', '/rest/version', { headers })
      assert.equal(reply.headers.get('content-type'), 'application/json; charset=UTF-8')
    }
  })

  it('comes in as an object, with or without a charset', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      const name = world.unique('word')
      const { status } = await world.ada.post('/rest/keyword', { name, description: 'd' }, { 'Content-Type': type })
      assert.equal(status, 201)
    }
  })

  it('may be no body at all, empty, or null', async () => {
    for (const body of ['', ' ', 'null', '{}']) assertError(await world.ada.post('/rest/keyword', body), 400, 50)
    const { name } = await newKeyword()
    const reply = await rawRequest(world.url, 'PUT', `/rest/keyword/${name}`, {
      headers: { ...KEY, ...JSON_TYPE, 'Content-Length': '0' },
    })
    assert.equal(reply.status, 200)
  })

  for (const body of [
    '[]',
    '"text"',
    '7',
    'true',
    '{',
    'name=x',
    '{"name":"x",}',
    "{'name':'x'}",
    '\ufeff{}',
    '{"name":"\\ud8"}',
  ])
    it(`cannot be ${body}`, async () => assertError(await world.ada.post('/rest/keyword', body), 400, 32000))

  it('must be UTF-8', async () => {
    const body = Buffer.from('{"name":"caf\xe9","description":"d"}', 'latin1')
    const headers = { ...KEY, ...JSON_TYPE, 'Content-Length': String(body.length) }
    const reply = await rawRequest(world.url, 'POST', '/rest/keyword', { headers, body })
    assert.deepEqual([reply.status, JSON.parse(reply.body).code], [400, 32000])
  })

  it('keeps the whole of Unicode', async () => {
    const description = 'é 😀 \u{10ffff} \u2028 \u202e \ufeff \u0001 "quoted" \\ </script>'
    const { name } = await newKeyword({ description })
    assert.equal((await world.nobody.get(`/rest/keyword/${name}`)).body.keywords[0].description, description)
  })

  const newKeyword = async (more: Record<string, unknown> = {}) => {
    const name = world.unique('word')
    const { status, body } = await world.ada.post('/rest/keyword', { name, description: 'd', ...more })
    assert.equal(status, 201, JSON.stringify(body))
    return { name, id: body.id as number }
  }
})

describeOnSqlite('parameters', (world) => {
  it('of a write come from the body, and the query string wins', async () => {
    const [inBody, inQuery] = [world.unique('word'), world.unique('word')]
    const { body } = await world.ada.post(`/rest/keyword?name=${inQuery}`, { name: inBody, description: 'd' })
    const { body: found } = await world.nobody.get(`/rest/keyword/${body.id}`)
    assert.deepEqual(found.keywords, [{ id: body.id, name: inQuery, description: 'd' }])
    assertError(await world.nobody.get(`/rest/keyword/${inBody}`), 404, 51)
  })

  it('of a write may all stand in the query string', async () => {
    const name = world.unique('word')
    assert.equal((await world.ada.post(`/rest/keyword?name=${name}&description=d`)).status, 201)
    assert.equal((await world.ada.put(`/rest/keyword/${name}?description=e`)).status, 200)
    assert.equal((await world.nobody.get(`/rest/keyword/${name}`)).body.keywords[0].description, 'e')
  })

  it('of a read do not come from a body', async () => {
    const body = JSON.stringify({ names: [cast.ada.login] })
    const headers = { ...KEY, ...JSON_TYPE, 'Content-Length': String(body.length) }
    const reply = await rawRequest(world.url, 'GET', '/rest/user', { headers, body })
    assert.deepEqual([reply.status, JSON.parse(reply.body).code], [400, 50])
  })

  it('of a read have no need of a content type, and suffer any', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      const reply = await rawRequest(world.url, 'GET', '/rest/version', { headers: { 'Content-Type': type } })
      assert.equal(reply.status, 200)
    }
  })

  it('that are lists may be repeated, be arrays, or be one plain value', async () => {
    const [ada, rhea] = [cast.ada.login, cast.rhea.login]
    const names = (reply: Reply<BodyAt<'GET', '/rest/user'>>) => reply.body.users.map((user) => user.name)
    const repeated = await world.ada.get(`/rest/user?names=${ada}&names=${rhea}`)
    assert.deepEqual(names(repeated), [ada, rhea])
    assert.deepEqual(names(await world.ada.get(`/rest/user?names=${rhea}`)), [rhea])
    const group = await world.newGroup()
    const users = [await world.newUser(), await world.newUser()]
    const body = { names: users.map(({ login }) => login), groups: { add: [group.name] } }
    assert.equal((await world.ada.put(`/rest/user/${users[0]?.id}`, body)).body.users.length, 2)
    const one = { names: users[1]?.login, groups: { remove: [group.id] } }
    assert.equal((await world.ada.put(`/rest/user/${users[0]?.id}`, one)).body.users.length, 2)
  })

  it('that are lists are not split at commas, but for include_fields and exclude_fields', async () => {
    assertError(await world.ada.get(`/rest/user?names=${cast.ada.login},${cast.rhea.login}`), 404, 51)
    assertError(await world.ada.get('/rest/user?ids=1,2'), 400, 52)
    const { body } = await world.ada.get('/rest/user?ids=1&include_fields=id,name')
    assert.deepEqual(body.users, [{ id: 1, name: cast.ada.login }])
  })

  it('that are lists hold plain values', async () => {
    assertError(await world.ada.put('/rest/user/1', { ids: [{ id: 1 }] }), 400, 58)
    assertError(await world.ada.put('/rest/user/1', { names: [['x']] }), 400, 58)
  })

  it('that are unknown are ignored by a read, and refused by an update', async () => {
    assert.equal((await world.ada.get('/rest/version?colour=red')).status, 200)
    assertError(await world.ada.put('/rest/group/admin', { colour: 'red' }), 400, 32601)
    assertError(await world.ada.put('/rest/group/admin', { constructor: 'red' }), 400, 32601)
  })

  it('of odd names are dropped', async () => {
    const { status } = await world.ada.put('/rest/group/security', { 'a b': 1, 'x[]': 2, é: 3 })
    assert.equal(status, 200)
  })

  it('are read from a query string that is broken as far as they can be', async () => {
    for (const query of ['%', '%zz=%zz', '&&&', '=', 'a=%ff', '?', '%00', 'x=%ed%a0%80'])
      assert.equal((await rawRequest(world.url, 'GET', `/rest/version?${query}`)).status, 200)
  })
})

describeOnOneEngine('names in a path', (world) => {
  for (const name of [
    'a/b',
    '/',
    'a%2Fb',
    'a%b',
    '100%',
    'a?b',
    'a#b',
    'a+b',
    'ä/ö',
    'a;b',
    '..',
    '.',
    'a\\b',
    'ａ',
    '😀',
    'get',
    ':ref',
    '*',
  ])
    it(`may be ${name}, encoded`, async () => {
      const path = `/rest/keyword/${encodeURIComponent(name).replaceAll('.', '%2E')}`
      const { status } = await world.ada.post('/rest/keyword', { name, description: 'd' })
      assert.equal(status, 201)
      const reply = await rawRequest(world.url, 'GET', path)
      assert.equal(reply.status, 200, reply.body)
      assert.equal(JSON.parse(reply.body).keywords[0].name, name)
    })

  it('may be very long', async () => {
    assertError(await world.nobody.get(`/rest/keyword/${'x'.repeat(15_900)}`), 404, 51)
    assert.equal((await world.nobody.get(`/rest/version?x=${'y'.repeat(15_980)}`)).status, 200)
  })

  itOnOneEngine(world, 'cannot hold what no text here may hold', async () => {
    for (const path of ['/rest/keyword/%00', '/rest/user/a%00b', '/rest/group/%00', '/rest/user/%00/api_key'])
      assertError(await world.ada.get(path), 400, 53)
  })

  itOnOneEngine(world, 'with a broken percent code are refused', async () => {
    for (const path of [
      '/rest/keyword/%',
      '/rest/keyword/%zz',
      '/rest/keyword/%ff',
      '/rest/keyword/%ed%a0%80',
      '/%c0%af',
    ]) {
      const reply = await rawRequest(world.url, 'GET', path)
      assert.deepEqual([reply.status, JSON.parse(reply.body).code], [400, 32000], path)
    }
  })
})

describeOnSqlite('addresses that lead nowhere', (world) => {
  const TRICKS = [
    '/rest/version/',
    '//rest/version',
    '/rest//version',
    '/REST/version',
    '/rest/Version',
    '/rest/VERSION',
    '/rest;/version',
    '/rest/version;x=1',
    '/rest/./version',
    '/rest/../rest/version',
    '/rest/%2e/version',
    '/rest/%2e%2e/rest/version',
    '/rest%2fversion',
    '/%72%65%73%74%2fversion',
    '/rest/version%00',
    '/rest/version%20',
    '/rest/whoami/',
    '/rest/whoami%2f',
    '/.rest/version',
    '/rest\\version',
    '/rest/',
    '/rest/nothing',
    '/xmlrpc.cgi',
    '/jsonrpc.cgi',
    '/rest/../../etc/passwd',
    '/rest/docs/../../package.json',
  ]
  for (const path of TRICKS)
    it(`include ${path}`, async () => {
      const reply = await rawRequest(world.url, 'GET', path)
      assert.deepEqual([reply.status, JSON.parse(reply.body).code], [404, 32614])
    })

  it('are not found whatever is sent there', async () => {
    for (const headers of [{ 'Content-Type': 'text/xml' }, {}, { 'Content-Type': 'application/json' }] as Record<
      string,
      string
    >[]) {
      const body = '<methodCall/>'
      const sent = { headers: { ...headers, 'Content-Length': String(body.length) }, body }
      for (const path of ['/xmlrpc.cgi', '/rest/nothing'])
        for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
          assert.equal((await rawRequest(world.url, method, path, sent)).status, 404)
    }
  })

  it('may be percent-encoded characters of an existing path', async () => {
    assert.equal((await rawRequest(world.url, 'GET', '/%72est/v%65rsion')).status, 200)
    assert.equal((await rawRequest(world.url, 'GET', `${world.url}/rest/version`)).status, 200)
  })

  it('do not lead around a login', async () => {
    for (const path of ['/rest/whoami', '/%72est/whoami', '/rest/whoam%69'])
      assert.equal((await rawRequest(world.url, 'GET', path)).status, 401)
  })
})

describeOnSqlite('methods', (world) => {
  it('that a path does not have are 405 with Allow', async () => {
    const cases: [method: string, path: string, allowed: string][] = [
      ['POST', '/rest/version', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/rest/version', 'GET, HEAD, OPTIONS'],
      ['PATCH', '/rest/user/1', 'GET, PUT, HEAD, OPTIONS'],
      ['PUT', '/rest/user', 'GET, POST, HEAD, OPTIONS'],
      ['PUT', '/rest/session/1', 'DELETE, OPTIONS'],
      ['GET', '/rest/session/1', 'DELETE, OPTIONS'],
      ['POST', '/rest', 'GET, HEAD, OPTIONS'],
      ['POST', '/health', 'GET, HEAD, OPTIONS'],
      ['POST', '/rest/login', 'GET, HEAD, OPTIONS'],
    ]
    for (const [method, path, allowed] of cases) {
      const reply = await world.ada.send(method, path, method === 'GET' ? undefined : {})
      assertError(reply, 405, 32614)
      assert.equal(reply.headers.get('allow'), allowed, `${method} ${path}`)
    }
  })

  it('that are unknown return 405 or 404', async () => {
    assert.equal((await rawRequest(world.url, 'PROPFIND', '/rest/version')).status, 405)
    assert.equal((await rawRequest(world.url, 'TRACE', '/rest/version')).status, 405)
    assert.equal((await rawRequest(world.url, 'PROPFIND', '/rest/nothing')).status, 404)
    assert.equal((await rawRequest(world.url, 'HACK', '/rest/version')).status, 400)
  })

  it('are returned by OPTIONS for every path, with the headers that a browser needs', async () => {
    for (const { call } of everyCall) {
      const { status, body, headers } = await world.nobody.send('OPTIONS', `/rest${call.path.replace(/:\w+/g, 'x')}`)
      assert.deepEqual([status, body], [200, {}])
      assert.ok(headers.get('allow')?.split(', ').includes(call.method))
      assert.equal(headers.get('access-control-allow-methods'), headers.get('allow'))
      assert.equal(headers.get('access-control-allow-origin'), '*')
      const allowed = headers.get('access-control-allow-headers') ?? ''
      for (const name of [
        'content-type',
        'accept',
        'authorization',
        'x-tracker-api-key',
        'x-bugzilla-token',
        'if-none-match',
      ])
        assert.ok(allowed.includes(name), `${name} is allowed`)
      assert.equal(headers.get('access-control-allow-credentials'), null)
    }
  })

  it('of an unknown path are not returned', async () => {
    assertError(await world.nobody.send('OPTIONS', '/rest/nothing'), 404, 32614)
  })

  it('HEAD answers like GET, without a body', async () => {
    for (const path of [
      '/rest',
      '/rest/version',
      '/rest/keyword',
      '/rest/nothing',
      '/rest/whoami',
      '/rest/docs',
      '/health',
    ]) {
      const [get, head] = [await world.nobody.get(path), await world.nobody.send('HEAD', path)]
      assert.deepEqual([head.status, head.text], [get.status, ''], path)
      for (const name of ['content-type', 'content-length', 'etag', 'vary'])
        assert.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`)
    }
  })

  it('HEAD /rest is 200, and HEAD /xmlrpc.cgi is not, as clients probe', async () => {
    assert.equal((await world.nobody.send('HEAD', '/rest')).status, 200)
    assert.equal((await world.nobody.send('HEAD', '/xmlrpc.cgi')).status, 404)
  })
})

describeOnSqlite('a write', (world) => {
  it('needs the content type of JSON, on every call', async () => {
    const writes = everyCall.filter(
      ({ call }) => ['POST', 'PUT'].includes(call.method) && call.takesBytes === undefined,
    )
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json-rpc',
      'application/jsonx',
      'text/json',
      '',
      'application/json, text/plain',
    ]
    for (const [place, { call, title }] of writes.entries())
      for (const type of sampled(types, 4, place)) {
        if (call.takesForm && type === 'application/x-www-form-urlencoded') continue
        const { status, body } = await makeCall(world.ada, call, { headers: { 'Content-Type': type } })
        assert.deepEqual([status, body.code], [415, 32613], `${title} with ${type}`)
      }
  })

  it('needs it even without a body', async () => {
    const reply = await rawRequest(world.url, 'POST', '/rest/keyword?name=x&description=y', {
      headers: { ...KEY, 'Content-Length': '0' },
    })
    assert.deepEqual([reply.status, JSON.parse(reply.body).code], [415, 32613])
  })

  it('is not a GET, whatever the GET says', async () => {
    const { body } = await world.ada.get('/rest/keyword?method=POST&_method=POST&name=x&description=y', {
      'X-HTTP-Method-Override': 'POST',
    })
    assert.ok(Array.isArray(body.keywords))
  })

  it('may not be larger than the limit', async () => {
    const body = JSON.stringify({ name: 'big', description: 'x'.repeat(4 * 1024 * 1024) })
    assertError(await world.ada.post('/rest/keyword', body), 413, 32000)
    const declared = await rawRequest(world.url, 'POST', '/rest/keyword', {
      headers: { ...KEY, ...JSON_TYPE, 'Content-Length': '999999999' },
    })
    assert.equal(declared.status, 413)
  })

  it('over the limits needs a login first', async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`p${at}`, 1]))
    const bodies = [{ description: 'x'.repeat(4 * 1024 * 1024) }, { description: 'x'.repeat(3_000_000) }, many]
    for (const body of [...bodies, { deep: JSON.parse('['.repeat(200) + ']'.repeat(200)) }]) {
      assertError(await world.nobody.post('/rest/keyword', JSON.stringify(body)), 401, 410)
      const { status, body: answer } = await world.ada.post('/rest/keyword', JSON.stringify(body))
      assert.deepEqual([status === 400 || status === 413, answer.code], [true, 32000])
    }
    const inBody = JSON.stringify({ Tracker_api_key: cast.ada.apiKey, ...many })
    const { body } = await world.nobody.post('/rest/keyword', inBody)
    assert.match(body.message, /send them in a header/)
  })

  it('with a length that is no number, or with two, is no request', async () => {
    for (const length of ['-1', 'x', '1, 2'])
      assert.equal(
        (await rawRequest(world.url, 'POST', '/rest/keyword', { headers: { ...JSON_TYPE, 'Content-Length': length } }))
          .status,
        400,
      )
    const both = { ...JSON_TYPE, 'Content-Length': '2', 'Transfer-Encoding': 'chunked' }
    assert.equal((await rawRequest(world.url, 'POST', '/rest/keyword', { headers: both, body: '{}' })).status, 400)
  })
})

describeOnSqlite('JSONP', (world) => {
  it('is answered for a callback, whatever is accepted', async () => {
    for (const accept of ['application/json', 'text/html', 'application/javascript', '*/*']) {
      const { status, text, headers } = await world.nobody.get('/rest/timezone?callback=show', { Accept: accept })
      assert.equal(status, 200)
      assert.equal(text, '/**/show({"timezone":"+0000"})')
      assert.equal(headers.get('content-type'), 'text/javascript; charset=UTF-8')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
  })

  it('wraps errors too, which keep their status', async () => {
    const cases: [path: string, status: number, code: number][] = [
      ['/rest/whoami', 401, 410],
      ['/rest/keyword/nothing-such', 404, 51],
      ['/rest/nothing', 404, 32614],
      ['/rest/parameters?api_key=wrong', 400, 306],
      ['/rest/session/1', 405, 32614],
    ]
    for (const [path, status, code] of cases) {
      const { text, ...reply } = await world.nobody.get(`${path}${path.includes('?') ? '&' : '?'}callback=a.b[0]`)
      assert.equal(reply.status, status, path)
      assert.match(text, /^\/\*\*\/a\.b\[0\]\(\{.*\}\)$/)
      assert.equal(JSON.parse(text.slice('/**/a.b[0]('.length, -1)).code, code)
    }
  })

  it('wraps the answer to a write', async () => {
    const name = world.unique('word')
    const { status, text } = await world.ada.post('/rest/keyword?callback=f', { name, description: 'd' })
    assert.equal(status, 201)
    assert.match(text, /^\/\*\*\/f\(\{"id":\d+\}\)$/)
  })

  it('holds no line end that a script would stumble over', async () => {
    const name = world.unique('word')
    await world.ada.post('/rest/keyword', { name, description: 'a\u2028b\u2029c' })
    const { text } = await world.nobody.get(`/rest/keyword/${name}?callback=f`)
    assert.doesNotMatch(text, /[\u2028\u2029]/)
    assert.match(text, /a\\u2028b\\u2029c/)
  })

  for (const callback of ['a<b', 'alert(1)', 'a;b', 'a b', 'a"', "a'", 'a\nb', 'é', 'x'.repeat(129), '<script>'])
    it(`refuses the callback ${JSON.stringify(callback).slice(0, 20)}, in plain JSON`, async () => {
      const reply = await world.nobody.get(`/rest/version?callback=${encodeURIComponent(callback)}`)
      assertError(reply, 400, 32611)
      assert.equal(reply.headers.get('content-type'), 'application/json; charset=UTF-8')
      assert.ok(!reply.text.includes(callback), 'it is not repeated')
    })

  it('refuses two callbacks, and takes an empty one for none', async () => {
    assertError(await world.nobody.get('/rest/version?callback=a&callback=b'), 400, 32611)
    assert.ok((await world.nobody.get('/rest/version?callback=')).body.version)
  })

  it('is plain JSON under its own type without a callback', async () => {
    const { text, headers } = await world.nobody.get('/rest/timezone', { Accept: 'application/javascript' })
    assert.equal(text, '{"timezone":"+0000"}')
    assert.equal(headers.get('content-type'), 'application/javascript; charset=UTF-8')
  })
})

describeOnSqlite('the page for a browser', (world) => {
  const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' }
  const ATTACK = `"><script>alert(1)</script><img src=x onerror='alert(2)'>\`</pre>&quot;`

  it('shows the JSON with links to related resources', async () => {
    const { text, headers } = await world.ada.get(`/rest/user/${cast.ada.login}`, BROWSER)
    assert.equal(headers.get('content-type'), 'text/html; charset=UTF-8')
    assert.match(text, /<a href="\/rest\/user\/1"[^>]*>1<\/a>/)
    assert.match(text, /<a href="\/rest\/group\/editusers"[^>]*>&#34;editusers&#34;<\/a>/)
    assert.match(text, /<b>&#34;real_name&#34;<\/b>: &#34;Administrator&#34;/)
  })

  it('is safe against script in any value', async () => {
    const user = await world.newUser({ full_name: ATTACK })
    const group = await world.newGroup({ description: ATTACK })
    const { text } = await world.ada.get(`/rest/user/${user.login}`, BROWSER)
    const groups = await world.ada.get(`/rest/group/${group.name}?membership=1`, BROWSER)
    for (const page of [text, groups.text]) {
      assert.match(page, /&#60;script&#62;alert/)
      assertHarmless(page)
    }
  })

  it('is safe against script in a name that becomes a link', async () => {
    const name = '"onmouseover=alert(1)><b>x</b>'
    await world.ada.post('/rest/keyword', { name, description: 'javascript:alert(1)' })
    const { text } = await world.nobody.get('/rest/keyword', BROWSER)
    assertHarmless(text)
    assert.match(text, /<a href="\/rest\/keyword\/%22onmouseover%3Dalert\(1\)%3E%3Cb%3Ex%3C%2Fb%3E"/)
    assert.doesNotMatch(text, /href="javascript/)
  })

  it('is safe against script in errors, in keys, and in what they repeat', async () => {
    const attack = encodeURIComponent(ATTACK)
    const replies = [
      await world.ada.get(`/rest/keyword/${attack}`, BROWSER),
      await world.ada.get(`/rest/user?ids=${attack}`, BROWSER),
      await world.ada.get(`/rest/nothing/${attack}`, BROWSER),
      await world.ada.get(`/rest/version?callback=${attack}`, BROWSER),
      await world.ada.put('/rest/parameters', { [ATTACK]: 1, requirelogin: ATTACK }, BROWSER),
      await world.ada.put('/rest/group/security', { 'a.b-c': ATTACK }, BROWSER),
    ]
    for (const { status, text, headers } of replies) {
      assert.ok(status >= 400 && status < 500)
      assert.equal(headers.get('content-type'), 'text/html; charset=UTF-8')
      assertHarmless(text)
    }
  })

  it('shows errors with their status and a link to what they mean', async () => {
    const { status, text } = await world.nobody.get('/rest/whoami', BROWSER)
    assert.equal(status, 401)
    assert.match(text, /<a href="[^"]*\/rest\/docs\/errors#error-410"/)
  })

  it('comes with a policy under which nothing can run or load', async () => {
    for (const path of ['/rest/version', '/rest/nothing', '/rest/docs', '/rest/docs/errors']) {
      const policy = (await world.nobody.get(path, BROWSER)).headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none';/)
      assert.doesNotMatch(policy, /unsafe|script-src|\*/)
    }
  })

  it('is chosen by quality', async () => {
    const typeFor = async (accept: string) =>
      (await world.nobody.get('/rest/version', { Accept: accept })).headers.get('content-type')?.split(';')[0]
    assert.equal(await typeFor('text/html;q=0.5, application/json;q=0.9'), 'application/json')
    assert.equal(await typeFor('text/html;q=0.9, application/json;q=0.5'), 'text/html')
    assert.equal(await typeFor('text/html;q=0'), 'application/json')
  })

  function assertHarmless(page: string) {
    const markup = page.replace(/<style>[\s\S]*?<\/style>/, '')
    assert.doesNotMatch(markup, /<(script|img|iframe|svg|link|form|object)|<[^>]*\son\w+\s*=/i)
    assert.doesNotMatch(markup, /<b>x<\/b>/)
  }
})

describeOnSqlite('an ETag', (world) => {
  let etag = ''
  before(async () => {
    await world.ada.post('/rest/keyword', { name: 'tagged', description: 'd' })
    etag = (await world.nobody.get('/rest/keyword/tagged')).headers.get('etag') ?? ''
  })
  const ask = (known: string, path = '/rest/keyword/tagged') => world.nobody.get(path, { 'If-None-Match': known })

  it('is quoted, and stands on every read', async () => {
    assert.match(etag, /^"[\w-]{20,}"$/)
    assert.ok((await world.nobody.get('/rest/version')).headers.get('etag'))
  })

  it('avoids the body for a client that sends it, in every format', async () => {
    for (const known of [etag, `W/${etag}`, etag.slice(1, -1), `"x", ${etag}`, `"x",W/${etag},"y"`, '*']) {
      const { status, text, headers } = await ask(known)
      assert.deepEqual([status, text], [304, ''], known)
      assert.equal(headers.get('etag'), etag)
      assert.match(headers.get('vary') ?? '', /^Accept, .*Cookie.*Authorization/)
      assert.equal(headers.get('content-type'), null)
    }
    const head = await world.nobody.send('HEAD', '/rest/keyword/tagged', undefined, { 'If-None-Match': etag })
    assert.equal(head.status, 304)
  })

  it('does not save it to who knows another', async () => {
    for (const known of ['"x"', 'W/"x", "y"', '', `"${etag}`]) assert.equal((await ask(known)).status, 200, known)
  })

  it('differs with the form, with the fields and with the answer', async () => {
    const html = await world.nobody.get('/rest/keyword/tagged', { Accept: 'text/html', 'If-None-Match': etag })
    assert.equal(html.status, 200)
    assert.equal((await ask(etag, '/rest/keyword/tagged?include_fields=id')).status, 200)
    assert.equal((await ask(etag, '/rest/keyword/tagged?callback=f')).status, 200)
    await world.ada.put('/rest/keyword/tagged', { description: 'changed' })
    assert.equal((await ask(etag)).status, 200)
    await world.ada.put('/rest/keyword/tagged', { description: 'd' })
    assert.equal((await ask(etag)).status, 304)
  })

  it('differs with the reader, where the answer does', async () => {
    const mine = (await world.ada.get('/rest/user/1')).headers.get('etag') ?? ''
    const { status, body } = await world.rhea.get('/rest/user/1', { 'If-None-Match': mine })
    assert.equal(status, 200)
    assert.ok(body.users[0].saved_searches === undefined)
  })

  it('never turns an error into 304', async () => {
    for (const path of ['/rest/whoami', '/rest/keyword/nothing-such', '/rest/nothing', '/rest/parameters?api_key=x']) {
      const { status, headers } = await ask('*', path)
      assert.ok(status >= 400, path)
      assert.equal(headers.get('etag'), null)
    }
  })

  it('does not keep a write from happening', async () => {
    const name = world.unique('word')
    const { status } = await world.ada.post('/rest/keyword', { name, description: 'd' }, { 'If-None-Match': '*' })
    assert.equal(status, 201)
    assert.equal(
      (await world.ada.put(`/rest/keyword/${name}`, { description: 'e' }, { 'If-None-Match': '*' })).status,
      200,
    )
  })
})

describeOnSqlite('limits', (world) => {
  it('let an address have 16,000 characters, and 32,000 at most', async () => {
    const long = (length: number) => `/rest/version?x=${'y'.repeat(length - '/rest/version?x='.length)}`
    assert.equal((await world.nobody.get(long(16_000))).status, 200)
    assert.equal((await world.nobody.get(long(32_000))).status, 200)
    assertError(await world.nobody.get(long(32_001)), 414, 32000)
    assertError(await world.nobody.get(`/rest/keyword/${'z'.repeat(32_001)}`), 414, 32000)
  })

  it('allow headers of 64 KiB, and return 431 for more, in the format of the REST API', async () => {
    assert.equal((await world.nobody.get('/rest/version', { 'X-Long': 'x'.repeat(32_000) })).status, 200)
    const reply = await rawRequest(world.url, 'GET', '/rest/version', { headers: { 'X-Long': 'x'.repeat(70_000) } })
    assert.equal(reply.status, 431)
    const { documentation, ...error } = JSON.parse(reply.body)
    assert.deepEqual(error, {
      error: true,
      code: 32000,
      message: 'The headers of the request are too large.',
      reason: 'headers_too_large',
    })
    assert.ok(documentation.endsWith('#error-32000'))
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(reply.headers.get('connection'), 'close')
  })

  it('return 400 for input that is not HTTP, in the format of the REST API', async () => {
    for (const bytes of [
      'hello\r\n\r\n',
      'GET /rest/version HTTP/9.9\r\n\r\n',
      'GET /rest/version HTTP/1.1\r\nBad Header: x\r\n\r\n',
      '\x16\x03\x01\x00\xa5',
    ]) {
      const reply = await rawExchange(world.url, bytes)
      assert.deepEqual([reply.status, JSON.parse(reply.body).code], [400, 32000])
    }
  })
})
