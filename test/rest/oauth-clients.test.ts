import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanName, looksLikeOurs } from '../../src/people/oauth/clients/client-name.ts'
import { faultInRedirectUri, isRegistered, withAnswer } from '../../src/people/oauth/clients/redirect-uri.ts'
import type { AnyBody } from '../support/body-types.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { bearer, castInPages, OAuthProgram, OWN_PAGE, REDIRECT } from '../support/oauth.ts'
import { assertRefused } from '../support/refusal.ts'
import { SdkProgram } from '../support/sdk-program.ts'
import { describeOnEachEngine, describeOnSqlite, itOnOneEngine, type Reply } from '../support/world.ts'

const GOOD = [
  'https://app.example.com/callback',
  'https://app.example.com',
  'https://app.example.com:8443/a/b?c=d',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:33418/',
  'http://localhost:5000/callback',
  'http://[::1]:5000/callback',
]

const BAD = [
  '',
  'app.example.com',
  '//app.example.com/callback',
  'https:app.example.com',
  'https:/app.example.com/x',
  'https:\\\\app.example.com\\x',
  'http://app.example.com/callback',
  'http://127.0.0.1.example.com/',
  'http://localhost.example.com/',
  'http://127.1/callback',
  'http://2130706433/callback',
  'http://0.0.0.0/callback',
  'http://[::ffff:127.0.0.1]/callback',
  'https://user@app.example.com/',
  'https://user:secret@app.example.com/',
  'https://bugs.example.com@evil.example/',
  'https://app.example.com/callback#part',
  'https://app.example.com/callback#',
  'https://app.example.com/a/../b',
  'https://app.example.com/%2e%2e/b',
  'https://APP.example.com/',
  'https://app.example.com/a b',
  'https://app.example.com/"><script>',
  'https://exämple.com/',
  'https://app.example.com/\r\nSet-Cookie:x',
  'cursor://agent/callback',
  'com.example.app:/callback',
  'javascript:alert(1)//https://x',
  'data:text/html,x',
  'file:///etc/passwd',
  'urn:ietf:wg:oauth:2.0:oob',
  `https://app.example.com/${'x'.repeat(500)}`,
]

describe('The address for an answer', () => {
  it('is https, or http to this computer, written as browsers write it', () => {
    for (const uri of GOOD) assert.equal(faultInRedirectUri(uri), undefined, uri)
    for (const uri of [...BAD, 5, null, {}]) assert.ok(faultInRedirectUri(uri), String(uri))
  })

  it('is matched exactly, except for the port of this computer', () => {
    for (const uri of GOOD) assert.ok(isRegistered(uri, GOOD), uri)
    for (const uri of BAD) assert.ok(!isRegistered(uri, [...GOOD, uri]), `${uri} is not used even if it is registered`)
    assert.ok(isRegistered('http://127.0.0.1:9/callback', ['http://127.0.0.1/callback']))
    assert.ok(isRegistered('http://[::1]:9/callback', ['http://[::1]:5000/callback']))
    const others = [
      'http://localhost:9/callback',
      'http://127.0.0.1:9/callback/',
      'http://127.0.0.1:9/callback?x',
      'https://127.0.0.1:9/callback',
      'https://app.example.com:444/callback',
      'https://app.example.com/callback/',
      'https://app.example.com/callback?x',
    ]
    for (const uri of others)
      assert.ok(!isRegistered(uri, ['http://127.0.0.1/callback', 'https://app.example.com/callback']), uri)
  })

  it('keeps its query beside the answer', () => {
    const answer = { code: 'a b&c=d', state: undefined, iss: 'https://x' }
    assert.equal(withAnswer('https://x/?a=%20', answer), 'https://x/?a=%20&code=a+b%26c%3Dd&iss=https%3A%2F%2Fx')
    assert.equal(withAnswer('https://x/y', { code: '1' }), 'https://x/y?code=1')
  })
})

describe('The name of a program', () => {
  it('is one line without characters that hide or turn text around', () => {
    assert.equal(cleanName('  Claude\n\tCode '), 'Claude Code')
    assert.equal(cleanName('safe\u202egpj.exe'), 'safe gpj.exe')
    assert.equal(cleanName('a\u200b\u2060b\u{e0041}\ufe0f'), 'a b')
    assert.equal(cleanName(`Z${'\u0300'.repeat(50)}algo`), 'Z\u0300\u0300algo')
    assert.equal([...cleanName('x'.repeat(5000))].length, 60)
    for (const nothing of ['', '   ', '\u200b', '…', 5, null, undefined, {}])
      assert.equal(cleanName(nothing), 'A program without a name', String(nothing))
  })

  it('is noticed if it looks like that of the installation', () => {
    for (const name of [
      'Lacewing',
      'Lacewing Security',
      'L4cew1ng',
      'Ⅼасеwing',
      'La-ce-wing',
      'Iacewing',
      'LÁCËWING',
      'Acme Bugs',
      'Аcme  bugs login',
    ])
      assert.ok(looksLikeOurs(name, 'Acme Bugs'), name)
    for (const name of ['Claude', 'A helper', 'Bugs', '']) assert.ok(!looksLikeOurs(name, 'Acme Bugs'), name)
    assert.ok(!looksLikeOurs('Q agent', 'Q'), 'a name of one letter is in too many others')
  })
})

describeOnEachEngine('Programs that ask for access', (world) => {
  const register = async (metadata: unknown, headers = {}) =>
    (await world.nobody.post('/oauth/register', metadata, headers)) as Reply<AnyBody>

  itOnOneEngine(world, 'register themselves, and get what they are known by', async () => {
    const metadata = {
      client_name: 'A\u202e helper',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      logo_uri: 'http://127.0.0.1:1/logo',
      jwks_uri: 'http://169.254.169.254/',
    }
    const { status, body, headers } = await register(metadata)
    assert.equal(status, 201)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { client_id, client_id_issued_at, ...rest } = body
    assert.match(client_id, /^\w{32}$/)
    assert.ok(Math.abs(client_id_issued_at - Date.now() / 1000) < 60)
    assert.deepEqual(rest, {
      client_name: 'A helper',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
  })

  it('are refused in the words of OAuth', async () => {
    const wrong: [object, string][] = [
      [{}, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ redirect_uris: 'https://x.example/' }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [
        { redirect_uris: Array.from({ length: 11 }, (_, place) => `https://x.example/${place}`) },
        'invalid_redirect_uri',
      ],
      [{ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
      [{ redirect_uris: [REDIRECT], response_types: ['token'] }, 'invalid_client_metadata'],
      [{ redirect_uris: [REDIRECT], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    ]
    for (const [metadata, error] of wrong) {
      const { status, body } = await register(metadata)
      assert.deepEqual([status, body.error], [400, error], JSON.stringify(metadata))
    }
    const { body: none } = await register({ redirect_uris: [] })
    assert.equal(none.error_description, 'redirect_uris: it must be a list of 1 to 10 addresses.')
    const long = await register({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(20_000) })
    assert.deepEqual([long.status, long.body.error], [413, 'invalid_request'])
    const text = (await world.nobody.send('POST', '/oauth/register', '[1', {
      'Content-Type': 'application/json',
    })) as Reply<AnyBody>
    assert.deepEqual([text.status, text.body.error], [400, 'invalid_request'])
  })

  it('are bounded for each network and day, and in all if nobody gives them access', async () => {
    await world.ada.put('/rest/parameters', { inbound_proxies: '127.0.0.1' })
    const from = (address: string) => register({ redirect_uris: [REDIRECT] }, { 'X-Forwarded-For': address })
    const statuses: number[] = []
    for (let number = 0; number < 32; number++) statuses.push((await from('203.0.113.7')).status)
    assert.deepEqual(statuses.slice(28), [201, 201, 429, 429])
    assert.equal((await from('203.0.113.8')).status, 201)
    assert.equal((await from('2001:db8::1')).status, 201)

    const at = '2199-01-01T00:00:00Z'
    const rows = Array.from({ length: 520 }, (_, number) => ({
      client_key: `many ${number}`,
      name: 'x',
      redirect_uris: '[]',
      auth_method: 'none',
      network: 'elsewhere',
      is_registered_by_hand: 0 as const,
      created_at: at,
    }))
    await world.db.query((q) => q.insertInto('oauth_clients').values(rows))
    const count = async () => {
      const found = await world.db.query((q) =>
        q.selectFrom('oauth_clients').select((it) => it.fn.countAll<number>().as('count')),
      )
      return Number(found[0]?.count)
    }
    assert.ok((await count()) > 520)
    assert.equal((await register({ redirect_uris: [REDIRECT] })).status, 201)
    assert.equal(await count(), 500)
    await world.db.query((q) => q.updateTable('oauth_clients').set({ created_at: '2020-01-01T00:00:00Z' }))
    const kept = await OAuthProgram.register(world)
    assert.equal(await count(), 1, 'those that nobody gave access are forgotten after a day')
    await kept.accessOf(await castInPages(world, 'edna'))
    await world.db.query((q) =>
      q.updateTable('oauth_clients').set({ created_at: '2020-01-01T00:00:00Z', used_at: '2020-01-01T00:00:00Z' }),
    )
    await OAuthProgram.register(world)
    assert.equal(await count(), 2, 'one that has access stays')
    await world.db.query((q) =>
      q.updateTable('api_keys').set({ grant_ends_at: '2020-01-01T00:00:00Z' }).where('client_id', 'is not', null),
    )
    await OAuthProgram.register(world)
    assert.equal(await count(), 2, 'and goes long after it has none')
    await world.ada.put('/rest/parameters', { inbound_proxies: '' })
  })

  it('are added by administrators only, while they may not register', async () => {
    await world.withParameters({ oauth_registration: false }, async () => {
      const { status, body } = await register({ redirect_uris: [REDIRECT] })
      assert.deepEqual([status, body.error], [403, 'invalid_request'])
      const { body: metadata } = await world.nobody.get('/.well-known/oauth-authorization-server')
      assert.equal((metadata as AnyBody).registration_endpoint, undefined)
      const made = await world.ada.post('/rest/oauth_client', { name: 'Our own helper', redirect_uris: [REDIRECT] })
      assert.equal(made.status, 201, made.text)
      const confidential = {
        name: 'Server',
        redirect_uris: ['https://x.example/cb'],
        auth_method: 'client_secret_post',
      }
      assert.equal((await world.ada.post('/rest/oauth_client', confidential)).body.client_secret.length, 48)
      const offer = {
        ...(await OAuthProgram.prototype.request.call({
          world,
          id: made.body.client_id,
          redirectUri: REDIRECT,
          challenge: 'x'.repeat(43),
        } as never)),
      }
      const { body: read } = await (await castInPages(world, 'edna')).get(
        `/rest/oauth/authorization?${new URLSearchParams(offer)}`,
      )
      assert.equal(read.client.name, 'Our own helper')
    })
    const wanted = { name: 'x', redirect_uris: [REDIRECT] }
    assertRefused(await world.edna.post('/rest/oauth_client', wanted), 401, 304)
    assertRefused(await world.nobody.post('/rest/oauth_client', wanted), 401, 410)
    assertRefused(await world.ada.post('/rest/oauth_client', { ...wanted, redirect_uris: ['ftp://x'] }), 400, 53)
    assertRefused(await world.ada.post('/rest/oauth_client', { ...wanted, auth_method: 'x' }), 400, 53)
  })

  it('are listed and ended by administrators, with all access that they have', async () => {
    const program = await OAuthProgram.register(world, { client_name: 'Too curious' })
    const tokens = await program.accessOf(await castInPages(world, 'edna'), { resource: `${world.url}/rest` })
    const sven = await program.accessOf(await castInPages(world, 'sven'), { resource: `${world.url}/rest` })
    const hook = await bearer(world, sven.access_token).post('/rest/webhook', {
      url: 'http://127.0.0.1:9/',
      is_active: false,
    })
    assert.equal(hook.status, 201, hook.text)
    const code = await program.codeFrom(await castInPages(world, 'edna'))
    assertRefused(await world.edna.get('/rest/oauth_client'), 401, 304)
    const { body } = await world.ada.get('/rest/oauth_client?limit=1')
    const [listed] = body.clients
    assert.deepEqual(
      [body.clients.length, listed.name, listed.client_id, listed.users, listed.registered_from],
      [1, 'Too curious', program.id, 2, '127.0.0.1'],
    )
    assertRefused(await world.edna.delete(`/rest/oauth_client/${listed.id}`), 401, 304)
    assertRefused(await world.ada.delete('/rest/oauth_client/999999'), 404, 51)
    assert.deepEqual((await world.ada.delete(`/rest/oauth_client/${listed.id}`)).body, {
      id: listed.id,
      name: 'Too curious',
    })
    for (const { access_token } of [tokens, sven])
      assertRefused(await bearer(world, access_token).get('/rest/whoami'), 400, 306)
    assert.equal((await program.refresh(tokens.refresh_token)).body.error, 'invalid_client')
    assert.equal((await program.exchange(code)).body.error, 'invalid_client')
    assertRefused(await world.sven.get(`/rest/webhook/${hook.body.id}`), 404, 51)
    const { body: audit } = await world.ada.get('/rest/audit?class=Tracker::OAuthClient')
    assert.ok(audit.audit.some(({ field, removed }) => field === 'credentials' && removed === 'webhook: 1, api_key: 2'))
    const edna = await world.edna.get(`/rest/user/${cast.edna.login}/api_key`)
    assert.ok(edna.body.api_keys.some(({ description, is_revoked }) => description === 'Too curious' && is_revoked))
  })
})

describeOnSqlite('What programs read about access', (world) => {
  it('is where the standards say, and names the server as it names itself', async () => {
    const { body, headers } = (await world.nobody.get('/.well-known/oauth-authorization-server')) as Reply<AnyBody>
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.deepEqual(body, {
      issuer: world.url,
      authorization_endpoint: `${world.url}/oauth/authorize`,
      token_endpoint: `${world.url}/oauth/token`,
      registration_endpoint: `${world.url}/oauth/register`,
      revocation_endpoint: `${world.url}/oauth/revoke`,
      scopes_supported: ['read', 'propose', 'write'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
    for (const [end, path] of [
      ['/mcp', '/mcp'],
      ['/rest', '/rest'],
      ['', '/mcp'],
    ]) {
      const { body: resource } = (await world.nobody.get(
        `/.well-known/oauth-protected-resource${end}`,
      )) as Reply<AnyBody>
      assert.deepEqual(resource, {
        resource: world.url + path,
        authorization_servers: [world.url],
        scopes_supported: ['read', 'propose', 'write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Lacewing',
      })
    }
  })

  it('is not there for MCP while use_mcp is off, and no access is given or renewed', async () => {
    const program = await OAuthProgram.register(world)
    const edna = await castInPages(world, 'edna')
    const { refresh_token } = await program.accessOf(edna)
    const code = await program.codeFrom(edna)
    await world.withParameters({ use_mcp: false }, async () => {
      assert.equal((await world.nobody.get('/.well-known/oauth-protected-resource/mcp')).status, 404)
      assert.equal((await world.nobody.get('/.well-known/oauth-protected-resource/rest')).status, 200)
      assert.equal((await program.exchange(code)).body.error, 'invalid_target')
      assert.equal((await program.refresh(refresh_token)).body.error, 'invalid_target')
      const { body } = await edna.get(`/rest/oauth/authorization?${new URLSearchParams(program.request())}`)
      assert.equal(body.fault.error, 'invalid_target')
    })
    assert.equal((await program.refresh(refresh_token)).status, 200)
  })
})

describeOnSqlite(
  'What programs read about access, behind a proxy and below a path',
  (world) => {
    it('has the address of the base, also where a proxy passes on nothing else', async () => {
      const base = 'https://example.com/tracker'
      for (const path of [
        '/.well-known/oauth-authorization-server/tracker',
        '/tracker/.well-known/openid-configuration',
        '/.well-known/openid-configuration/tracker',
      ]) {
        const { status, body } = (await world.nobody.get(path)) as Reply<AnyBody>
        assert.deepEqual([status, body.issuer, body.token_endpoint], [200, base, `${base}/oauth/token`], path)
      }
      for (const path of [
        '/.well-known/oauth-protected-resource/tracker/mcp',
        '/tracker/.well-known/oauth-protected-resource/mcp',
      ]) {
        const { body } = (await world.nobody.get(path)) as Reply<AnyBody>
        assert.deepEqual([body.resource, body.authorization_servers], [`${base}/mcp`, [base]], path)
      }
    })

    it('is found by the official client, also behind a proxy that passes on nothing else', async () => {
      for (const isWhole of [true, false]) {
        const proxy: typeof fetch = async (input, init) => {
          const { pathname, search } = new URL(String(input))
          if (!isWhole && !pathname.startsWith('/tracker/')) return new Response('not here', { status: 404 })
          return fetch(world.url + pathname + search, init)
        }
        const program = new SdkProgram('https://example.com/tracker/mcp', REDIRECT, { fetch: proxy })
        await assert.rejects(program.connect())
        const { origin, pathname, searchParams } = program.authorizationUrl ?? new URL('https://nowhere.example')
        assert.equal(origin + pathname, 'https://example.com/tracker/oauth/authorize')
        assert.equal(searchParams.get('resource'), 'https://example.com/tracker/mcp')
        const code = await codeFor(program.authorizationUrl)
        await program.finish(code)
        const client = await program.connect()
        assert.equal((await client.listTools()).tools.length, 10)
        await client.close()
      }
    })

    /** What the page of the tracker does. */
    async function codeFor(address: URL | undefined): Promise<URLSearchParams> {
      const login = { login: cast.edna.login, password: PASSWORD }
      const { headers } = await world.nobody.post('/rest/session', login, OWN_PAGE)
      const session = world.as({ ...OWN_PAGE, Cookie: (headers.get('set-cookie') ?? '').split(';')[0] as string })
      const sent = Object.fromEntries(address?.searchParams ?? [])
      const { body, text } = await session.post('/rest/oauth/authorization', {
        ...sent,
        allow: true,
        chosen_scope: 'write',
      })
      assert.ok(body.url, text)
      return new URL(body.url).searchParams
    }
  },
  { LACEWING_BASE_URL: 'https://example.com/tracker' },
)
