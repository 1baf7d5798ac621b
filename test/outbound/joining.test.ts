import assert from 'node:assert/strict'
import { after, beforeEach, it } from 'node:test'
import { readSettings } from '../../src/access/installation.ts'
import { confirmLink } from '../../src/people/accounts/use-link.ts'
import { passwordWork, withPasswordTurn } from '../../src/platform/secrets/passwords.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSent, mailSettled } from '../support/mail-settled.ts'
import type { ReceivedMail } from '../support/parse-mail.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeWithDelivery, itOnOneEngine } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

const OPEN = { createemailregexp: '@lacewing\\.test$', inbound_proxies: '127.0.0.1,::1' }
const PASSWORD = 'a quiet afternoon'

describeWithDelivery(
  'Links in mail',
  (world) => {
    beforeEach(async () => {
      await world.ada.put('/rest/parameters', OPEN)
      await mailSent(world)
      mailServer.clear()
    })

    const newAddress = () => `${world.unique('joiner')}@lacewing.test`
    const join = (email: string, client: Client = world.nobody) => client.post('/rest/account', { email })
    const forget = (login: string, client: Client = world.nobody) => client.post('/rest/account/password', { login })
    const confirm = (token: string, more: object = {}) =>
      world.nobody.post('/rest/account/confirm', { token, password: PASSWORD, ...more })
    const canLogIn = async (login: string, password = PASSWORD) =>
      (await world.nobody.get(`/rest/login?${new URLSearchParams({ login, password })}`)).status === 200

    async function mailTo(address: string): Promise<ReceivedMail[]> {
      await mailSent(world)
      const wanted = address.toLowerCase()
      return mailServer.notices.filter(({ recipients }) => recipients.some((it) => it.toLowerCase() === wanted))
    }

    const tokenIn = (message: ReceivedMail | undefined) =>
      /^http:\S+\/confirm#(\w{32})$/m.exec(message?.text ?? '')?.[1] ?? ''

    /** The newest token that was sent to the address. */
    const tokenFor = async (address: string) =>
      (await mailTo(address))
        .map(tokenIn)
        .filter((token) => token !== '')
        .at(-1) ?? ''

    /** As if the links had been requested that long ago. */
    async function age(login: string, hours: number) {
      const shifted = (time: string) => `${new Date(Date.parse(time) - hours * 3_600_000).toISOString().slice(0, 19)}Z`
      for (const { id, asked_at, expires_at } of await world.db.query((q) =>
        q.selectFrom('account_links').select(['id', 'asked_at', 'expires_at']).where('login', '=', login),
      ))
        await world.db.query((q) =>
          q
            .updateTable('account_links')
            .set({ asked_at: shifted(asked_at), expires_at: shifted(expires_at) })
            .where('id', '=', id),
        )
    }

    itOnOneEngine(world, 'leave turns for the passwords of others, however often one is used', async () => {
      const email = newAddress()
      await join(email)
      const token = await tokenFor(email)
      const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
      const occupied = [1, 2].map(() => withPasswordTurn({ keys: [], rank: 0 }, () => isOver))
      const settings = await readSettings(world.db)
      const choice = { token, password: PASSWORD, fullName: undefined, keepsOthers: false }
      // One more than may wait.
      const uses = Array.from({ length: 41 }, () => confirmLink(world.db, settings, choice))
      await Promise.any(uses.map((use) => use.then(Promise.reject, () => {})))
      end()
      await Promise.all(occupied)
      const refusals = (await Promise.allSettled(uses)).flatMap((it) =>
        it.status === 'rejected' ? it.reason.message : [],
      )
      assert.equal(refusals.filter((message) => message.includes('too busy')).length, 1)
      assert.ok(await canLogIn(email))
    })

    it('create an account with a confirmed address, once', async () => {
      const email = newAddress()
      const group = await world.newGroup({ user_regexp: `^${email}$` })
      const asked = await join(` ${email} `)
      assert.deepEqual([asked.status, asked.body], [202, { email, link_hours: 24 }])
      assertRefused(await world.ada.get(`/rest/user/${email}`), 404, 51)
      const token = await tokenFor(email)
      const stored = JSON.stringify(await world.db.query((q) => q.selectFrom('account_links').selectAll()))
      assert.ok(!stored.includes(token), 'only a digest is stored')
      const about = await world.nobody.post('/rest/account/link', { token })
      assert.deepEqual([about.body.kind, about.body.login, about.body.real_name], ['join', email, ''])

      for (const password of ['short', 'Passw0rd!', email, 'qwertz123', 'abc123xyz']) {
        const { status, body } = await confirm(token, { password })
        assert.ok(status === 400 && [305, 502].includes(body.code), password)
      }
      const replies = await Promise.all([1, 2, 3].map(() => confirm(token, { full_name: 'Jo\nJoiner' })))
      assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).sort(), [201, 309, 309])
      assertRefused(await confirm(token), 400, 309)
      assertRefused(await world.nobody.post('/rest/account/link', { token }), 400, 309)
      assert.ok(await canLogIn(email))
      const { body } = await world.ada.get(`/rest/user/${email}`)
      assert.equal(body.users[0].real_name, 'Jo Joiner')
      assert.deepEqual(
        body.users[0].groups.map(({ name }: { name: string }) => name),
        [group.name],
      )
      assert.ok(!JSON.stringify(world.logged).includes(token))
    })

    itOnOneEngine(world, 'are the same to those who ask, whether there is an account or not', async () => {
      const [missing, taken] = [newAddress(), (await world.newUser({ password: PASSWORD })).login]
      await mailSent(world)
      mailServer.clear()
      for (const ask of [join, forget]) {
        const [one, two] = [await ask(missing), await ask(taken)]
        assert.deepEqual({ ...one.body, email: '' }, { ...two.body, email: '' })
        assert.equal(one.status, two.status)
      }
      assert.deepEqual(
        (await mailTo(missing)).map(({ subject }) => subject),
        ['Create your account'],
      )
      const toOwner = await mailTo(taken)
      assert.deepEqual(toOwner.map(({ subject }) => subject).sort(), [
        'Choose a new password',
        'You have an account already',
      ])
      assert.equal(tokenIn(toOwner.find(({ subject }) => subject.startsWith('You have'))), '')
    })

    itOnOneEngine(world, 'count other spellings of a mailbox as the same', async () => {
      const user = await world.newUser({ password: PASSWORD })
      await mailSent(world)
      mailServer.clear()
      const [local, domain] = user.login.split('@')
      const spellings = [user.login.toUpperCase(), `${local}+other@${domain}`, `${local}+x+y@${domain?.toUpperCase()}`]
      for (const spelling of spellings) {
        await join(spelling)
        const [message] = await mailTo(spelling)
        assert.equal(message?.subject, 'You have an account already', spelling)
        assert.ok(message?.text.includes(user.login))
      }
      const unique = world.unique('j')
      await world.withParameters({ createemailregexp: '.*', emailregexp: '.*' }, async () => {
        for (const [existing, other] of [
          [`${unique}.o_x@googlemail.com`, `${unique}o_x+a@gmail.com`],
          [`${unique}.dot@lacewing.test.`, `${unique}.dot@lacewing.test`],
          [`${unique}+tag@lacewing.test`, `${unique}@lacewing.test`],
        ] as const) {
          await world.newUser({ email: existing })
          await join(other)
          const subjects = (await mailTo(other)).map(({ subject }) => subject)
          assert.deepEqual(subjects, ['You have an account already'], other)
        }
        for (const other of [`${unique}ox@lacewing.test`, `${unique}o_x@lacewing.test`, `${unique}dot@lacewing.test`]) {
          await join(other)
          assert.equal((await mailTo(other))[0]?.subject, 'Create your account', other)
        }
      })
      const email = newAddress()
      const tagged = email.replace('@', '+tag@')
      for (const address of [email, tagged]) await join(address)
      const [first, second] = [await tokenFor(email), await tokenFor(tagged)]
      const replies = await Promise.all([confirm(first), confirm(second)])
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400])
    })

    itOnOneEngine(world, 'are for those whom createemailregexp allows', async () => {
      assertRefused(await join('joiner@elsewhere.test'), 400, 501)
      assertRefused(await join('not an address'), 400, 501)
      assertRefused(await join(''), 400, 50)
      const email = newAddress()
      await join(email)
      const token = await tokenFor(email)
      await world.withParameters({ createemailregexp: '' }, async () => {
        assertRefused(await join(newAddress()), 400, 501)
        assertRefused(await confirm(token), 400, 501)
        assert.equal((await world.nobody.get('/rest/account/rules')).body.can_join, false)
      })
      await world.withParameters({ requirelogin: true }, async () => {
        assert.equal((await world.nobody.get('/rest/account/rules')).body.can_join, true)
        assert.equal((await confirm(token)).status, 201)
      })
    })

    itOnOneEngine(world, 'set a forgotten password, end every session, and say so', async () => {
      const user = await world.newUser({ password: 'the old one' })
      const session = await world.nobody.get(`/rest/login?login=${user.login}&password=the%20old%20one`)
      await mailSent(world)
      mailServer.clear()
      await forget(user.login)
      const first = await tokenFor(user.login)
      await forget(user.login.toUpperCase())
      const second = await tokenFor(user.login)
      const { body } = await confirm(second, { full_name: 'Not changed' })
      assert.deepEqual(body, { id: user.id, login: user.login, ended: { api_key: 1 } })
      for (const token of [first, second]) assertRefused(await confirm(token), 400, 309)
      assertRefused(await world.nobody.get(`/rest/whoami?token=${session.body.token}`), 400, 307)
      assert.ok((await canLogIn(user.login)) && !(await canLogIn(user.login, 'the old one')))
      assertRefused(await user.client.get('/rest/whoami'), 400, 306)
      assert.equal((await world.ada.get(`/rest/user/${user.id}`)).body.users[0].real_name, 'Somebody')
      const changed = (await mailTo(user.login)).find(({ subject }) => subject === 'Your password was changed')
      assert.match(changed?.text ?? '', /\nBy: you\n/)
    })

    itOnOneEngine(world, 'do not work when they are expired, guessed, or of an account that has changed', async () => {
      for (const token of ['x', 'KGlBkzDlO0h3TCU8rzSVhXVlH7UjkQGw', `${'a'.repeat(5000)}`, "' or 1=1 --", '%', '1'])
        assertRefused(await confirm(token), 400, 309)
      const before = passwordWork.derivations
      assertRefused(await confirm('KGlBkzDlO0h3TCU8rzSVhXVlH7UjkQGx'), 400, 309)
      assert.equal(passwordWork.derivations, before, 'nothing is hashed for a wrong token')
      const late = newAddress()
      await join(late)
      const lateToken = await tokenFor(late)
      await age(late, 25)
      assertRefused(await confirm(lateToken), 400, 309)
      for (const change of [
        { login_denied_text: 'Gone' },
        { email: newAddress() },
        { password: 'set by an administrator' },
      ]) {
        const user = await world.newUser({ password: PASSWORD })
        await forget(user.login)
        const token = await tokenFor(user.login)
        assert.equal((await world.ada.put(`/rest/user/${user.id}`, change)).status, 200)
        assertRefused(await confirm(token), 400, 309)
      }
      const disabled = await world.newUser({ password: PASSWORD })
      await world.ada.put(`/rest/user/${disabled.id}`, { login_denied_text: 'Gone' })
      await mailSent(world)
      mailServer.clear()
      await forget(disabled.login)
      assert.deepEqual(await mailTo(disabled.login), [])
    })

    itOnOneEngine(
      world,
      'belong to one person: the link of another changes only the account of that other',
      async () => {
        const [mine, theirs] = [
          await world.newUser({ password: PASSWORD }),
          await world.newUser({ password: PASSWORD }),
        ]
        await forget(theirs.login)
        const token = await tokenFor(theirs.login)
        const { body } = await mine.client.post('/rest/account/confirm', { token, password: 'chosen by mine' })
        assert.equal(body.id, theirs.id)
        assert.ok((await canLogIn(mine.login)) && (await canLogIn(theirs.login, 'chosen by mine')))
      },
    )

    it('invite a user whose account has no password yet', async () => {
      const email = newAddress()
      const { body } = await world.uma.post('/rest/user', { email, full_name: 'As typed' })
      const [message] = await mailTo(email)
      assert.equal(message?.subject, 'You have an account')
      const token = tokenIn(message)
      const about = await world.nobody.post('/rest/account/link', { token })
      assert.deepEqual([about.body.kind, about.body.real_name], ['invite', 'As typed'])
      assert.equal((await confirm(token, { full_name: 'As chosen' })).body.id, body.id)
      assert.ok(await canLogIn(email))
      assert.equal((await world.ada.get(`/rest/user/${email}`)).body.users[0].real_name, 'As chosen')
      const late = newAddress()
      await world.uma.post('/rest/user', { email: late })
      const lateToken = await tokenFor(late)
      await age(late, 15 * 24)
      assertRefused(await confirm(lateToken), 400, 309)
      await forget(late)
      assert.equal((await confirm(await tokenFor(late))).status, 201)
    })

    itOnOneEngine(world, 'are limited per mailbox, without closing it to its owner, and per network', async () => {
      const { login } = await world.newUser({ password: PASSWORD })
      await mailSent(world)
      mailServer.clear()
      for (let time = 0; time < 8; time++) assert.equal((await forget(login.replace('@', `+${time}@`))).status, 202)
      await Promise.all(Array.from({ length: 20 }, () => forget(login)))
      const mails = await mailTo(login)
      assert.equal(mails.length, 5)
      assert.equal((await confirm(tokenIn(mails[0]))).status, 201, 'the first link still works')
      const email = newAddress()
      await Promise.all(Array.from({ length: 20 }, (_, time) => join(email.replace('@', `+${time}@`))))
      await mailSent(world)
      const joining = mailServer.notices.filter(({ subject }) => subject === 'Create your account')
      assert.equal(joining.length, 5, 'spellings of one mailbox are counted together')

      await world.withParameters({ account_mails_per_network: 2 }, async () => {
        const from = (address: string) => world.as({ 'X-Forwarded-For': address })
        const ask = (address: string) => join(newAddress(), from(address))
        assert.equal((await ask('2001:db8:1:1::1')).status, 202)
        assert.equal((await ask('2001:db8:1:1:ffff::2')).status, 202)
        const refused = await ask('2001:db8:1:1:abcd::3')
        assertRefused(refused, 429, 32000)
        assert.equal(refused.headers.get('retry-after'), '3600')
        assert.equal((await ask('2001:db8:1:2::1')).status, 202)
        const atOnce = await Promise.all(Array.from({ length: 20 }, (_, host) => ask(`2001:db8:1:3::${host}`)))
        assert.equal(atOnce.filter(({ status }) => status === 202).length, 2)
      })
    })

    itOnOneEngine(
      world,
      'are not all that is limited: a new account causes only so much mail, and then writes nothing more',
      async () => {
        const user = await world.newUser()
        const at = `${new Date().toISOString().slice(0, 19)}Z`
        await world.db.query((q) => q.updateTable('users').set({ joined_at: at }).where('id', '=', user.id))
        const copied = [cast.stan.login, cast.sven.login, cast.rhea.login]
        await world.withParameters({ new_account_mails: 3 }, async () => {
          const bug = await fileBug(world.ada, { cc: copied, assigned_to: cast.edna.login })
          await mailSettled(world)
          const sent = () => mailServer.messages.filter(({ subject }) => subject.includes(`Bug ${bug}]`)).length
          const before = sent()
          const comment = (_: unknown, time: number) =>
            user.client.post(`/rest/bug/${bug}/comment`, { comment: `Number ${time}` })
          await Promise.all(Array.from({ length: 20 }, comment))
          await mailSettled(world)
          assert.equal(sent() - before, 3)
          assertRefused(await user.client.post(`/rest/bug/${bug}/comment`, { comment: 'More' }), 429, 32000)
          assert.equal((await world.ada.post(`/rest/bug/${bug}/comment`, { comment: 'Of another' })).status, 201)
          await mailSettled(world)
          assert.ok(sent() - before > 5, 'others are not limited')
        })
      },
    )
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
