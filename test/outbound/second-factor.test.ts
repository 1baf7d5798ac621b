import assert from 'node:assert/strict'
import { after, beforeEach, it } from 'node:test'
import { codeOf } from '../../src/people/factors/totp.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSent } from '../support/mail-settled.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeDeliveryOnOneEngine } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

const PASSWORD = 'a quiet afternoon'
const stepNow = () => Math.floor(Date.now() / 30_000)

describeDeliveryOnOneEngine(
  'A second factor',
  (world) => {
    beforeEach(async () => {
      await mailSent(world)
      mailServer.clear()
    })

    const logIn = (login: string, more: Record<string, string> = {}, client: Client = world.nobody) =>
      client.get(`/rest/login?${new URLSearchParams({ login, password: PASSWORD, ...more })}`)
    const withToken = (token: string) => world.as({ 'X-TRACKER-TOKEN': token })

    async function newSession() {
      const user = await world.newUser({ password: PASSWORD })
      const { body } = await logIn(user.login)
      return { user, session: withToken(body.token) }
    }

    /** Adds an app with the code of the last half minute, so that the codes of this one and the next are still unused. */
    async function withApp(session: Client) {
      const { body: offered } = await session.post('/rest/factor/totp', { name: 'My\nphone' })
      const step = stepNow() - 1
      const { status, body } = await session.post('/rest/factor/totp/confirm', {
        id: offered.id,
        code: codeOf(offered.secret, step),
      })
      assert.equal(status, 201)
      return {
        id: offered.id as number,
        secret: offered.secret as string,
        codes: body.recovery_codes as string[],
        step,
      }
    }

    async function subjectsTo(login: string) {
      await mailSent(world)
      return mailServer.notices.filter(({ recipients }) => recipients.includes(login)).map(({ subject }) => subject)
    }

    it('is needed after the right password, and each code works once', async () => {
      const { user, session } = await newSession()
      const { body: offered } = await session.post('/rest/factor/totp')
      assert.match(offered.uri, /^otpauth:\/\/totp\//)
      assert.equal((await logIn(user.login)).status, 200, 'an app that is not confirmed is not asked for')
      assertRefused(await session.post('/rest/factor/recovery_codes'), 400, 32000)
      assertRefused(await session.put(`/rest/factor/${offered.id}`, { name: 'Early' }), 404, 51)
      assertRefused(await session.post('/rest/factor/totp/confirm', { id: offered.id, code: '000' }), 401, 311)
      const app = await withApp(session)
      assertRefused(await session.post('/rest/factor/totp/confirm', { id: app.id, code: '000000' }), 404, 51)
      assert.equal(app.codes.length, 10)
      const stored = JSON.stringify([
        await world.db.query((q) => q.selectFrom('second_factors').selectAll()),
        await world.db.query((q) => q.selectFrom('recovery_codes').selectAll()),
      ])
      for (const secret of [app.secret, ...app.codes]) assert.ok(!stored.includes(secret))

      assertRefused(await logIn(user.login), 401, 310)
      assertRefused(await logIn(user.login, { password: 'wrong', totp: '000000' }), 401, 300)
      assertRefused(await logIn(user.login, { totp: codeOf(app.secret, app.step) }), 401, 311)
      const right = codeOf(app.secret, app.step + 1)
      const replies = await Promise.all(
        [1, 2, 3].map(() => logIn(user.login, { totp: `${right.slice(0, 3)} ${right.slice(3)}` })),
      )
      assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).sort(), [200, 311, 311])
      const [recovery = ''] = app.codes
      assert.equal((await logIn(user.login, { totp: recovery.toUpperCase().replaceAll('-', ' ') })).status, 200)
      assertRefused(await logIn(user.login, { totp: recovery }), 401, 311)
      assert.deepEqual((await subjectsTo(user.login)).sort(), [
        'A recovery code of your account was used',
        'You have an account',
        'Your account has a new second factor',
      ])
      const { body } = await session.get('/rest/factor')
      assert.deepEqual(
        [
          body.is_required,
          body.has_password,
          body.recovery_codes,
          body.factors.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
        ],
        [false, true, 9, [['totp', 'My phone']]],
      )
      const { body: log } = await world.ada.get(`/rest/audit?id=${user.id}&class=Tracker::User`)
      assert.ok(log.audit.some(({ field, added }) => field === 'factors' && added === 'totp My phone'))
    })

    it('makes a password alone useless, and leaves keys and sessions as they are', async () => {
      const { user, session } = await newSession()
      const byPassword = world.as({ 'X-TRACKER-LOGIN': user.login, 'X-TRACKER-PASSWORD': PASSWORD })
      assert.equal((await byPassword.get('/rest/whoami')).status, 200)
      const app = await withApp(session)
      assertRefused(await byPassword.get('/rest/whoami'), 401, 310)
      assertRefused(await byPassword.delete(`/rest/factor/${app.id}`), 401, 310)
      for (const client of [user.client, session]) assert.equal((await client.get('/rest/whoami')).status, 200)
      for (const [method, path] of [
        ['POST', '/rest/factor/totp'],
        ['POST', '/rest/factor/recovery_codes'],
        ['DELETE', `/rest/factor/${app.id}`],
      ] as const)
        assertRefused(await user.client.send(method, path, method === 'POST' ? {} : undefined), 401, 304)
      const other = await newSession()
      assertRefused(await other.session.delete(`/rest/factor/${app.id}`), 404, 51)
      const { body } = await session.post('/rest/factor/recovery_codes')
      assertRefused(await logIn(user.login, { totp: app.codes[0] ?? '' }), 401, 311)
      assert.equal((await logIn(user.login, { totp: body.recovery_codes[0] })).status, 200)
      assert.equal(
        (await session.put(`/rest/user/${user.id}`, { password: 'another afternoon', old_password: PASSWORD })).status,
        200,
      )
      assertRefused(await logIn(user.login, { password: 'another afternoon' }), 401, 310)
      assert.equal((await session.delete(`/rest/factor/${app.id}`)).status, 200)
      assert.equal((await logIn(user.login, { password: 'another afternoon' })).status, 200)
      assert.equal((await session.get('/rest/factor')).body.recovery_codes, 0)
    })

    it('proves a session again in place of the password', async () => {
      const { user, session } = await newSession()
      const app = await withApp(session)
      const age = () =>
        world.db.query((q) =>
          q.updateTable('login_tokens').set({ proven_at: '2020-01-01T00:00:00Z' }).where('user_id', '=', user.id),
        )
      await age()
      assertRefused(await session.post('/rest/factor/recovery_codes'), 401, 308)
      assertRefused(await session.post('/rest/session/proof', { totp: '000000' }), 401, 311)
      assert.equal((await session.post('/rest/session/proof', { totp: codeOf(app.secret, app.step + 1) })).status, 201)
      assert.equal((await session.post('/rest/factor/recovery_codes')).status, 201)
    })

    it('cannot be guessed: from one network, or from many', async () => {
      const { user, session } = await newSession()
      const app = await withApp(session)
      await world.withParameters({ inbound_proxies: '127.0.0.1,::1' }, async () => {
        const from = (network: number) => world.as({ 'X-Forwarded-For': `198.51.100.${network}` })
        const wrong = (network: number) => logIn(user.login, { totp: '1234567'.slice(0, 6) }, from(network))
        const replies = await Promise.all(Array.from({ length: 8 }, () => wrong(1)))
        assert.deepEqual(replies.map(({ body }) => body.code).sort(), [311, 311, 311, 311, 311, 32000, 32000, 32000])
        assertRefused(await logIn(user.login, { totp: app.codes[0] ?? '' }, from(1)), 400, 32000)
        for (const network of [2, 3, 4]) for (let count = 0; count < 5; count++) await wrong(network)
        assertRefused(await logIn(user.login, { totp: codeOf(app.secret, app.step + 1) }, from(5)), 400, 32000)
        assert.equal(
          (await logIn(user.login, { totp: app.codes[1] ?? '' }, from(5))).status,
          200,
          'a recovery code works',
        )
        const proof = await session.post('/rest/session/proof', { totp: codeOf(app.secret, app.step + 1) })
        assert.equal(proof.status, 201, 'a session is counted by itself')
      })
      const subjects = await subjectsTo(user.login)
      assert.equal(subjects.filter((subject) => subject === 'Wrong codes were sent for your account').length, 1)
    })

    it('can be required of a group, whose members then add one first', async () => {
      const group = await world.newGroup()
      const member = await newSession()
      await world.ada.put(`/rest/user/${member.user.id}`, { groups: { add: [group.name] } })
      await world.withParameters({ factor_group: group.name }, async () => {
        for (const client of [member.session, member.user.client])
          assert.equal((await client.get('/rest/bug?limit=1')).status, 200, 'older sessions and keys go on')
        const { status, body } = await logIn(member.user.login)
        assert.equal(status, 200)
        const session = withToken(body.token)
        assertRefused(await session.get('/rest/bug?limit=1'), 401, 312)
        assertRefused(await session.put(`/rest/user/${member.user.id}`, { full_name: 'X' }), 401, 312)
        const byPassword = world.as({ 'X-TRACKER-LOGIN': member.user.login, 'X-TRACKER-PASSWORD': PASSWORD })
        assertRefused(await byPassword.get('/rest/bug?limit=1'), 401, 312)
        assert.equal((await session.get('/rest/whoami')).status, 200)
        assert.equal((await session.get('/rest/factor')).body.is_required, true)
        const app = await withApp(session)
        assert.equal((await session.get('/rest/bug?limit=1')).status, 200)
        assertRefused(await session.delete(`/rest/factor/${app.id}`), 400, 32000)
        assert.equal((await logIn(member.user.login, { totp: codeOf(app.secret, app.step + 1) })).status, 200)
      })
    })

    it('keeps the recovery codes as long as another one is left', async () => {
      const { session } = await newSession()
      const [first, second] = [await withApp(session), await withApp(session)]
      const left = async () => (await session.get('/rest/factor')).body.recovery_codes
      const codes = await left()
      assert.ok(codes > 0)
      assert.equal((await session.delete(`/rest/factor/${first.id}`)).status, 200)
      assert.equal(await left(), codes)
      assert.equal((await session.delete(`/rest/factor/${second.id}`)).status, 200)
      assert.equal(await left(), 0)
    })

    it('is removed by administrators, but not from stronger accounts', async () => {
      const { user, session } = await newSession()
      await withApp(session)
      const editor = await world.newUser({ password: PASSWORD })
      const [editorSession] = [withToken((await logIn(editor.login)).body.token)]
      assertRefused(await editorSession.delete(`/rest/user/${user.id}/factor`), 401, 304)
      await world.ada.put(`/rest/user/${editor.id}`, { groups: { add: ['editusers'] } })
      const { body: ada } = await world.ada.get('/rest/whoami')
      assertRefused(await editorSession.delete(`/rest/user/${ada.id}/factor`), 401, 304)
      const { body } = await editorSession.delete(`/rest/user/${user.login}/factor`)
      assert.deepEqual(body, { id: user.id, removed: 1 })
      const { audit } = (await world.ada.get(`/rest/audit?class=Tracker::User&id=${user.id}`)).body
      assert.match(audit[0].removed, /^totp ./)
      assert.equal((await logIn(user.login)).status, 200)
      assert.ok((await subjectsTo(user.login)).includes('A second factor was removed from your account'))
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
