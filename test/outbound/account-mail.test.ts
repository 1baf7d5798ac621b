import assert from 'node:assert/strict'
import { after, beforeEach, it } from 'node:test'
import { reply, TestMailServer } from '../support/mail-server.ts'
import { mailSent } from '../support/mail-settled.ts'
import { inPages, OAuthProgram } from '../support/oauth.ts'
import type { ReceivedMail } from '../support/parse-mail.ts'
import { type Client, describeDeliveryOnOneEngine } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

describeDeliveryOnOneEngine(
  'Mail about accounts',
  (world) => {
    beforeEach(async () => {
      mailServer.clear()
      await mailSent(world)
      mailServer.clear()
    })

    async function noticesTo(address: string): Promise<ReceivedMail[]> {
      await mailSent(world)
      return mailServer.notices.filter(({ recipients }) => recipients.includes(address))
    }

    /** A user who has already got the mail about their account. */
    async function person() {
      const user = await world.newUser({ password: 'plainwords1' })
      await mailSent(world)
      mailServer.clear()
      return user
    }

    async function guessWrong(login: string, times: number, from = '203.0.113.1') {
      const guesser = world.as({ 'X-Forwarded-For': from })
      for (let time = 0; time < times; time++)
        await guesser.get(`/rest/login?login=${encodeURIComponent(login)}&password=wrong${time}`)
    }
    const watched = { maintainer: 'keeper@elsewhere.test', inbound_proxies: '127.0.0.1,::1' }

    it('notifies a user of their new account, without the password', async () => {
      const email = `${world.unique('new')}@lacewing.test`
      const made = { email, full_name: 'Evil\r\nBcc: all@lacewing.test', password: 'openbarley1' }
      assert.equal((await world.uma.post('/rest/user', made)).status, 201)
      const [message, ...more] = await noticesTo(email)
      assert.deepEqual(more, [])
      assert.equal(message?.subject, 'You have an account')
      assert.match(message?.text ?? '', /^Uma Useradmin \(uma@lacewing\.test\) has created an account for you at http:/)
      assert.ok(message?.text.includes(`Your login name is ${email}\n`))
      assert.ok(!message?.raw.includes('openbarley1'))
      assert.equal(message?.headers.has('bcc'), false)
      assert.deepEqual(message?.headers.get('auto-submitted'), ['auto-generated'])
      assert.deepEqual(message?.headers.get('x-bugzilla-type'), ['admin'])
      assert.deepEqual(mailServer.messages, [])
    })

    it('names the installation before each subject and in its first sentence, and the user who invites', async () => {
      await world.ada.put('/rest/user/uma@lacewing.test', { full_name: 'Uma <b>\u202e' })
      const invite = async () => {
        const email = `${world.unique('invited')}@lacewing.test`
        assert.equal((await world.uma.post('/rest/user', { email })).status, 201)
        return (await noticesTo(email))[0]
      }
      const named = { site_name: 'Sky \u202e<i>Lärk', urlbase: 'https://bugs.sky.test/' }
      await world.withParameters(named, async () => {
        const place = 'Sky <i>Lärk, https://bugs.sky.test/'
        const invited = await invite()
        assert.equal(invited?.subject, '[Sky <i>Lärk] You have an account')
        assert.ok(
          invited?.text.startsWith(`Uma <b> (uma@lacewing.test) has created an account for you at ${place}\n`),
          invited?.text,
        )
        const user = await person()
        await user.client.post(`/rest/user/${user.id}/api_key`, { description: 'Night job' })
        const hook = await user.client.post('/rest/webhook', { url: 'http://127.0.0.1:9/', is_active: false })
        assert.equal(hook.status, 201, hook.text)
        await world.ada.put(`/rest/user/${user.id}`, { password: 'plainwords2' })
        await world.nobody.post('/rest/account/password', { login: user.login })
        const notices = await noticesTo(user.login)
        assert.equal(notices.length, 4)
        for (const { subject, text } of notices) {
          assert.ok(subject.startsWith('[Sky <i>Lärk] '), subject)
          assert.ok(text.split('\n')[0]?.includes(place), text)
        }
        // Who is invited is not logged in yet, and may see no address as others who are not.
        await world.withParameters({ webservice_email_filter: true }, async () => {
          const text = (await invite())?.text ?? ''
          assert.ok(text.startsWith('Uma <b> has created') && !text.includes('uma@'), text)
          await world.ada.put('/rest/user/uma@lacewing.test', { full_name: '' })
          assert.match((await invite())?.text ?? '', /^Another user has created/)
        })
        // Users who are hidden from each other.
        await world.withParameters({ usevisibilitygroups: true }, async () => {
          mailServer.clear()
          await world.ada.put(`/rest/user/${user.id}`, { password: 'plainwords3' })
          assert.match((await noticesTo(user.login))[0]?.text ?? '', /^By: Administrator$/m)
        })
      })
      await world.ada.put('/rest/user/uma@lacewing.test', { full_name: 'Uma Useradmin' })
    })

    it('is not sent about an account that was refused', async () => {
      const { login } = await person()
      assert.equal((await world.uma.post('/rest/user', { email: login, password: 'plainwords1' })).status, 400)
      assert.deepEqual(await noticesTo(login), [])
    })

    it('notifies the owner of a new API key, the user who created it, without the key', async () => {
      const user = await person()
      const description = 'Night job\r\nBcc: all@lacewing.test\r\n\r\nSigned: the administrator'
      const own = await user.client.post(`/rest/user/${user.id}/api_key`, { description, scopes: ['read'] })
      assert.equal(own.status, 201, own.text)
      const other = await world.ada.post(`/rest/user/${user.id}/api_key`, { description: 'From above' })
      const [first, second, ...more] = await noticesTo(user.login)
      assert.deepEqual(more, [])
      assert.equal(first?.subject, 'Your account has a new API key')
      assert.match(first?.text ?? '', /\nBy: {10}you\n/)
      assert.match(first?.text ?? '', /\nDescription: Night job.*Signed: the administrator\n/)
      assert.match(first?.text ?? '', /\nScopes: {6}read\n/)
      assert.equal(first?.headers.has('bcc'), false)
      assert.match(second?.text ?? '', /\nBy: {10}Administrator \(ada@lacewing\.test\)\n/)
      for (const { raw } of [first, second] as ReceivedMail[])
        for (const { body } of [own, other]) assert.ok(!raw.includes(body.api_key))
    })

    it('notifies the user whose account a program may use, once, with the name that the program gives itself', async () => {
      const user = await world.newUser({ password: 'a quiet afternoon' })
      const program = await OAuthProgram.register(world, { client_name: 'Night job\r\nBcc: all@lacewing.test' })
      const tokens = await program.accessOf(await inPages(world, user.login, 'a quiet afternoon'))
      await program.refresh(tokens.refresh_token)
      const [notice, ...more] = (await noticesTo(user.login)).filter(({ subject }) => /program|key/.test(subject))
      assert.deepEqual([notice?.subject, more], ['A program can use your account', []])
      assert.match(notice?.text ?? '', /\nCalls itself: Night job Bcc: all@lacewing\.test\n/)
      assert.match(notice?.text ?? '', /\nScopes: {7}read, write\n.*\/settings\/access\n/s)
      assert.equal(notice?.headers.has('bcc'), false)
      for (const secret of [tokens.access_token, tokens.refresh_token]) assert.ok(!notice?.raw.includes(secret))
    })

    it('notifies the owner of an API key that gets another scope or a later end, and of no other change', async () => {
      const user = await person()
      const keys = `/rest/user/${user.id}/api_key` as const
      const end = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, '')
      const { body } = await user.client.post(keys, {
        description: 'Narrow',
        scopes: ['read', 'write'],
        expires_at: end,
      })
      await noticesTo(user.login)
      mailServer.clear()
      const change = async (client: Client, changes: object) => {
        const reply = await client.put(`${keys}/${body.id}`, changes)
        assert.equal(reply.status, 200, reply.text)
      }
      await change(user.client, { description: 'Renamed\r\nBcc: all@lacewing.test' })
      await change(user.client, { scopes: ['read'] })
      assert.deepEqual(await noticesTo(user.login), [])
      await change(user.client, { scopes: ['read', 'write'] })
      const { token } = (await world.nobody.get(`/rest/login?login=${user.login}&password=plainwords1`)).body
      const session = world.as({ 'X-TRACKER-TOKEN': token })
      await change(session, { expires_at: end.replace(/^\d+/, (year) => String(Number(year) + 1)) })
      const [scope, later, ...more] = await noticesTo(user.login)
      assert.deepEqual(more, [])
      assert.equal(scope?.subject, 'An API key of your account may do more')
      assert.match(scope?.text ?? '', /^By: +you, with the API key /m)
      assert.match(scope?.text ?? '', /^Description: Renamed Bcc: all@lacewing\.test$/m)
      assert.match(scope?.text ?? '', /^Scopes: +read, write$/m)
      assert.match(later?.text ?? '', /^By: +you$/m)
    })

    it('notifies the old and the new address of a new login name', async () => {
      const user = await person()
      const email = `${world.unique('renamed')}@lacewing.test`
      assert.equal((await world.uma.put(`/rest/user/${user.id}`, { email })).status, 200)
      for (const address of [user.login, email]) {
        const [message, ...more] = await noticesTo(address)
        assert.deepEqual(more, [])
        assert.equal(message?.subject, 'Your login name was changed')
        assert.ok(message?.text.includes(`\nBefore: ${user.login}\nNow:    ${email}\n`))
        assert.match(message?.text ?? '', /\nBy: {5}Uma Useradmin \(uma@lacewing\.test\)\n/)
      }
      mailServer.clear()
      const louder = email.replace('renamed', 'RENAMED')
      await world.uma.put(`/rest/user/${user.id}`, { email: louder, full_name: 'Louder' })
      await world.uma.put(`/rest/user/${user.id}`, { full_name: 'Quiet' })
      await mailSent(world)
      assert.deepEqual(
        mailServer.notices.map(({ recipients }) => recipients),
        [[louder]],
      )
    })

    it('notifies a user whose password was changed or removed, but not of a first one', async () => {
      const user = await person()
      const subjectsAfter = async (password: string) => {
        mailServer.clear()
        assert.equal((await world.ada.put(`/rest/user/${user.id}`, { password })).status, 200)
        return (await noticesTo(user.login)).map(({ subject }) => subject)
      }
      assert.deepEqual(await subjectsAfter('plainwords2'), ['Your password was changed'])
      assert.deepEqual(await subjectsAfter(''), ['Your password was removed'])
      assert.deepEqual(await subjectsAfter('plainwords3'), [])
    })

    it('notifies the maintainer of a locked account, once for all addresses', async () => {
      const user = await person()
      await world.withParameters(watched, async () => {
        await guessWrong(user.login, 4)
        assert.deepEqual(await noticesTo(watched.maintainer), [])
        await guessWrong(user.login.toUpperCase(), 3)
        for (const other of ['203.0.113.2', '203.0.113.0']) await guessWrong(user.login, 6, other)
        const [message, ...more] = await noticesTo(watched.maintainer)
        assert.deepEqual(more, [])
        assert.equal(message?.subject, `The account ${user.login} was locked out`)
        assert.match(message?.text ?? '', /\nFrom: {4}203\.0\.113\.1\n/)
        assert.ok(!message?.raw.includes('wrong4'))
        assert.deepEqual(await noticesTo(user.login), [])
        mailServer.clear()
        const other = await person()
        const stranger = world.as({ 'X-Forwarded-For': '203.0.113.3' })
        const guesses = [1, 2, 3, 4, 5].map((guess) => `login=${other.login}&password=another${guess}`)
        await Promise.all(guesses.map((guess) => stranger.get(`/rest/login?${guess}`)))
        assert.equal((await noticesTo(watched.maintainer)).length, 1, 'once for failures at the same time')
      })
    })

    it('is not sent about successful logins, missing accounts, or without a maintainer', async () => {
      const [user, other] = [await person(), await person()]
      await world.withParameters(watched, async () => {
        await guessWrong(user.login, 4)
        const { status } = await world
          .as({ 'X-Forwarded-For': '203.0.113.1' })
          .get(`/rest/login?login=${encodeURIComponent(user.login)}&password=plainwords1`)
        assert.equal(status, 200)
        await guessWrong('nosuchperson@lacewing.test', 6)
        await mailSent(world)
      })
      await world.withParameters({ ...watched, maintainer: '' }, async () => {
        await guessWrong(other.login, 6)
        await mailSent(world)
      })
      assert.deepEqual(mailServer.notices, [])
    })

    it('is not sent to disabled accounts, but to users without mail about bugs', async () => {
      const [gone, keeper, deaf] = [await person(), await person(), await person()]
      for (const { id } of [gone, keeper]) await world.uma.put(`/rest/user/${id}`, { login_denied_text: 'They left.' })
      await world.uma.put(`/rest/user/${deaf.id}`, { email_enabled: false })
      for (const { id } of [gone, deaf]) await world.ada.post(`/rest/user/${id}/api_key`, { description: 'Another' })
      await world.uma.put(`/rest/user/${gone.id}`, { email: `${world.unique('gone')}@lacewing.test` })
      await world.withParameters({ ...watched, maintainer: keeper.login }, async () => {
        await guessWrong(deaf.login, 5)
        await mailSent(world)
      })
      assert.deepEqual(
        mailServer.notices.map(({ recipients }) => recipients),
        [[deaf.login]],
      )
    })

    it('is in no feed', async () => {
      const { next_cursor } = (await world.ada.get('/rest/event')).body
      const user = await person()
      await world.uma.put(`/rest/user/${user.id}`, { email: `${world.unique('fed')}@lacewing.test` })
      await mailSent(world)
      assert.deepEqual((await world.ada.get(`/rest/event?after=${next_cursor}`)).body.events, [])
    })

    it('is in the undelivered list if it could not be delivered, and can be sent again', async () => {
      const user = await person()
      mailServer.onRecipient = async () => {
        throw reply(550, 'No such mailbox')
      }
      const email = `${world.unique('refused')}@lacewing.test`
      await world.ada.post(`/rest/user/${user.id}/api_key`, { description: 'Another' })
      await world.uma.put(`/rest/user/${user.id}`, { email })
      await mailSent(world)
      const { body } = await world.ada.get('/rest/mail/undelivered')
      assert.deepEqual(
        body.messages.map(({ to, bug_id, about }: Record<string, unknown>) => [to, bug_id, about]).toSorted(),
        [
          [email, null, 'account'],
          [email, null, 'account'],
          [user.login, null, 'account'],
        ].toSorted(),
      )
      mailServer.onRecipient = async () => {}
      assert.equal((await world.ada.post('/rest/mail/undelivered/retry')).body.ids.length, 3)
      assert.equal((await noticesTo(email)).length, 2)
      assert.equal((await noticesTo(user.login)).length, 1)
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
