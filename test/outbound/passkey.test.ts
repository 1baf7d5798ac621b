import assert from 'node:assert/strict'
import { after, beforeEach, it } from 'node:test'
import { codeOf } from '../../src/people/factors/totp.ts'
import { beforeCommit } from '../support/interleave.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSent } from '../support/mail-settled.ts'
import { type Lies, TestPasskey } from '../support/passkey.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { type Client, describeOnSqlite, describeWithDelivery, itOnOneEngine, type Reply } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

const PASSWORD = 'a quiet afternoon'
const ORIGIN = 'https://bugs.lacewing.test'

describeWithDelivery(
  'A passkey',
  (world) => {
    const page = world.as({ 'Sec-Fetch-Site': 'same-origin' })

    beforeEach(async () => {
      await mailSent(world)
      mailServer.clear()
    })

    const logIn = (login: string, more: Record<string, string> = {}) =>
      world.nobody.get(`/rest/login?${new URLSearchParams({ login, password: PASSWORD, ...more })}`)
    const withToken = (token: string) => world.as({ 'X-TRACKER-TOKEN': token })
    const tokenIn = ({ headers }: Reply) => /=(\d+-\w+);/.exec(headers.getSetCookie().join())?.[1] ?? ''
    const optionsOf = async <Options>(sent: Promise<Reply<{ options: Options }>>): Promise<Options> => {
      const reply = await sent
      assert.equal(reply.status, 201, reply.text)
      return reply.body.options
    }
    const toAdd = (session: Client) => optionsOf(session.post('/rest/factor/passkey/challenge'))
    const toLogIn = (body: object = {}) => optionsOf(page.post('/rest/session/passkey/challenge', body))

    const add = async (session: Client, passkey = new TestPasskey(ORIGIN), lies: Lies = {}) =>
      session.post('/rest/factor/passkey', { credential: passkey.create(await toAdd(session), lies), name: 'My\nkey' })
    const signIn = async (passkey: TestPasskey, lies: Lies = {}, client: Client = page, body: object = {}) =>
      client.post('/rest/session/passkey', { credential: passkey.get(await toLogIn(body), lies) })

    async function newSession() {
      const user = await world.newUser({ password: PASSWORD })
      return { user, session: withToken((await logIn(user.login)).body.token) }
    }

    async function withPasskey() {
      const { user, session } = await newSession()
      const passkey = new TestPasskey(ORIGIN)
      const { status, body, text } = await add(session, passkey)
      assert.equal(status, 201, text)
      return { user, session, passkey, id: body.id as number, codes: body.recovery_codes as string[] }
    }

    async function subjectsTo(login: string) {
      await mailSent(world)
      return mailServer.notices.filter(({ recipients }) => recipients.includes(login)).map(({ subject }) => subject)
    }

    itOnOneEngine(world, 'is added, listed without its key, renamed and removed, and its user gets mail', async () => {
      const { user, session, passkey, id, codes } = await withPasskey()
      assert.equal(codes.length, 10)
      const { body: list, text } = await session.get('/rest/factor')
      const { created_at, ...shown } = list.factors[0]
      assert.ok(created_at)
      assert.deepEqual(shown, {
        id,
        kind: 'passkey',
        name: 'My key',
        host: 'bugs.lacewing.test',
        transports: ['internal', 'hybrid'],
        is_multi_device: true,
        is_backed_up: true,
        last_used: null,
      })
      assert.ok(!text.includes(passkey.id))
      assert.deepEqual((await toAdd(session)).excludeCredentials, [
        { type: 'public-key', id: passkey.id, transports: ['internal', 'hybrid'] },
      ])
      const other = await newSession()
      assertRefused(await other.session.put(`/rest/factor/${id}`, { name: 'Mine' }), 404, 51)
      assertRefused(await user.client.put(`/rest/factor/${id}`, { name: 'Mine' }), 401, 304)
      assertRefused(await user.client.post('/rest/factor/passkey/challenge'), 401, 304)
      for (const name of ['Laptop', 'Laptop'])
        assert.equal((await session.put(`/rest/factor/${id}`, { name })).status, 200)
      const file = await session.get(`/rest/user/${user.id}/data`)
      assert.ok(file.text.includes('"Laptop"') && !file.text.includes(passkey.id), file.text)
      const second = await add(session)
      assert.deepEqual(second.body.recovery_codes, [])
      assert.equal((await session.delete(`/rest/factor/${id}`)).status, 200)
      assertRefused(await signIn(passkey), 401, 315)
      assert.deepEqual(
        (await subjectsTo(user.login)).filter((subject) => /passkey|factor/.test(subject)),
        [
          'Your account has a new passkey',
          'Your account has a new passkey',
          'A second factor was removed from your account',
        ],
      )
      const { body: log } = await world.ada.get(`/rest/audit?id=${user.id}&class=Tracker::User`)
      const changes = log.audit.filter(({ field }) => field === 'factors')
      assert.deepEqual(changes.map(({ removed, added }) => [removed, added]).sort(), [
        ['', 'passkey My key'],
        ['', 'passkey My key'],
        ['passkey Laptop', ''],
        ['passkey My key', 'passkey Laptop'],
      ])
      const { body: removed } = await world.ada.delete(`/rest/user/${user.id}/factor`)
      assert.equal(removed.removed, 1)
      assert.equal((await logIn(user.login)).status, 200)
    })

    itOnOneEngine(world, 'signs in alone, and is the second factor after the password', async () => {
      const { user, passkey, codes } = await withPasskey()
      await world.withParameters({ requirelogin: true }, async () => {
        const alone = await page.post('/rest/session/passkey', {
          credential: passkey.get(await toLogIn()),
          is_kept: true,
        })
        assert.deepEqual([alone.status, alone.body], [201, { id: user.id }])
        assert.match(alone.headers.getSetCookie().join(), /__Host-lacewing=.*HttpOnly; SameSite=Lax; Secure; Max-Age/)
        assert.match(alone.headers.getSetCookie().join(), /__Host-lacewing_device=/)
        assert.equal((await withToken(tokenIn(alone)).get('/rest/whoami')).body.id, user.id)
      })
      const options = await toLogIn({ login: user.login, password: PASSWORD })
      assert.equal(options.allowCredentials[0].id, passkey.id)
      assert.equal(options.userVerification, 'preferred')
      const credential = passkey.get(options, { isVerified: false, userHandle: null })
      const [after] = [await page.post('/rest/session/passkey', { credential })]
      assert.equal(after.status, 201, after.text)

      const wrong = { login: user.login, password: 'wrong' }
      assertRefused(await page.post('/rest/session/passkey/challenge', wrong), 401, 300)
      assertRefused(await page.post('/rest/session/passkey/challenge', { login: user.login }), 400, 50)
      const { user: without } = await newSession()
      const right = { login: without.login, password: PASSWORD }
      assertRefused(await page.post('/rest/session/passkey/challenge', right), 400, 32000)

      assertRefused(await logIn(user.login), 401, 310)
      assertRefused(await logIn(user.login, { totp: '123456' }), 401, 311)
      assert.equal((await logIn(user.login, { totp: codes[0] ?? '' })).status, 200)
      for (const client of [world.nobody, world.as({ 'Sec-Fetch-Site': 'cross-site' })]) {
        assertRefused(await client.post('/rest/session/passkey/challenge'), 401, 304)
        assertRefused(await signIn(passkey, {}, client), 401, 304)
      }
    })

    itOnOneEngine(world, 'cannot use a challenge again that was refused, also with an Idempotency-Key', async () => {
      const { session, passkey } = await withPasskey()
      const options = await optionsOf(session.post('/rest/session/proof/challenge'))
      const answer = (lies: Lies) =>
        session.post('/rest/session/proof', { credential: passkey.get(options, lies) }, { 'Idempotency-Key': 'one' })
      assertRefused(await answer({ isVerified: false }), 401, 315)
      assertRefused(await answer({}), 401, 315)
      const added = await toAdd(session)
      const add = (lies: Lies) =>
        session.post(
          '/rest/factor/passkey',
          { credential: new TestPasskey(ORIGIN).create(added, lies) },
          { 'Idempotency-Key': 'two' },
        )
      const [refused, again] = [await add({ origin: 'https://evil.example' }), await add({})]
      for (const reply of [refused, again]) assert.equal(reply.body.code, 315, reply.text)
    })

    itOnOneEngine(world, 'does not open an account that is disabled or must use a provider', async () => {
      const { user, passkey } = await withPasskey()
      const provider = { name: 'corp', title: 'Corp', issuer: 'https://id.example.com', client_id: 'bugs' }
      const only = [{ ...provider, domains: ['lacewing.test'], is_only: true }]
      await world.withParameters({ sign_in_providers: only }, async () => {
        assertRefused(await signIn(passkey), 401, 313)
      })
      await world.ada.put(`/rest/user/${user.id}`, { login_denied_text: 'Gone fishing.' })
      const refused = await signIn(passkey)
      assertRefused(refused, 401, 301)
      assert.match(refused.body.message, /Gone fishing/)
      await world.ada.put(`/rest/user/${user.id}`, { login_denied_text: '' })
      assert.equal((await signIn(passkey)).status, 201)
    })

    itOnOneEngine(world, 'is refused with one and the same answer, whatever is wrong', async () => {
      const [mine, other] = [await withPasskey(), await withPasskey()]
      const unknown = new TestPasskey(ORIGIN)
      unknown.create(await toAdd(mine.session))
      const options = await toLogIn()
      const used = mine.passkey.get(options)
      assert.equal((await page.post('/rest/session/passkey', { credential: used })).status, 201)
      const tries: [string, () => Promise<Reply>][] = [
        ['a challenge that was used', () => page.post('/rest/session/passkey', { credential: used })],
        ['an unknown passkey', () => signIn(unknown)],
        ['another origin', () => signIn(mine.passkey, { origin: 'https://evil.example' })],
        ['plain http', () => signIn(mine.passkey, { origin: 'http://bugs.lacewing.test' })],
        ['another host', () => signIn(other.passkey, { rpId: 'lacewing.test' })],
        ['a frame', () => signIn(other.passkey, { crossOrigin: true })],
        ['a user who is not verified', () => signIn(other.passkey, { isVerified: false })],
        ['a user who is not there', () => signIn(other.passkey, { isPresent: false })],
        ['no user handle', () => signIn(mine.passkey, { userHandle: null })],
      ]
      const more: [string, () => Promise<Reply>][] = [
        [
          'the user handle of another',
          async () => signIn(mine.passkey, { userHandle: (await toAdd(other.session)).user.id }),
        ],
        ['the id of another', () => signIn(mine.passkey, { id: other.passkey.id })],
        ['an answer to create()', () => signIn(mine.passkey, { type: 'webauthn.create' })],
        ['no authenticator data', () => signIn(other.passkey, { authenticatorData: Buffer.from('short') })],
        ['a made-up challenge', () => signIn(mine.passkey, { challenge: 'bWFkZSB1cA' })],
        [
          'a challenge to add a passkey',
          async () => signIn(other.passkey, { challenge: (await toAdd(other.session)).challenge }),
        ],
        [
          'a challenge to prove a session',
          async () =>
            signIn(other.passkey, {
              challenge: (await optionsOf(other.session.post('/rest/session/proof/challenge'))).challenge,
            }),
        ],
        [
          'a passkey that does not belong to the password',
          () => signIn(mine.passkey, {}, page, { login: other.user.login, password: PASSWORD }),
        ],
      ]
      const answers = new Set<string>()
      for (const part of [tries, more]) {
        for (const [title, attempt] of part) {
          const reply = await attempt()
          assert.deepEqual([reply.status, reply.body.code], [401, 315], `${title}: ${reply.text}`)
          assert.deepEqual(reply.headers.getSetCookie(), [])
          answers.add(reply.text)
        }
        // A success forgets the failures, five of which would lock the passkey.
        for (const { passkey } of [mine, other]) assert.equal((await signIn(passkey)).status, 201)
      }
      assert.equal(answers.size, 1)

      const late = mine.passkey.get(await toLogIn())
      await world.db.query((q) => q.updateTable('sign_in_steps').set({ expires_at: '2020-01-01T00:00:00Z' }))
      assertRefused(await page.post('/rest/session/passkey', { credential: late }), 401, 315)
    })

    itOnOneEngine(world, 'is not added from an answer that does not belong to the request', async () => {
      const [mine, other] = [await withPasskey(), await newSession()]
      const stolen = new TestPasskey(ORIGIN)
      const forOther = stolen.create(await toAdd(other.session))
      const bomb = Buffer.concat([Buffer.alloc(9_000, 0x81), Buffer.from([0])])
      const tries: [string, () => Promise<Reply>][] = [
        ['a challenge of another user', () => mine.session.post('/rest/factor/passkey', { credential: forOther })],
        ['the same again', () => other.session.post('/rest/factor/passkey', { credential: forOther })],
        ['a passkey of another user', () => add(other.session, mine.passkey)],
        ['a passkey that is added', () => add(mine.session, mine.passkey)],
        ['another origin', () => add(mine.session, undefined, { origin: 'https://evil.example' })],
        ['another host', () => add(mine.session, undefined, { rpId: 'evil.example' })],
        ['an answer to get()', () => add(mine.session, undefined, { type: 'webauthn.get' })],
        ['another id', () => add(mine.session, undefined, { id: mine.passkey.id })],
        ['a challenge to log in', async () => add(mine.session, undefined, { challenge: (await toLogIn()).challenge })],
        ['garbage', () => add(mine.session, undefined, { attestationObject: Buffer.from('garbage') })],
        ['nested lists', () => add(mine.session, undefined, { attestationObject: bomb })],
        [
          'a text of 4 GB',
          () => add(mine.session, undefined, { attestationObject: Buffer.from('bb7fffffffffffffff', 'hex') }),
        ],
        ['no data', () => add(mine.session, undefined, { authenticatorData: Buffer.alloc(37, 255) })],
      ]
      for (const [title, attempt] of tries) {
        const reply = await attempt()
        assert.deepEqual([reply.status, reply.body.code], [401, 315], `${title}: ${reply.text}`)
      }
      const secondSession = withToken((await logIn(mine.user.login, { totp: mine.codes[0] ?? '' })).body.token)
      const elsewhere = new TestPasskey(ORIGIN).create(await toAdd(mine.session))
      assertRefused(await secondSession.post('/rest/factor/passkey', { credential: elsewhere }), 401, 315)
      const right = new TestPasskey(ORIGIN).create(await toAdd(mine.session))
      for (const wrong of [
        'text',
        [right],
        { ...right, type: 'password' },
        { ...right, id: 'x'.repeat(2_000) },
        { ...right, id: 7 },
        { ...right, response: { ...right.response, clientDataJSON: 'bm8ganNvbg' } },
        { ...right, response: { ...right.response, attestationObject: 'A'.repeat(20_000) } },
        { ...right, response: { ...right.response, attestationObject: 'not base64url!' } },
      ]) {
        const reply = await mine.session.post('/rest/factor/passkey', { credential: wrong })
        assertRefused(reply, 400, 53)
        assert.ok(!reply.text.includes('AAAA'))
      }
      assertRefused(await mine.session.post('/rest/factor/passkey', {}), 400, 50)
      assert.equal((await mine.session.get('/rest/factor')).body.factors.length, 1)
    })

    it('is refused when its counter goes back, and is locked after five failures', async () => {
      const { user, passkey } = await withPasskey()
      passkey.counter = 4_000_000_000
      assert.equal((await signIn(passkey)).status, 201)
      for (const counter of [4_000_000_000, 7, 0]) assertRefused(await signIn(passkey, { counter }), 401, 315)
      const subjects = await subjectsTo(user.login)
      assert.equal(subjects.filter((subject) => subject === 'A passkey of your account was refused').length, 3)
      const { body: log } = await world.ada.get(`/rest/audit?id=${user.id}&class=Tracker::User`)
      assert.ok(log.audit.some(({ field, added }) => field === 'passkey_refused' && /counter/.test(added)))
      for (let count = 0; count < 2; count++) await signIn(passkey, { origin: 'https://evil.example' })
      passkey.counter++
      const locked = await signIn(passkey)
      assertRefused(locked, 400, 32000)
      const unknown = new TestPasskey(ORIGIN)
      const replies: Reply[] = []
      for (let count = 0; count < 6; count++) replies.push(await signIn(unknown))
      assert.deepEqual(
        replies.map(({ body }) => body.code),
        [315, 315, 315, 315, 315, 32000],
      )
      const words = (text: string) => text.replace(/\d+/g, '')
      assert.equal(words(replies[5]?.text ?? ''), words(locked.text))
      assert.equal((await logIn(user.login)).body.code, 310, 'the password is not locked')
    })

    itOnOneEngine(world, 'proves a session again, also of a user without a password', async () => {
      const { user, passkey } = await withPasskey()
      await world.db.query((q) => q.updateTable('users').set({ password_hash: null }).where('id', '=', user.id))
      const session = withToken(tokenIn(await signIn(passkey)))
      const other = withToken(tokenIn(await signIn(passkey)))
      await world.db.query((q) =>
        q.updateTable('login_tokens').set({ proven_at: '2020-01-01T00:00:00Z' }).where('user_id', '=', user.id),
      )
      assertRefused(await session.post('/rest/factor/passkey/challenge'), 401, 308)
      const toProve = () => optionsOf(session.post('/rest/session/proof/challenge'))
      const prove = (credential: object, client = session) => client.post('/rest/session/proof', { credential })
      assertRefused(await prove(passkey.get(await toProve(), { isVerified: false })), 401, 315)
      assertRefused(await prove(passkey.get(await toProve()), other), 401, 315)
      assertRefused(await prove(passkey.get(await toLogIn())), 401, 315)
      assertRefused(await session.post('/rest/session/proof'), 400, 50)
      assertRefused(await user.client.post('/rest/session/proof/challenge'), 400, 32000)
      const thief = await withPasskey()
      assertRefused(await prove(thief.passkey.get(await toProve())), 401, 315)
      assert.equal((await prove(passkey.get(await toProve()))).status, 201)
      assert.equal((await session.post('/rest/factor/passkey/challenge')).status, 201)
      assertRefused(await other.post('/rest/factor/passkey/challenge'), 401, 308)
      await world.ada.post(`/rest/user/${user.id}/anonymise`)
      assertRefused(await signIn(passkey), 401, 315)
    })

    itOnOneEngine(world, 'is what a group must have, and the last factor of its members stays', async () => {
      const group = await world.newGroup()
      const user = await world.newUser({ password: PASSWORD, groups: [] })
      await world.ada.put(`/rest/user/${user.id}`, { groups: { add: [group.name] } })
      await world.withParameters({ factor_group: group.name }, async () => {
        const session = withToken((await logIn(user.login)).body.token)
        assertRefused(await session.get('/rest/bug?limit=1'), 401, 312)
        const ids = [(await add(session)).body.id, (await add(session)).body.id]
        assert.equal((await session.get('/rest/bug?limit=1')).status, 200)
        const remove = (index: number) => () => session.delete(`/rest/factor/${ids[index]}`)
        const replies = await beforeCommit(world, 'audit_log', remove(0), remove(1))
        assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
      })
    })

    itOnPostgres(world, 'is added or used once by requests that arrive together', async () => {
      const { session, passkey } = await withPasskey()
      const twin = new TestPasskey(ORIGIN)
      const [first, second] = [twin.create(await toAdd(session)), twin.create(await toAdd(session))]
      const send = (credential: object) => () => session.post('/rest/factor/passkey', { credential })
      const added = await beforeCommit(world, 'audit_log', send(first), send(second))
      assert.deepEqual(added.map(({ body }) => body.code ?? 201).sort(), [201, 315])
      const same = new TestPasskey(ORIGIN).create(await toAdd(session))
      const replies = await Promise.all([1, 2, 3].map(send(same) as () => Promise<Reply>))
      assert.deepEqual(replies.map(({ body }) => body.code ?? 201).sort(), [201, 315, 315])
      const answer = passkey.get(await toLogIn())
      const logins = await Promise.all([1, 2, 3].map(() => page.post('/rest/session/passkey', { credential: answer })))
      assert.deepEqual(logins.map(({ body }) => body.code ?? 201).sort(), [201, 315, 315])

      const { body } = await session.get('/rest/factor')
      for (let count = body.factors.length; count < 19; count++) assert.equal((await add(session)).status, 201)
      const last = [
        new TestPasskey(ORIGIN).create(await toAdd(session)),
        new TestPasskey(ORIGIN).create(await toAdd(session)),
      ]
      const [one = {}, other = {}] = last
      const full = await beforeCommit(world, 'audit_log', send(one), send(other))
      assert.deepEqual(full.map(({ body: { code } }) => code ?? 201).sort(), [201, 32000])
      assertRefused(await session.post('/rest/factor/passkey/challenge'), 400, 32000)
    })

    itOnOneEngine(world, 'stands beside an app, whose codes go on working', async () => {
      const { user, session } = await withPasskey()
      const { body: offered } = await session.post('/rest/factor/totp')
      await add(session)
      const step = Math.floor(Date.now() / 30_000)
      const confirmed = await session.post('/rest/factor/totp/confirm', {
        id: offered.id,
        code: codeOf(offered.secret, step),
      })
      assert.deepEqual([confirmed.status, confirmed.body.recovery_codes], [201, []])
      assert.equal((await logIn(user.login, { totp: codeOf(offered.secret, step + 1) })).status, 200)
    })
  },
  { LACEWING_SMTP_URL: mailServer.url, LACEWING_BASE_URL: ORIGIN },
)

describeOnSqlite('At an address without https, a passkey', (world) => {
  it('cannot be used, and the error says why', async () => {
    const page = world.as({ 'Sec-Fetch-Site': 'same-origin' })
    const { body: rules } = await world.nobody.get('/rest/account/rules')
    assert.equal(rules.passkeys, false)
    const refused = await page.post('/rest/session/passkey/challenge')
    assertRefused(refused, 400, 316)
    assert.match(refused.body.message, /https address.*http:\/\/127\.0\.0\.1:\d+: set LACEWING_BASE_URL/)
  })
})
