import assert from 'node:assert/strict'
import { after, beforeEach, it } from 'node:test'
import { CREDENTIAL_KINDS, type CredentialKind, type Ending } from '../../src/people/credentials/credential-kinds.ts'
import { codeOf } from '../../src/people/factors/totp.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSent } from '../support/mail-settled.ts'
import { TestPasskey } from '../support/passkey.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeWithDelivery, itOnOneEngine, type Reply } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

const PASSWORD = 'a quiet afternoon'
const ORIGIN = 'https://bugs.lacewing.test'
const HOOK = { url: 'http://127.0.0.1:9/', is_active: false }

describeWithDelivery(
  'What acts or listens for a user',
  (world) => {
    beforeEach(async () => {
      await world.ada.put('/rest/parameters', { incoming_address: 'bugs@lacewing.test' })
      await mailSent(world)
      mailServer.clear()
    })

    const logIn = async (login: string) => {
      const { body } = await world.nobody.get(`/rest/login?${new URLSearchParams({ login, password: PASSWORD })}`)
      return world.as({ 'X-TRACKER-TOKEN': body.token })
    }

    const newKey = async (maker: Client, userId: number) => {
      const { body, text } = await maker.post(`/rest/user/${userId}/api_key`, { description: 'made' })
      assert.ok(body.api_key, text)
      return { id: body.id as number, client: world.as({ 'X-TRACKER-API-KEY': body.api_key }) }
    }

    const must = async <Body>(reply: Promise<Reply<Body>>): Promise<Body> => {
      const { status, text, body } = await reply
      assert.ok(status < 300, text)
      return body
    }

    /** Everything that a key can make: what ends with it. */
    async function makeAllWith(client: Client, userId: number) {
      await newKey(client, userId)
      await must(client.post('/rest/webhook', HOOK))
      await must(client.get(`/rest/user/${userId}/mail_address`))
      const { id } = await must(client.post('/rest/saved_search', { name: world.unique('search'), query: 'x=y' }))
      const mail = { subject: 'Weekly', searches: [{ search: String(id) }], schedules: [{ day: 'Mon', time: '8' }] }
      await must(client.post('/rest/scheduled_mail', mail))
    }

    /** A user with one of each kind, made by a session; the key of the world's client and the session stay in use. */
    async function userWithAll() {
      const user = await world.newUser({ password: PASSWORD })
      await must(world.ada.put(`/rest/user/${user.id}`, { groups: { add: ['bz_canusewhines'] } }))
      const [session, other] = [await logIn(user.login), await logIn(user.login)]
      await must(other.get('/rest/whoami'))
      const offered = await must(session.post('/rest/factor/totp'))
      const code = codeOf(offered.secret, Math.floor(Date.now() / 30_000))
      await must(session.post('/rest/factor/totp/confirm', { id: offered.id, code }))
      const { options } = await must(session.post('/rest/factor/passkey/challenge'))
      await must(session.post('/rest/factor/passkey', { credential: new TestPasskey(ORIGIN).create(options) }))
      const link = { user_id: user.id, issuer: 'https://id.example.com', subject: user.login }
      const at = '2026-01-01T00:00:00Z'
      await world.db.query((q) => q.insertInto('identity_links').values({ ...link, created_at: at, last_used_at: at }))
      return { user, session, other }
    }

    const kindsOf = async (client: Client, userId: number): Promise<CredentialKind[]> => {
      const { credentials } = await must(client.get(`/rest/user/${userId}/credential`))
      const others = credentials.filter(({ is_current }) => !is_current)
      return [...new Set(others.map(({ kind }) => kind as CredentialKind))]
    }

    const leftAfter = (ending: Ending, kinds: readonly CredentialKind[]) =>
      kinds.filter((kind) => !(CREDENTIAL_KINDS[kind].endedBy as readonly Ending[]).includes(ending))

    const forget = async (login: string) => {
      await must(world.nobody.post('/rest/account/password', { login }))
      await mailSent(world)
      const mails = mailServer.notices.filter(({ recipients }) => recipients.includes(login))
      return mails.map(({ text }) => /\/confirm#(\w{32})$/m.exec(text ?? '')?.[1]).findLast((token) => token) ?? ''
    }

    it('ends as the table of docs/rules.md says', async () => {
      const { user, session } = await userWithAll()
      await makeAllWith(session, user.id)
      await must(session.put(`/rest/user/${user.id}`, { email: `new-${user.login}`, old_password: PASSWORD }))
      const link = await forget(user.login)
      const every = Object.keys(CREDENTIAL_KINDS) as CredentialKind[]
      assert.deepEqual(await kindsOf(session, user.id), every)

      const change = { password: 'another afternoon', old_password: PASSWORD }
      await must(session.put(`/rest/user/${user.id}`, change))
      const afterPassword = leftAfter('password', every)
      assert.deepEqual(await kindsOf(session, user.id), afterPassword)
      assertRefused(await world.nobody.post('/rest/account/confirm', { token: link, password: PASSWORD }), 400, 309)

      const { ended } = await must(session.delete(`/rest/user/${user.id}/credential`))
      assert.deepEqual(ended, { api_key: 2, webhook: 1, scheduled_mail: 1, mail_address: 1, provider: 1 })
      assert.deepEqual(await kindsOf(session, user.id), leftAfter('end_all', afterPassword))
      assertRefused(await user.client.get('/rest/whoami'), 400, 306)
      assert.equal((await session.get('/rest/whoami')).status, 200)
    })

    itOnOneEngine(
      world,
      'says what each may do and when it was last used, and ends the address for mail alone',
      async () => {
        const { user, session, other } = await userWithAll()
        const listed = async (kind: CredentialKind, client = session) => {
          const { credentials } = await must(client.get(`/rest/user/${user.id}/credential`))
          return credentials.filter((it) => it.kind === kind)
        }
        const here = [...(await listed('session')), ...(await listed('session', other))].filter((it) => it.is_current)
        assert.equal(new Set(here.map(({ id }) => id)).size, 2, 'each session is its own current one')
        const expires_at = '2199-01-01T00:00:00Z'
        await must(session.post(`/rest/user/${user.id}/api_key`, { description: 'r', scopes: ['read'], expires_at }))
        const hook = await must(session.post('/rest/webhook', { ...HOOK, events: ['bug.create', 'bug.delete'] }))
        const { address } = await must(session.post(`/rest/user/${user.id}/mail_address`))
        const readOnly = (await listed('api_key')).find(({ name }) => name === 'r')
        assert.deepEqual([readOnly?.allows, readOnly?.expires_at, readOnly?.last_used], [['read'], expires_at, null])
        const noUse = { allows: ['bug.create', 'bug.delete'], last_used: null, expires_at: null }
        const [sent] = await listed('webhook')
        assert.deepEqual({ allows: sent?.allows, last_used: sent?.last_used, expires_at: sent?.expires_at }, noUse)
        const [at, bug] = ['2026-01-02T00:00:00Z', 1]
        const delivery = {
          webhook_id: hook.id,
          event_position: 1,
          kind: 'bug.create',
          bug_id: bug,
          attempt: 1,
          milliseconds: 1,
        }
        const result = { status: 200, fault: null, outcome: 'delivered' as const }
        await world.db.query((q) => q.insertInto('webhook_deliveries').values({ ...delivery, ...result, at }))
        const message = { message_digest: world.unique('digest'), user_id: user.id, bug_id: bug, at }
        await world.db.query((q) => q.insertInto('incoming_messages').values(message))
        assert.deepEqual(
          [(await listed('webhook'))[0]?.last_used, (await listed('mail_address'))[0]?.last_used],
          [at, at],
        )
        const [{ allows: everything } = { allows: undefined }] = await listed('session')
        assert.deepEqual(everything, [])

        assertRefused(await world.ada.delete(`/rest/user/${user.id}/mail_address`), 401, 304)
        assertRefused(await world.nobody.delete(`/rest/user/${user.id}/mail_address`), 401, 410)
        assert.deepEqual(await must(session.delete(`/rest/user/${user.id}/mail_address`)), { id: user.id })
        assert.deepEqual(await listed('mail_address'), [])
        assertRefused(await session.delete(`/rest/user/${user.id}/mail_address`), 404, 51)
        const next = await must(user.client.get(`/rest/user/${user.id}/mail_address`))
        assert.notEqual(next.address, address, 'the ended address does not come back')
      },
    )

    itOnOneEngine(
      world,
      'ends with a forgotten password, except second factors, unless its user wants to keep it',
      async () => {
        for (const isKept of [true, false]) {
          const { user, session } = await userWithAll()
          await makeAllWith(session, user.id)
          const before = await kindsOf(user.client, user.id)
          const token = await forget(user.login)
          const { acting, kind } = await must(world.nobody.post('/rest/account/link', { token }))
          const counts = { api_key: 2, webhook: 1, mail_address: 1, scheduled_mail: 1, provider: 1 }
          assert.deepEqual(
            [kind, acting],
            ['password', counts],
            'what ends with it, without sessions and second factors',
          )
          const body = { token, password: 'another afternoon', keep_credentials: isKept }
          const { ended } = await must(world.nobody.post('/rest/account/confirm', body))
          const left = leftAfter('password', before)
          const { audit } = await must(world.ada.get(`/rest/audit?id=${user.id}&class=Tracker::User`))
          const isAudited = audit.some(({ field, removed }) => field === 'credentials' && removed !== '')
          assert.equal(isAudited, !isKept, 'the audit log says what has ended')
          if (isKept) {
            assert.deepEqual([ended, await kindsOf(user.client, user.id)], [{}, left])
          } else {
            assert.deepEqual(Object.keys(ended).sort(), [
              'api_key',
              'mail_address',
              'provider',
              'scheduled_mail',
              'webhook',
            ])
            assertRefused(await user.client.get('/rest/whoami'), 400, 306)
            const { credentials } = await must(world.ada.get(`/rest/user/${user.id}/credential`))
            assert.deepEqual(
              credentials.map(({ kind }) => kind),
              leftAfter('reset', before),
            )
          }
        }
      },
    )

    it('ends with the key that made it, also if another key is in between', async () => {
      const user = await world.newUser({ password: PASSWORD })
      await must(world.ada.put(`/rest/user/${user.id}`, { groups: { add: ['bz_canusewhines'] } }))
      const session = await logIn(user.login)
      const kept = await must(session.post('/rest/webhook', HOOK))
      const changed = await must(session.post('/rest/webhook', HOOK))
      const first = await newKey(session, user.id)
      const second = await newKey(first.client, user.id)
      await makeAllWith(second.client, user.id)
      await must(second.client.put(`/rest/webhook/${changed.id}`, { url: 'http://127.0.0.1:9/elsewhere' }))
      const { address } = await must(session.get(`/rest/user/${user.id}/mail_address`))
      await must(session.delete(`/rest/user/${user.id}/api_key/${first.id}`))
      const { credentials } = await must(session.get(`/rest/user/${user.id}/credential`))
      const left = credentials.filter(({ is_current }) => !is_current)
      assert.deepEqual(
        left.map(({ kind, id }) => (kind === 'webhook' ? id : kind)),
        ['api_key', kept.id],
        'the first key of the user, and the webhook that only the session has touched',
      )
      assertRefused(await second.client.get('/rest/whoami'), 400, 306)
      const renewed = await must(session.get(`/rest/user/${user.id}/mail_address`))
      assert.notEqual(renewed.address, address)
    })

    it('is not made with a key or a session that ends in the meantime', async () => {
      const user = await world.newUser({ password: PASSWORD })
      await must(world.ada.put(`/rest/user/${user.id}`, { groups: { add: ['bz_canusewhines'] } }))
      const session = await logIn(user.login)
      const search = await must(session.post('/rest/saved_search', { name: 'mine', query: 'x=y' }))
      const mail = { subject: 'x', searches: [{ search: String(search.id) }], schedules: [{ day: 'Mon', time: '8' }] }
      const makers: ((client: Client) => Promise<Reply>)[] = [
        (client) => client.post('/rest/webhook', HOOK),
        (client) => client.post('/rest/scheduled_mail', mail),
        (client) => client.get(`/rest/user/${user.id}/mail_address`),
        (client) => client.post(`/rest/user/${user.id}/mail_address`),
        (client) => client.post(`/rest/user/${user.id}/api_key`, { description: 'late' }),
      ]
      for (const make of makers) {
        const key = await newKey(session, user.id)
        const revoke = () => must(session.delete(`/rest/user/${user.id}/api_key/${key.id}`))
        assertRefused(await changedMeanwhile(world, () => make(key.client), revoke, 'accounts'), 400, 306)
        const other = await logIn(user.login)
        const logOut = () => must(session.delete('/rest/session/others'))
        assertRefused(await changedMeanwhile(world, () => make(other), logOut, 'accounts'), 400, 307)
      }
      const { credentials } = await must(session.get(`/rest/user/${user.id}/credential`))
      assert.deepEqual(
        credentials.map(({ kind }) => kind),
        ['session', 'api_key'],
      )
    })

    itOnOneEngine(world, 'is mailed to its user when it is a webhook or a secret mail address', async () => {
      const user = await world.newUser({ password: PASSWORD })
      const hook = await must(user.client.post('/rest/webhook', HOOK))
      await must(user.client.put(`/rest/webhook/${hook.id}`, { events: ['bug.create'] }))
      await must(user.client.get(`/rest/user/${user.id}/mail_address`))
      await must(user.client.get(`/rest/user/${user.id}/mail_address`))
      await must(world.ada.put(`/rest/webhook/${hook.id}`, { url: 'http://127.0.0.1:9/elsewhere' }))
      await mailSent(world)
      const mails = mailServer.notices.filter(({ recipients }) => recipients.includes(user.login))
      const about = mails.filter(({ subject }) => /webhook|mail address/.test(subject))
      assert.deepEqual(about.map(({ subject }) => subject).sort(), [
        'Your account has a new webhook',
        'Your account has a new webhook',
        'Your account has a secret mail address',
      ])
      const { address } = await must(user.client.get(`/rest/user/${user.id}/mail_address`))
      assert.ok(about.every(({ text }) => !text?.includes(address) && !text?.includes('whsec_')))
      assert.ok(about.some(({ text }) => text?.includes('http://127.0.0.1:9/elsewhere') && text.includes('ada@')))
    })

    itOnOneEngine(world, 'is listed and ended by its user, and by editors of users who are not weaker', async () => {
      const [user, other] = [await world.newUser({ password: PASSWORD }), await world.newUser()]
      assertRefused(await world.nobody.get(`/rest/user/${user.id}/credential`), 401, 410)
      assertRefused(await other.client.get(`/rest/user/${user.id}/credential`), 401, 304)
      assertRefused(await other.client.get('/rest/user/999999/credential'), 401, 304)
      assertRefused(await other.client.delete(`/rest/user/${user.id}/credential`), 401, 304)
      const limited = await user.client.post(`/rest/user/${user.id}/api_key`, { scopes: ['read', 'write'] })
      const weak = world.as({ 'X-TRACKER-API-KEY': limited.body.api_key })
      assertRefused(await weak.delete(`/rest/user/${user.id}/credential`), 401, 304)
      const editor = await world.newUser()
      await must(world.ada.put(`/rest/user/${editor.id}`, { groups: { add: ['editusers'] } }))
      assertRefused(await editor.client.delete('/rest/user/ada@lacewing.test/credential'), 401, 304)
      const { ended } = await must(editor.client.delete(`/rest/user/${user.id}/credential`))
      assert.deepEqual(ended, { api_key: 2 })
      assertRefused(await user.client.get('/rest/whoami'), 400, 306)
      const { audit } = await must(world.ada.get(`/rest/audit?id=${user.id}&class=Tracker::User`))
      assert.ok(audit.some(({ field, removed }) => field === 'credentials' && removed === 'api_key: 2'))

      const admin = await world.newUser()
      await must(world.ada.put(`/rest/user/${admin.id}`, { groups: { add: ['admin'] } }))
      const made = await newKey(admin.client, other.id)
      assert.deepEqual((await must(world.ada.delete(`/rest/user/${admin.id}/credential`))).ended, { api_key: 2 })
      assertRefused(await made.client.get('/rest/whoami'), 400, 306)
      assert.equal((await other.client.get('/rest/whoami')).status, 200, 'only what the ended keys have made ends')
    })
  },
  { LACEWING_SMTP_URL: mailServer.url, LACEWING_BASE_URL: ORIGIN },
)
