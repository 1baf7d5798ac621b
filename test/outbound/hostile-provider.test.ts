import assert from 'node:assert/strict'
import { after, beforeEach, it, mock } from 'node:test'
import { base64url, type JWTPayload, SignJWT } from 'jose'
import { providerLimits } from '../../src/people/providers/provider-fetch.ts'
import type { BodyAt } from '../support/body-types.ts'
import { type Answer, HostileProvider } from '../support/hostile-provider.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnOneEngine, type Reply } from '../support/world.ts'

const provider = await new HostileProvider().open()
const inside = await new HostileProvider().open()
const { milliseconds } = providerLimits
after(() => {
  providerLimits.milliseconds = milliseconds
  provider.close()
  inside.close()
})

const SECRET = 'a secret of the client, long enough'
const MOST_READ = 10_000_000

const hangs: Answer = () => undefined
const stopsInTheMiddle: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '500' }).write('{"issuer":')
}
const withBody =
  (type: string, body: string, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'Content-Type': type }).end(body)
const redirects: Answer = (response) =>
  response.writeHead(302, { Location: `${inside.issuer}/.well-known/openid-configuration` }).end()

describeOnEachEngine('A provider that is hostile or broken', (world) => {
  const page = world.as({ 'Sec-Fetch-Site': 'same-origin' })
  let count = 0

  beforeEach(async () => {
    provider.reset()
    inside.reset()
    providerLimits.milliseconds = milliseconds
    await freshClient()
  })

  /** Another title makes the server fetch the metadata again. */
  const freshClient = (more: object = {}) =>
    world.ada.put('/rest/parameters', {
      sign_in_providers: [
        {
          name: 'corp',
          title: `Corp ${world.engine} ${count++}`,
          issuer: provider.issuer,
          client_id: provider.clientId,
          client_secret: SECRET,
          creates_accounts: true,
          ...more,
        },
      ],
    })

  type SignedIn = BodyAt<'POST', '/rest/session/provider/corp/return'>

  async function signIn(client = page, kind: object = {}): Promise<Reply<SignedIn>> {
    const begun = await client.post('/rest/session/provider/corp', kind)
    if (begun.status !== 201) return begun as Reply<unknown> as Reply<SignedIn>
    const url = new URL(begun.body.url)
    provider.nonce = url.searchParams.get('nonce') ?? ''
    const query = new URLSearchParams({ code: 'x', state: url.searchParams.get('state') ?? '' })
    return client.post('/rest/session/provider/corp/return', { flow: begun.body.flow, query: String(query) })
  }

  const address = () => `${world.unique('joiner')}@lacewing.test`

  /** A refusal is one sentence that names the provider, and nothing of what is inside of the network. */
  function assertSentence(reply: Reply, name: string) {
    assert.equal(reply.body.code, 314, `${name}: ${reply.text}`)
    assert.equal(reply.status, 401, name)
    assert.match(reply.body.message, /^[A-Z][^\n<>]{10,300}\.$/, name)
    assert.doesNotMatch(reply.body.message, /127\.0\.0\.1|169\.254|ECONN|at async|secret/, name)
  }

  const BROKEN: [string, Answer][] = [
    ['hangs', hangs],
    ['stops in the middle', stopsInTheMiddle],
    ['sends 100 MB', provider.floods],
    ['redirects to an address inside', redirects],
    ['sends a page', withBody('text/html', '<h1>Hello</h1>')],
    ['sends no JSON', withBody('application/json', '{"issuer"')],
    ['sends a list', withBody('application/json', '[]')],
    ['fails', withBody('application/json', '{}', 500)],
    ['closes the connection', (response) => response.destroy()],
  ]

  for (const endpoint of ['discovery', 'token', 'jwks', 'userinfo'] as const)
    itOnOneEngine(
      world,
      `is refused with a sentence when its ${endpoint} is broken, and nothing else waits for it`,
      async () => {
        for (const [name, answer] of BROKEN) {
          provider.reset()
          await freshClient()
          provider.answers.set(endpoint, answer)
          providerLimits.milliseconds = answer === hangs || answer === stopsInTheMiddle ? 100 : milliseconds
          if (endpoint !== 'userinfo') provider.claims = { email: address() }
          const reply = signIn()
          assert.equal((await world.nobody.get('/rest/version')).status, 200)
          assertSentence(await reply, `${endpoint} ${name}`)
          assert.ok(provider.bytesSent < MOST_READ, `${name}: ${provider.bytesSent} bytes were read`)
          assert.deepEqual(inside.requests, [], name)
        }
        provider.reset()
        providerLimits.milliseconds = milliseconds
        provider.claims = { email: address() }
        assert.equal((await signIn()).status, 201, 'it works again as soon as the provider does')
      },
    )

  itOnOneEngine(world, 'is asked for its metadata again after an hour', async () => {
    const begin = () => page.post('/rest/session/provider/corp', {})
    assert.equal((await begin()).status, 201)
    provider.answers.set('discovery', withBody('application/json', '{}', 500))
    assert.equal((await begin()).status, 201, 'the metadata are kept')
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_001 })
    try {
      assertSentence(await begin(), 'an hour later')
    } finally {
      mock.timers.reset()
    }
  })

  itOnOneEngine(world, 'cannot name another issuer, or addresses inside of the network', async () => {
    for (const metadata of [
      { issuer: inside.issuer },
      { issuer: undefined },
      { jwks_uri: undefined },
      { jwks_uri: 'http://169.254.169.254/keys' },
      { jwks_uri: 'http://[::1]/keys' },
      { token_endpoint: 'http://10.0.0.1/token' },
      { token_endpoint: 'file:///etc/passwd' },
      { authorization_endpoint: 'javascript:alert(1)' },
      { authorization_endpoint: 'http://elsewhere.test/auth' },
    ]) {
      provider.reset()
      await freshClient()
      Object.assign(provider, { metadata, claims: { email: address() } })
      const refused = await signIn()
      assertSentence(refused, JSON.stringify(metadata))
      if (metadata.issuer) assert.match(refused.body.message, /\(OAUTH_[A-Z_]+\)\.$/)
    }
  })

  itOnOneEngine(world, 'cannot sign in with a token that is forged, mixed up, too old or too new', async () => {
    const now = () => Math.floor(Date.now() / 1000)
    const unsigned = (claims: JWTPayload) =>
      `${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify(claims))}.`
    const withSecret = (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(new TextEncoder().encode(SECRET))
    const tokens: [string, Partial<HostileProvider>][] = [
      ['alg none', { sign: unsigned }],
      ['signed with the secret of the client', { sign: withSecret }],
      ['signed by another provider', { sign: (claims) => inside.signed(claims) }],
      ['nonsense', { sign: () => 'x.y.z' }],
      ['another issuer', { claims: { iss: inside.issuer } }],
      ['another audience', { claims: { aud: 'another' } }],
      ['two audiences without azp', { claims: { aud: ['bugs', 'another'] } }],
      ['another nonce', { claims: { nonce: 'of another browser' } }],
      ['no nonce', { claims: { nonce: undefined } }],
      ['expired', { claims: { iat: now() - 7200, exp: now() - 3600 } }],
      ['not yet valid', { claims: { nbf: now() + 3600 } }],
      ['no subject', { claims: { sub: undefined } }],
      ['an empty subject', { claims: { sub: '' } }],
      ['an address that is not verified', { claims: { email_verified: false } }],
      ['an address that is verified in words only', { claims: { email_verified: 'true' } }],
      ['an address that is a list', { claims: { email: ['a@lacewing.test'] } }],
    ]
    for (const [name, change] of tokens) {
      provider.reset()
      Object.assign(provider, change)
      provider.claims = { email: address(), sub: world.unique('sub'), ...provider.claims }
      assertSentence(await signIn(), name)
    }
    provider.reset()
    provider.userinfo = { sub: 'another', email: address(), email_verified: true }
    assertSentence(await signIn(), 'userinfo of another user')
    provider.reset()
    provider.claims = { email: address(), iat: now() + 10, sub: world.unique(`skew-${world.engine}`) }
    assert.equal((await signIn()).status, 201, 'a clock that is ten seconds ahead')
  })

  it('cannot use a flow again that was refused, also with an Idempotency-Key', async () => {
    const { login, id } = await world.newUser({ password: 'a quiet afternoon' })
    const { body } = await world.nobody.get(`/rest/login?login=${login}&password=a+quiet+afternoon`)
    const session = world.as({ 'Sec-Fetch-Site': 'same-origin', 'X-TRACKER-TOKEN': body.token })
    const begun = await session.post('/rest/session/provider/corp')
    const { searchParams } = new URL(begun.body.url)
    provider.nonce = searchParams.get('nonce') ?? ''
    provider.claims = { email: address(), sub: world.unique(`again-${world.engine}`) }
    const finish = (state: string) =>
      session.post(
        '/rest/session/provider/corp/return',
        { flow: begun.body.flow, query: String(new URLSearchParams({ code: 'x', state })) },
        { 'Idempotency-Key': 'one' },
      )
    assertSentence(await finish('another'), 'another state')
    assertSentence(await finish(searchParams.get('state') ?? ''), 'the same flow')
    assert.deepEqual((await session.get(`/rest/user/${id}/provider`)).body.links, [])
  })

  it('is believed about an address only where both claims come from one place', async () => {
    const { login, id } = await world.newUser()
    const sub = world.unique(`mixed-${world.engine}`)
    await freshClient({ groups: { staff: 'editbugs' } })
    for (const [token, userinfo] of [
      [{ email: login, email_verified: undefined }, { email_verified: true }],
      [
        { email: login, email_verified: undefined },
        { email: address(), email_verified: true },
      ],
      [{ email: login, email_verified: undefined }, { email: login }],
      [
        { email: login, email_verified: false },
        { email: login, email_verified: true },
      ],
      [{ email: undefined, email_verified: true }, { email: login }],
      [
        { email: undefined, email_verified: true },
        { email: login, email_verified: false },
      ],
    ]) {
      provider.claims = { sub, ...token }
      provider.userinfo = { sub, ...userinfo }
      assertSentence(await signIn(), JSON.stringify([token, userinfo]))
    }
    provider.claims = { sub, email: undefined, email_verified: undefined }
    provider.userinfo = { sub, email: login, email_verified: true }
    assert.equal((await signIn()).body.id, id, 'both are in the userinfo')
  })

  it('is refused if its userinfo is about another subject, or does not say so', async () => {
    await freshClient({ groups: { staff: 'editbugs' } })
    for (const subject of [undefined, '', 'another', 'JO', ['jo']]) {
      provider.claims = { sub: 'jo', email: address() }
      provider.userinfo = { sub: subject, groups: ['staff'] }
      assertSentence(await signIn(), `sub ${subject}`)
    }
  })

  itOnOneEngine(world, 'gives the groups that its claim names, and none that are gone', async () => {
    const [kept, gone] = [await world.newGroup(), await world.newGroup()]
    await freshClient({ groups: { staff: kept.name, ghosts: gone.name } })
    assert.equal((await world.ada.delete(`/rest/group/${gone.name}`)).status, 200)
    const sub = world.unique(`groups-${world.engine}`)
    const email = address()
    const groupsAfter = async (groups: unknown) => {
      provider.claims = { email, sub, groups }
      const { status, body } = await signIn()
      assert.equal(status, 201)
      const { body: found } = await world.ada.get(`/rest/user/${body.id}`)
      return found.users[0].groups
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => name === kept.name)
    }
    assert.deepEqual(await groupsAfter('staff'), [kept.name])
    for (const none of ['ghosts', ['ghosts'], [], 7, null, { staff: true }]) {
      assert.deepEqual(await groupsAfter(none), [], JSON.stringify(none))
      assert.deepEqual(await groupsAfter(['other', 'staff']), [kept.name])
    }
  })

  itOnOneEngine(world, 'has verified only the address of the claim email', async () => {
    const [own, { login, id }] = [address(), await world.newUser()]
    const claimed = { email: own, upn: login, sub: world.unique(`upn-${world.engine}`) }
    await freshClient({ address_claim: 'upn' })
    provider.claims = claimed
    assertSentence(await signIn(), 'another address is verified')
    provider.claims = { ...claimed, email: undefined }
    assertSentence(await signIn(), 'no address is verified')
    provider.claims = { ...claimed, email: ` ${login.toUpperCase()} `, upn: ` ${login}` }
    assert.equal((await signIn()).body.id, id, 'it is the same address')
    await freshClient({ address_claim: 'upn', trusts_addresses: true })
    const trusted = await world.newUser()
    provider.claims = { ...claimed, upn: trusted.login, sub: world.unique(`trusted-${world.engine}`) }
    assert.equal((await signIn()).body.id, trusted.id)
  })

  itOnOneEngine(
    world,
    'cannot sign in a user without an address of the allowed domains, whatever the claim is',
    async () => {
      for (const upn of [undefined, null, 7, ['ada@lacewing.test'], { at: 'lacewing.test' }, 'ada@elsewhere.test']) {
        await freshClient({ address_claim: 'upn', domains: ['lacewing.test'] })
        provider.claims = { email: address(), upn, sub: world.unique(`domain-${world.engine}`) }
        assertSentence(await signIn(), JSON.stringify(upn))
      }
    },
  )

  itOnOneEngine(world, 'gives a new account a name of at most 200 characters', async () => {
    provider.claims = { email: address(), sub: world.unique(`long-${world.engine}`), name: ` ${'n'.repeat(300)}` }
    const { id } = (await signIn()).body
    assert.equal((await world.ada.get(`/rest/user/${id}`)).body.users[0].real_name, 'n'.repeat(200))
  })

  itOnOneEngine(world, 'gives no new account a name with denied words', async () => {
    await world.withParameters({ new_account_denied: 'cheap pills' }, async () => {
      provider.claims = { email: address(), sub: world.unique(`denied-${world.engine}`), name: 'Cheap  Pills' }
      assertRefused(await signIn(), 400, 32000)
      await freshClient({ domains: ['lacewing.test'] })
      assert.equal((await signIn()).status, 201, 'users of a company are not limited')
    })
  })

  itOnOneEngine(world, 'proves no session unless it says that its user has logged in now', async () => {
    const [now, sub] = [Math.floor(Date.now() / 1000), world.unique(`unproven-${world.engine}`)]
    const usual = { email: address(), sub }
    for (const auth_time of [undefined, now - 7200, 0]) {
      provider.claims = { ...usual, auth_time }
      const [cookie = ''] = (await signIn()).headers.getSetCookie()[0]?.split(';') ?? []
      const session = world.as({ 'Sec-Fetch-Site': 'same-origin', Cookie: cookie })
      assertRefused(await session.post('/rest/factor/totp'), 401, 308)
      const refused = await signIn(session, { is_proof: true })
      assertSentence(refused, `auth_time ${auth_time}`)
      assert.match(
        refused.body.message,
        auth_time === undefined ? /does not say when/ : /have not logged in there again/,
      )
      for (const nonsense of [null, 'now', String(now), -1, [now]]) {
        provider.claims = { ...usual, auth_time: nonsense }
        assertSentence(await signIn(session, { is_proof: true }), `auth_time ${nonsense}`)
      }
      assertRefused(await session.post('/rest/factor/totp'), 401, 308)
      provider.claims = { ...usual, auth_time: now + 5 }
      assert.equal((await signIn(session, { is_proof: true })).status, 201)
      assert.equal((await session.post('/rest/factor/totp')).status, 201)
    }
  })

  it('cannot end later sessions with a logout token that it sent before', async () => {
    const sub = world.unique(`replayed-${world.engine}`)
    provider.claims = { email: address(), sub }
    const first = await signIn()
    assert.equal(first.status, 201, first.text)
    const now = Math.floor(Date.now() / 1000)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const token = (iat: number) =>
      provider.signed({ iss: provider.issuer, aud: provider.clientId, sub, iat, exp: iat + 200, events })
    const logOut = async (iat: number) =>
      world.nobody.post('/rest/session/provider/corp/logout', { logout_token: await token(iat) })
    assert.equal((await logOut(now - 60)).body.ended, 0, 'the session was opened after the token was made')
    assert.equal((await logOut(now)).body.ended, 1)
    assert.equal((await logOut(now)).body.ended, 0)
    assertRefused(await logOut(now - 600), 400, 32000)
    assertRefused(await logOut(now + 600), 400, 32000)
    const usual = { iss: provider.issuer, aud: provider.clientId, iat: now, exp: now + 200, events }
    for (const claims of [
      usual,
      { ...usual, sub: 7, sid: ['x'] },
      { ...usual, sub, nonce: 'of a login' },
      { ...usual, sub, events: undefined },
      { ...usual, sub, events: null },
      { ...usual, sub, events: 'http://schemas.openid.net/event/backchannel-logout' },
      { ...usual, sub, events: { 'http://schemas.openid.net/event/other': {} } },
      { ...usual, sub, aud: 'another' },
      { ...usual, sub, iss: inside.issuer },
    ]) {
      const logout_token = await provider.signed(claims as JWTPayload)
      assertRefused(await world.nobody.post('/rest/session/provider/corp/logout', { logout_token }), 400, 32000)
    }
    const bySession = await provider.signed({ ...usual, sid: 'of nobody' })
    const none = await world.nobody.post('/rest/session/provider/corp/logout', { logout_token: bySession })
    assert.deepEqual([none.status, none.body.ended], [200, 0])
  })
})
