import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { generateKeyPair, SignJWT } from 'jose'
import { codeOf } from '../../src/people/factors/totp.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSent } from '../support/mail-settled.ts'
import { followProvider, type ProviderUser, TestProvider } from '../support/oidc-provider.ts'
import { assertRefused } from '../support/refusal.ts'
import { sure } from '../support/sure.ts'
import { type Client, describeWithDelivery, itOnOneEngine, type Reply } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
const [corp, other] = await Promise.all([new TestProvider().open(), new TestProvider().open()])
after(() => {
  for (const server of [mailServer, corp, other]) server.close()
})

const PASSWORD = 'a quiet afternoon'

describeWithDelivery(
  'Signing in through a provider',
  (world) => {
    const page = world.as({ 'Sec-Fetch-Site': 'same-origin' })

    before(async () => {
      await corp.register(world.url, 'corp')
      await other.register(world.url, 'other')
    })
    beforeEach(async () => {
      await setProviders({})
      await mailSent(world)
      mailServer.clear()
    })

    const setProviders = (more: object) =>
      world.ada.put('/rest/parameters', {
        sign_in_providers: [
          { ...settingsOf(corp, 'corp'), domains: ['lacewing.test'], creates_accounts: true, ...more },
          { ...settingsOf(other, 'other'), creates_accounts: true },
        ],
      })
    const settingsOf = (provider: TestProvider, name: string) => ({
      ...provider.settings(name),
      scopes: 'openid email profile groups',
    })

    const newUser = (more: Partial<ProviderUser> = {}): ProviderUser => ({
      sub: world.unique(`sub-${world.engine}-`),
      email: `${world.unique('joiner')}@lacewing.test`,
      email_verified: true,
      name: 'Jo\r\nJoiner',
      ...more,
    })

    const begin = async (name: string, client: Client = page) =>
      (await client.post(`/rest/session/provider/${name}`)).body as { url: string; flow: string }
    const finish = (name: string, flow: string, query: string, client: Client = page) =>
      client.post(`/rest/session/provider/${name}/return`, { flow, query })

    /** Everything that a browser does. */
    async function signIn(user: ProviderUser, client: Client = page, name = 'corp') {
      const provider = name === 'corp' ? corp : other
      provider.user = user
      const { url, flow } = await begin(name, client)
      return finish(name, flow, (await followProvider(url, world.url)).search, client)
    }

    const tokenIn = ({ headers }: Reply) => /=(\d+-\w+);/.exec(headers.getSetCookie().join())?.[1] ?? ''
    const sessionOf = (reply: Reply) => world.as({ 'X-TRACKER-TOKEN': tokenIn(reply) })
    const canLogIn = (login: string) =>
      world.nobody.get(`/rest/login?${new URLSearchParams({ login, password: PASSWORD })}`)
    const subjectsTo = async (login: string) => {
      await mailSent(world)
      return mailServer.notices.filter(({ recipients }) => recipients.includes(login)).map(({ subject }) => subject)
    }

    itOnOneEngine(
      world,
      'creates an account, signs in again after the address has changed, and stays in its groups',
      async () => {
        const [team, admins] = [await world.newGroup(), await world.newGroup()]
        await setProviders({ groups: { engineers: team.name, bosses: admins.name } })
        const user = newUser({ groups: ['engineers', 'unknown', 'admin'] })
        const first = await signIn(user)
        assert.equal(first.status, 201, first.text)
        assert.match(first.headers.getSetCookie().join(), /HttpOnly; SameSite=Lax/)
        const { body: me } = await sessionOf(first).get('/rest/whoami')
        assert.deepEqual([me.name, me.real_name], [user.email, 'Jo Joiner'])
        const groups = async (reply: Reply) =>
          (await sessionOf(reply).get('/rest/whoami')).body.groups.map(({ name }: { name: string }) => name)
        assert.ok((await groups(first)).includes(team.name))
        assert.ok(!(await groups(first)).includes('admin'))

        await corp.rotateKeys()
        const victim = await world.newUser({ password: PASSWORD })
        const again = await signIn({ ...user, email: victim.login, groups: ['bosses'] })
        assert.equal(again.body.id, me.id, 'the account of another address is not taken over')
        assert.deepEqual(
          (await groups(again)).filter((name: string) => [team.name, admins.name].includes(name)),
          [admins.name],
        )
        assert.equal((await sessionOf(again).get('/rest/whoami')).body.name, user.email)
        assert.deepEqual(await subjectsTo(victim.login), ['You have an account'])
      },
    )

    it('links an account with a verified address, and says so by mail', async () => {
      const owner = await world.newUser({ password: PASSWORD })
      assertRefused(await signIn(newUser({ email: owner.login, email_verified: false })), 401, 314)
      assertRefused(await signIn(newUser({ email: 'x@elsewhere.test' })), 401, 314)
      const { email: _, ...nameless } = newUser()
      assertRefused(await signIn(nameless), 401, 314)
      const user = newUser({ email: owner.login.toUpperCase() })
      assert.equal((await signIn(user)).body.id, owner.id)
      assert.ok((await subjectsTo(owner.login)).includes('Your account can be used through another service'))
      assertRefused(await signIn(newUser({ email: owner.login })), 401, 314)
      const { body } = await world.ada.get(`/rest/audit?id=${owner.id}&class=Tracker::User`)
      assert.ok(body.audit.some(({ field, added }) => field === 'provider' && added.endsWith(user.sub)))
      const [local, domain] = owner.login.split('@')
      assertRefused(await signIn(newUser({ email: `${local}+tag@${domain}` })), 401, 314)
      await world.ada.put(`/rest/user/${owner.id}`, { login_denied_text: 'gone' })
      assertRefused(await signIn(user), 401, 301)
    })

    itOnOneEngine(world, 'links an account with a second factor only from a session of its user', async () => {
      const owner = await world.newUser({ password: PASSWORD })
      const token = (await canLogIn(owner.login)).body.token
      const session = world.as({ 'X-TRACKER-TOKEN': token, 'Sec-Fetch-Site': 'same-origin' })
      const { body: app } = await session.post('/rest/factor/totp')
      await session.post('/rest/factor/totp/confirm', {
        id: app.id,
        code: codeOf(app.secret, Math.floor(Date.now() / 30_000)),
      })
      const user = newUser({ email: owner.login })
      assertRefused(await signIn(user), 401, 314)
      assertRefused(await signIn(newUser({ email: 'x@elsewhere.test' }), session), 401, 314)
      assert.equal((await signIn({ ...user, email_verified: false }, session)).body.id, owner.id)
      assert.equal((await signIn(user)).body.id, owner.id)
      const other = await world.newUser({ password: PASSWORD })
      const otherToken = (await canLogIn(other.login)).body.token
      assertRefused(
        await signIn(user, world.as({ 'X-TRACKER-TOKEN': otherToken, 'Sec-Fetch-Site': 'same-origin' })),
        401,
        314,
      )
    })

    it('shows its links, and lets a user remove all but the last way to log in', async () => {
      const owner = await world.newUser({ password: PASSWORD })
      const team = await world.newGroup()
      await setProviders({ groups: { engineers: team.name } })
      const { body: login } = await canLogIn(owner.login)
      const session = world.as({ 'X-TRACKER-TOKEN': login.token, 'Sec-Fetch-Site': 'same-origin' })
      const path = `/rest/user/${owner.id}/provider` as const
      assert.deepEqual((await session.get(path)).body.links, [])
      const byKey = world.as({ 'X-TRACKER-API-KEY': owner.apiKey, 'Sec-Fetch-Site': 'same-origin' })
      assertRefused(await byKey.post('/rest/session/provider/corp'), 401, 304)

      const user = newUser({ email: owner.login, groups: ['engineers'] })
      const linked = await signIn(user, session)
      assert.equal(tokenIn(linked), '', 'the session stays')
      const elsewhere = await signIn(user)
      const [link] = (await session.get(path)).body.links
      assert.deepEqual([link.name, link.title, link.issuer, link.subject], ['corp', 'The corp', corp.issuer, user.sub])
      for (const client of [world.stan, world.nobody]) assert.equal((await client.get(path)).status, 401)
      assert.equal((await world.uma.get(path)).body.links.length, 1)
      assertRefused(await world.uma.delete(`${path}/${link.id}`), 401, 304)
      assertRefused(await owner.client.delete(`${path}/${link.id}`), 401, 304)
      assertRefused(await session.delete(`${path}/4711`), 404, 51)
      await world.db.query((q) =>
        q.updateTable('login_tokens').set({ proven_at: '2020-01-01T00:00:00Z' }).where('user_id', '=', owner.id),
      )
      assertRefused(await session.delete(`${path}/${link.id}`), 401, 308)
      await session.post('/rest/session/proof', { password: PASSWORD })
      await setProviders({ is_only: true, groups: { engineers: team.name } })
      assertRefused(await session.delete(`${path}/${link.id}`), 400, 32000)
      await setProviders({ groups: { engineers: team.name } })
      assert.equal((await session.delete(`${path}/${link.id}`)).status, 200)
      assertRefused(await sessionOf(elsewhere).get('/rest/whoami'), 400, 307)
      const { groups } = (await session.get('/rest/whoami')).body
      assert.ok(!groups.some(({ name }: { name: string }) => name === team.name))
      assert.ok((await subjectsTo(owner.login)).includes('Your account can no longer be used through another service'))

      const made = await signIn(newUser({ email: `${world.unique('only')}@lacewing.test` }))
      const own = `/rest/user/${made.body.id}/provider` as const
      const [only] = (await sessionOf(made).get(own)).body.links
      assertRefused(await sessionOf(made).delete(`${own}/${only.id}`), 400, 32000)
      assert.equal((await world.ada.delete(`${own}/${only.id}`)).status, 200)
      assertRefused(await sessionOf(made).get('/rest/whoami'), 400, 307)
    })

    it('loses its links to a user who ends everything, but not to an API key, and not the last way to log in', async () => {
      const owner = await world.newUser({ password: PASSWORD })
      const team = await world.newGroup()
      await setProviders({ groups: { engineers: team.name } })
      const session = world.as({
        'X-TRACKER-TOKEN': (await canLogIn(owner.login)).body.token,
        'Sec-Fetch-Site': 'same-origin',
      })
      await signIn(newUser({ email: owner.login, groups: ['engineers'] }), session)
      const all = `/rest/user/${owner.id}/credential` as const
      const groupsOf = async (client: Client) =>
        (await client.get('/rest/whoami')).body.groups.map(({ name }: { name: string }) => name)
      assert.deepEqual((await owner.client.delete(all)).body.ended, { session: 1 })
      assert.ok((await groupsOf(owner.client)).includes(team.name))
      const again = world.as({ 'X-TRACKER-TOKEN': (await canLogIn(owner.login)).body.token })
      assert.deepEqual((await again.delete(all)).body.ended, { api_key: 1, provider: 1 })
      assert.ok(!(await groupsOf(again)).includes(team.name))
      assert.ok((await subjectsTo(owner.login)).includes('Your account can no longer be used through another service'))

      const made = await signIn(newUser({ groups: ['engineers'] }))
      const own = `/rest/user/${made.body.id}` as const
      assert.deepEqual((await sessionOf(made).delete(`${own}/credential`)).body.ended, {})
      assert.ok((await groupsOf(sessionOf(made))).includes(team.name))
      assert.deepEqual((await world.ada.delete(`${own}/credential`)).body.ended, { session: 1, provider: 1 })
    })

    itOnOneEngine(
      world,
      'lets a user without a password remove a link while another one or a passkey is left',
      async () => {
        const user = newUser()
        const session = world.as({ 'X-TRACKER-TOKEN': tokenIn(await signIn(user)), 'Sec-Fetch-Site': 'same-origin' })
        assert.equal((await signIn(newUser(), session, 'other')).status, 201)
        const { id } = (await session.get('/rest/whoami')).body
        const path = `/rest/user/${id}/provider` as const
        const linkNamed = async (name: string | null) =>
          (await session.get(path)).body.links.find((link: { name: string | null }) => link.name === name)
        const both = (await world.ada.get('/rest/parameters')).body.parameters.sign_in_providers
        const onlyCorp = JSON.parse(sure(both)).filter(({ name }: { name: string }) => name === 'corp')
        await world.ada.put('/rest/parameters', { sign_in_providers: onlyCorp })
        const gone = await linkNamed(null)
        assert.deepEqual([gone.title, gone.issuer], [other.issuer, other.issuer])
        assertRefused(await session.delete(`${path}/${(await linkNamed('corp')).id}`), 400, 32000)
        await setProviders({})
        assert.equal((await session.delete(`${path}/${(await linkNamed('other')).id}`)).status, 200)

        const addFactor = (kind: 'totp' | 'passkey', is_confirmed: 0 | 1) =>
          world.db.query((q) =>
            q.insertInto('second_factors').values({
              user_id: id,
              kind,
              name: 'x',
              is_confirmed,
              secret: 'x',
              credential_id: null,
              counter: 0,
              transports: '',
              rp_id: '',
              is_multi_device: 0,
              is_backed_up: 0,
              created_at: '2026-01-01T00:00:00Z',
            }),
          )
        const last = `${path}/${(await linkNamed('corp')).id}`
        await addFactor('totp', 1)
        await addFactor('passkey', 0)
        assertRefused(await session.delete(last), 400, 32000)
        await addFactor('passkey', 1)
        assert.equal((await session.delete(last)).status, 200)
        assert.equal((await session.get('/rest/whoami')).status, 200, 'the session in use stays')
      },
    )

    itOnOneEngine(world, 'finds and creates accounts without the suffix that emailsuffix adds', async () => {
      const name = world.unique('suffixed')
      await world.withParameters({ emailsuffix: '@lacewing.test', emailregexp: '^[\\w.@-]+$' }, async () => {
        const owner = await world.newUser({ email: name, password: PASSWORD })
        assert.equal((await signIn(newUser({ email: `${name.toUpperCase()}@Lacewing.TEST` }))).body.id, owner.id)
        const joiner = await signIn(newUser({ email: ` new-${name}@lacewing.test ` }))
        assert.equal((await sessionOf(joiner).get('/rest/whoami')).body.name, `new-${name}`)
      })
    })

    itOnOneEngine(world, 'proves a session whose user logs in at the provider again, and no other', async () => {
      const user = newUser()
      corp.user = user
      const browser = new Map<string, string>()
      corp.loginAgeSeconds = 3600
      const begun = await begin('corp')
      const back = (await followProvider(begun.url, world.url, browser)).search
      const token = tokenIn(await finish('corp', begun.flow, back))
      const session = world.as({ 'X-TRACKER-TOKEN': token, 'Sec-Fetch-Site': 'same-origin' })
      const { body: me } = await session.get('/rest/whoami')
      assert.equal((await session.get('/rest/factor')).body.has_password, false)
      const newApp = () => session.post('/rest/factor/totp')
      assertRefused(await newApp(), 401, 308)
      const own = `/rest/user/${me.id}` as const
      assertRefused(await session.put(own, { password: PASSWORD }), 401, 308)
      assertRefused(await session.put(own, { password: PASSWORD, old_password: '' }), 401, 300)
      const withDeletion = (client: Client) =>
        world.withParameters({ allowuserdeletion: true }, () => client.post(`${own}/anonymise`))
      assertRefused(await withDeletion(session), 401, 308)

      const prove = async (change: (url: URL) => void = () => undefined, jar = browser, client = session) => {
        const { body } = await client.post('/rest/session/provider/corp', { is_proof: true })
        const url = new URL(body.url)
        assert.deepEqual([url.searchParams.get('prompt'), url.searchParams.get('max_age')], ['login', '0'])
        change(url)
        const { search } = await followProvider(url.href, world.url, jar)
        return { flow: body.flow as string, query: search }
      }
      const send = (proof: { flow: string; query: string }, client = session) =>
        client.post('/rest/session/provider/corp/return', proof)

      const withoutLogin = (url: URL) => {
        url.searchParams.delete('prompt')
        url.searchParams.set('max_age', '99999999')
      }
      const silent = await send(await prove(withoutLogin))
      assertRefused(silent, 401, 314)
      assert.match(silent.body.message, /you have not logged in there again/)
      const untold = await send(await prove((url) => ['prompt', 'max_age'].map((it) => url.searchParams.delete(it))))
      assertRefused(untold, 401, 314)
      assert.match(untold.body.message, /does not say when you logged in there/)
      const { url, flow } = await begin('corp')
      const withoutAge = new URL(url)
      withoutAge.searchParams.delete('max_age')
      const unasked = (await followProvider(withoutAge.href, world.url, browser)).search
      const ofUnknownAge = tokenIn(await finish('corp', flow, unasked))
      const unproven = world.as({ 'X-TRACKER-TOKEN': ofUnknownAge, 'Sec-Fetch-Site': 'same-origin' })
      assert.equal((await unproven.get('/rest/whoami')).body.id, me.id)
      assertRefused(await unproven.post('/rest/factor/totp'), 401, 308)

      corp.loginAgeSeconds = 0
      corp.user = newUser()
      assertRefused(await send(await prove(undefined, new Map())), 401, 314)
      assertRefused(await world.ada.get(`/rest/user/${corp.user.email}`), 404, 51)
      corp.user = user
      const second = await signIn(user)
      const elsewhere = world.as({ 'X-TRACKER-TOKEN': tokenIn(second), 'Sec-Fetch-Site': 'same-origin' })
      assertRefused(await send(await prove(undefined, new Map(), elsewhere)), 401, 314)
      const byKey = world.as({ 'X-TRACKER-API-KEY': (await world.newUser()).apiKey, 'Sec-Fetch-Site': 'same-origin' })
      assertRefused(await byKey.post('/rest/session/provider/corp', { is_proof: true }), 400, 32000)
      assertRefused(await page.post('/rest/session/provider/corp', { is_proof: true }), 401, 410)
      assertRefused(await newApp(), 401, 308)

      const proof = await prove()
      assert.deepEqual((await send(proof)).body, { id: me.id })
      assert.equal((await newApp()).status, 201)
      assertRefused(await send(proof), 401, 314)
      assert.equal((await session.put(own, { password: PASSWORD })).status, 200)
      assertRefused(await session.put(own, { password: `${PASSWORD}!` }), 400, 50)
      assertRefused(await withDeletion(session), 400, 50)
    })

    it('limits new accounts of a provider for everybody, and follows a group that gets another name', async () => {
      const joinedAt = async (reply: Reply<{ id: number }>) =>
        (await world.db.query((q) => q.selectFrom('users').select('joined_at').where('id', '=', reply.body.id)))[0]
          ?.joined_at
      assert.equal(await joinedAt(await signIn(newUser())), null)
      assert.notEqual(await joinedAt(await signIn(newUser(), page, 'other')), null)
      const team = await world.newGroup()
      await setProviders({ groups: { engineers: team.name } })
      const renamed = world.unique('renamed')
      assert.equal((await world.ada.put(`/rest/group/${team.name}`, { name: renamed })).status, 200)
      const reply = await signIn(newUser({ groups: ['engineers'] }))
      const { groups } = (await sessionOf(reply).get('/rest/whoami')).body
      assert.ok(groups.some(({ name }: { name: string }) => name === renamed))
    })

    itOnOneEngine(world, 'refuses what another browser, another flow or another provider has begun', async () => {
      const user = newUser()
      corp.user = user
      other.user = newUser()
      const mine = await begin('corp')
      const query = (await followProvider(mine.url, world.url)).search
      const attacker = await begin('corp')
      assertRefused(await finish('corp', attacker.flow, query), 401, 314)
      assertRefused(await finish('corp', attacker.flow, query), 401, 314)
      assertRefused(await finish('corp', 'x'.repeat(32), query), 401, 314)
      assertRefused(await finish('other', mine.flow, query), 401, 314)
      assertRefused(await finish('corp', mine.flow, query), 401, 314)

      const [one, two] = [await begin('corp'), await begin('other')]
      const ofOther = (await followProvider(two.url, world.url)).searchParams
      ofOther.set('state', new URL(one.url).searchParams.get('state') ?? '')
      assertRefused(await finish('corp', one.flow, `${ofOther}`), 401, 314)
      ofOther.set('iss', corp.issuer)
      const three = await begin('corp')
      ofOther.set('state', new URL(three.url).searchParams.get('state') ?? '')
      assertRefused(await finish('corp', three.flow, `${ofOther}`), 401, 314)

      const right = await begin('corp')
      const back = (await followProvider(right.url, world.url)).search
      assertRefused(await finish('corp', right.flow, back, world.nobody), 401, 304)
      assertRefused(await finish('corp', right.flow, back, world.as({ 'Sec-Fetch-Site': 'cross-site' })), 401, 304)
      assertRefused(await world.nobody.post('/rest/session/provider/corp'), 401, 304)
      const replies = await Promise.all([1, 2, 3].map(() => finish('corp', right.flow, back)))
      assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).sort(), [201, 314, 314])
      assertRefused(await finish('corp', (await begin('corp')).flow, '?error=access_denied&state=x'), 401, 314)
      assertRefused(await page.post('/rest/session/provider/constructor'), 404, 51)
      assert.ok(!JSON.stringify(world.logged).includes(mine.flow))
    })

    itOnOneEngine(world, 'can be the only way to log in, and can be without new accounts', async () => {
      const owner = await world.newUser({ password: PASSWORD })
      const outside = await world.newUser({ email: 'out@outside.test', password: PASSWORD })
      await setProviders({ is_only: true, creates_accounts: false })
      assertRefused(await canLogIn(owner.login), 401, 313)
      await world.withParameters({ emailregexp: '.*' }, async () => {
        const { login } = await world.newUser({ email: `${owner.login}.`, password: PASSWORD })
        assertRefused(await canLogIn(login), 401, 313)
      })
      assert.equal((await owner.client.get('/rest/whoami')).status, 200)
      assert.equal((await canLogIn(outside.login)).status, 200)
      assertRefused(await signIn(newUser()), 401, 314)
      assert.equal((await signIn(newUser({ email: owner.login }))).body.id, owner.id)
      await setProviders({ issuer: 'http://127.0.0.1:9' })
      assertRefused(await page.post('/rest/session/provider/corp'), 401, 314)
    })

    it('is tested by administrators, who read in words what is wrong, and is disabled without being forgotten', async () => {
      const test = async (name = 'corp') => (await world.ada.post(`/rest/admin/providers/${name}/test`)).body
      const good = await test()
      assert.equal(good.is_good, true, JSON.stringify(good))
      assert.match(good.checks.at(-1)?.text ?? '', /^The keys can be read: \d+\.$/)
      await setProviders({ issuer: `${corp.issuer}/`, scopes: 'openid nonsense' })
      const wrong = (await test()).checks.filter(({ is_good }) => !is_good).map(({ text }) => text)
      assert.deepEqual(wrong, [
        `The provider calls itself “${corp.issuer}”: the issuer must be exactly that.`,
        'The provider does not know the scopes nonsense.',
      ])
      await setProviders({ issuer: 'http://127.0.0.1:9' })
      assert.match((await test()).checks[0]?.text ?? '', /cannot be read: nothing answers there\.$/)
      await setProviders({ issuer: mailServer.url.replace('smtp', 'http') })
      assert.equal((await test()).is_good, false)
      assertRefused(await world.pam.post('/rest/admin/providers/corp/test'), 401, 304)
      assertRefused(await world.nobody.post('/rest/admin/providers/corp/test'), 401, 410)
      assertRefused(await world.ada.post('/rest/admin/providers/none/test'), 404, 51)
      assert.equal((await world.ada.post('/rest/admin/providers/other/test')).status, 200)
      assertRefused(await world.ada.post('/rest/admin/providers/other/test'), 429, 32000)

      const owner = await world.newUser({ password: PASSWORD })
      await setProviders({ is_only: true })
      assertRefused(await canLogIn(owner.login), 401, 313)
      const user = newUser()
      corp.user = user
      const { url, flow } = await begin('corp')
      const { search } = await followProvider(url, world.url)
      await setProviders({ is_only: true, is_disabled: true })
      assertRefused(await finish('corp', flow, search), 404, 51)
      assertRefused(await page.post('/rest/session/provider/corp'), 404, 51)
      assert.equal((await canLogIn(owner.login)).status, 200)
      const { providers } = (await world.nobody.get('/rest/account/rules')).body
      assert.deepEqual(
        providers.map(({ name }) => name),
        ['other'],
      )
    })

    it('ends when the provider says so', async () => {
      const user = newUser()
      const [one, two] = [await signIn(user), await signIn(user)]
      const alive = async (reply: Reply) => (await sessionOf(reply).get('/rest/whoami')).status === 200
      const sessions = await world.db.query((q) =>
        q.selectFrom('login_tokens').select('provider_session').where('provider_subject', '=', user.sub).orderBy('id'),
      )
      const form = (token: string) =>
        world.nobody.send('POST', '/rest/session/provider/corp/logout', `logout_token=${token}`, {
          'Content-Type': 'application/x-www-form-urlencoded',
        })
      const { privateKey } = await generateKeyPair('RS256')
      const forged = new SignJWT({
        sub: user.sub,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      })
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuer(corp.issuer)
        .setAudience(corp.clientId)
        .setIssuedAt()
      assertRefused(await form(await forged.sign(privateKey)), 400, 32000)
      assertRefused(await form('e30.e30.'), 400, 32000)
      assert.ok((await alive(one)) && (await alive(two)))
      await corp.logOut(user.sub, sessions[0]?.provider_session ?? '')
      assert.ok(!(await alive(one)))
      assert.ok(await alive(two))
    })

    itOnOneEngine(world, 'never returns the secret, and only administrators change the providers', async () => {
      const { text, body } = await world.ada.get('/rest/parameters')
      assert.ok(!text.includes(corp.clientSecret))
      await world.ada.put('/rest/parameters', { sign_in_providers: body.parameters.sign_in_providers })
      assert.equal((await signIn(newUser())).status, 201, 'the hidden secret that is sent back is the stored one')
      const moved = JSON.parse(sure(body.parameters.sign_in_providers))
      moved[0].issuer = other.issuer
      await world.ada.put('/rest/parameters', { sign_in_providers: moved })
      const stored = await world.db.query((q) =>
        q.selectFrom('parameters').select('value').where('name', '=', 'sign_in_providers'),
      )
      assert.equal(
        JSON.parse(stored[0]?.value ?? '')[0].client_secret,
        '********',
        'the secret does not go to another issuer',
      )
      assertRefused(await world.pam.put('/rest/parameters', { sign_in_providers: '' }), 401, 304)
      assert.ok(!(await world.ada.get('/rest/audit?class=Tracker::Parameter')).text.includes(corp.clientSecret))
      const { body: rules } = await world.nobody.get('/rest/account/rules')
      assert.deepEqual(rules.providers, [
        { name: 'corp', title: 'The corp' },
        { name: 'other', title: 'The other' },
      ])
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
