import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { codeOf } from '../../src/people/factors/totp.ts'
import { fileBug } from '../support/file-bug.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSent } from '../support/mail-settled.ts'
import { followProvider, TestProvider } from '../support/oidc-provider.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeWithDelivery, type Reply } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
const provider = await new TestProvider().open()
after(() => {
  mailServer.close()
  provider.close()
})

const PASSWORD = 'a quiet afternoon'
const OTHER = 'a noisy evening'

/** Requests that arrive together run in transactions of their own. */
describeWithDelivery(
  'Requests about accounts that arrive together',
  (world) => {
    before(async () => {
      await provider.register(world.url, 'corp')
      await world.ada.put('/rest/parameters', {
        sign_in_providers: [provider.settings('corp')],
      })
    })

    const codesOf = (replies: readonly Reply[]) => replies.map(({ status, body }) => body.code ?? status).sort()
    const logIn = (login: string, more: Record<string, string> = {}) =>
      world.nobody.get(`/rest/login?${new URLSearchParams({ login, password: PASSWORD, ...more })}`)
    const sessionWith = (token: string) => world.as({ 'X-TRACKER-TOKEN': token, 'Sec-Fetch-Site': 'same-origin' })

    async function newSession() {
      const user = await world.newUser({ password: PASSWORD })
      return { user, session: sessionWith((await logIn(user.login)).body.token) }
    }

    async function addApp(session: Client) {
      const { body: offered } = await session.post('/rest/factor/totp', { name: world.unique('app') })
      const code = codeOf(offered.secret, Math.floor(Date.now() / 30_000))
      const { body, text } = await session.post('/rest/factor/totp/confirm', { id: offered.id, code })
      assert.ok(body.recovery_codes, text)
      return { id: offered.id as number, codes: body.recovery_codes as string[] }
    }

    async function resetToken(login: string): Promise<string> {
      mailServer.clear()
      await world.nobody.post('/rest/account/password', { login })
      await mailSent(world)
      const texts = mailServer.notices.filter(({ recipients }) => recipients.includes(login)).map(({ text }) => text)
      return /\/confirm#(\w{32})$/m.exec(texts.join('\n'))?.[1] ?? ''
    }

    it('give nothing for good with a key or session that ends in the meantime', async () => {
      const [editor, target] = [await world.newUser({ password: PASSWORD }), await world.newUser()]
      await world.ada.put(`/rest/user/${editor.id}`, { groups: { add: ['admin'] } })
      const own = `/rest/user/${editor.id}` as const
      const makers: [(client: Client) => Promise<Reply>, 'accounts' | 'configuration'][] = [
        [(client) => client.put(`/rest/user/${target.id}`, { groups: { add: ['admin'] } }), 'configuration'],
        [(client) => client.put(`/rest/user/${target.id}`, { password: OTHER }), 'configuration'],
        [(client) => client.put(own, { password: OTHER, old_password: PASSWORD }), 'configuration'],
        [(client) => client.post('/rest/user', { email: 'late@lacewing.test', password: OTHER }), 'accounts'],
        [(client) => client.post('/rest/group', { name: 'late', description: 'x' }), 'configuration'],
        [(client) => client.put('/rest/group/admin', { user_regexp: '^late' }), 'configuration'],
        [(client) => client.put('/rest/parameters', { mailfrom: 'late@lacewing.test' }), 'configuration'],
        [(client) => client.delete(`/rest/user/${target.id}/factor`), 'configuration'],
        [(client) => client.delete(`/rest/user/${target.id}/provider/1`), 'configuration'],
        [(client) => client.delete(`/rest/user/${target.id}/credential`), 'configuration'],
      ]
      for (const [make, kind] of makers) {
        const { body: key } = await world.ada.post(`${own}/api_key`, { description: 'short' })
        const client = world.as({ 'X-TRACKER-API-KEY': key.api_key })
        const revoke = () => world.ada.delete(`${own}/api_key/${key.id}`)
        assertRefused(await changedMeanwhile(world, () => make(client), revoke, kind), 400, 306)
        const session = sessionWith((await logIn(editor.login)).body.token)
        const logOut = () => editor.client.delete('/rest/session/others')
        assertRefused(await changedMeanwhile(world, () => make(session), logOut, kind), 400, 307)
      }
    })

    it('leave one password, of the link or of the user, and the link is used up', async () => {
      const { user, session } = await newSession()
      const token = await resetToken(user.login)
      const replies = await Promise.all([
        world.nobody.post('/rest/account/confirm', { token, password: OTHER }),
        session.put(`/rest/user/${user.id}`, { password: `${OTHER}!`, old_password: PASSWORD }),
      ])
      const isSet = replies.map(({ status }) => status < 300)
      assert.ok(isSet.some(Boolean), JSON.stringify(codesOf(replies)))
      const works = await Promise.all(
        [OTHER, `${OTHER}!`, PASSWORD].map(async (password) => (await logIn(user.login, { password })).status === 200),
      )
      assert.equal(works.filter(Boolean).length, 1)
      assert.equal(works[2], false, 'the old password is gone')
      assert.equal((await world.nobody.post('/rest/account/confirm', { token, password: PASSWORD })).body.code, 309)
    })

    it('use a recovery code once', async () => {
      const { user, session } = await newSession()
      const { codes } = await addApp(session)
      const replies = await Promise.all([1, 2, 3, 4].map(() => logIn(user.login, { totp: codes[0] as string })))
      assert.deepEqual(codesOf(replies), [200, 311, 311, 311])
      assert.equal((await session.get('/rest/factor')).body.recovery_codes, 9)
    })

    it('leave one factor to a user who must have one', async () => {
      const { user, session } = await newSession()
      const apps = [await addApp(session)]
      const { body: offered } = await session.post('/rest/factor/totp', { name: 'second' })
      const code = codeOf(offered.secret, Math.floor(Date.now() / 30_000))
      assert.equal((await session.post('/rest/factor/totp/confirm', { id: offered.id, code })).status, 201)
      apps.push({ id: offered.id, codes: [] })
      const { name } = await world.newGroup()
      await world.ada.put(`/rest/user/${user.id}`, { groups: { add: [name] } })
      await world.withParameters({ factor_group: name }, async () => {
        const replies = await Promise.all(apps.map(({ id }) => session.delete(`/rest/factor/${id}`)))
        assert.equal(replies.filter(({ status }) => status === 200).length, 1, JSON.stringify(codesOf(replies)))
        assert.equal((await session.get('/rest/factor')).body.factors.length, 1)
      })
      const [left] = (await session.get('/rest/factor')).body.factors
      const twice = await Promise.all([1, 2].map(() => session.delete(`/rest/factor/${left.id}`)))
      assert.deepEqual(codesOf(twice), [200, 51])
    })

    it('link an identity of a provider with one of two accounts', async () => {
      const sessions = [await newSession(), await newSession()]
      provider.user = { sub: world.unique(`shared-${world.engine}`), email: 'shared@lacewing.test' }
      const begun: { flow: string; query: string }[] = []
      for (const { session } of sessions) {
        const { body } = await session.post('/rest/session/provider/corp')
        begun.push({ flow: body.flow, query: (await followProvider(body.url, world.url)).search })
      }
      const replies = await Promise.all(
        sessions.map(({ session }, index) => session.post('/rest/session/provider/corp/return', begun[index])),
      )
      assert.deepEqual(codesOf(replies), [201, 314])
      const links = []
      for (const { user, session } of sessions)
        links.push(...(await session.get(`/rest/user/${user.id}/provider`)).body.links)
      assert.equal(links.length, 1)
    })

    it('keep an administrator when two are made anonymous, and one of them disabled, by each other', async () => {
      const other = await world.newUser()
      await world.ada.put(`/rest/user/${other.id}`, { groups: { add: ['admin'] } })
      const { id: ada } = (await world.ada.get('/rest/whoami')).body
      const admins = async () =>
        (
          await world.db.query((q) =>
            q
              .selectFrom('user_group_grants')
              .innerJoin('groups', 'groups.id', 'user_group_grants.group_id')
              .innerJoin('users', 'users.id', 'user_group_grants.user_id')
              .select('users.id')
              .where('groups.name', '=', 'admin')
              .where('users.disabled_text', '=', ''),
          )
        ).map(({ id }) => id)
      const replies = await Promise.all([
        other.client.put(`/rest/user/${ada}`, { login_denied_text: 'Gone' }),
        world.ada.post(`/rest/user/${other.id}/anonymise`),
        world.ada.post(`/rest/user/${other.id}/anonymise`),
      ])
      assert.ok(
        replies.some(({ status }) => status < 300),
        JSON.stringify(codesOf(replies)),
      )
      assert.ok((await admins()).length > 0)
      await world.db.query((q) => q.updateTable('users').set({ disabled_text: '' }).where('id', '=', ada))
    })

    it('leave no name of a user who is made anonymous while they file, comment and log in', async () => {
      const { user, session } = await newSession()
      const bug = await fileBug(session, { summary: 'Before' })
      const filed = { product: 'TestProduct', component: 'TestComponent', summary: 'Last', version: 'unspecified' }
      await Promise.all([
        session.post('/rest/bug', filed),
        world.ada.post(`/rest/user/${user.id}/anonymise`),
        session.post(`/rest/bug/${bug}/comment`, { comment: 'Last' }),
        session.put(`/rest/bug/${bug}`, { cc: { add: [user.login] } }),
        logIn(user.login),
        session.post(`/rest/user/${user.id}/api_key`, { description: 'mine' }),
      ])
      for (const table of ['login_tokens', 'api_keys'] as const)
        assert.deepEqual(
          await world.db.query((q) => q.selectFrom(table).select('id').where('user_id', '=', user.id)),
          [],
        )
      assert.equal((await session.get('/rest/whoami')).status, 400)
      assert.equal((await user.client.get('/rest/whoami')).status, 400)
      const texts = [
        (await world.ada.get(`/rest/bug/${bug}`)).text,
        (await world.ada.get(`/rest/bug/${bug}/comment`)).text,
        (await world.ada.get(`/rest/bug/${bug}/history`)).text,
      ]
      assert.ok(!texts.join().includes(user.login), 'no login name is left in bug, comments and history')
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
