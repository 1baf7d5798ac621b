import assert from 'node:assert/strict'
import { after, beforeEach, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSent } from '../support/mail-settled.ts'
import type { ReceivedMail } from '../support/parse-mail.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeWithDelivery, itOnOneEngine } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

const PASSWORD = 'plainwords1'

describeWithDelivery(
  'One’s own address',
  (world) => {
    beforeEach(async () => {
      await mailSent(world)
      mailServer.clear()
    })

    const newAddress = () => `${world.unique('moved')}@lacewing.test`

    async function person() {
      const user = await world.newUser({ password: PASSWORD })
      await mailSent(world)
      mailServer.clear()
      return user
    }

    async function noticesTo(address: string): Promise<ReceivedMail[]> {
      await mailSent(world)
      return mailServer.notices.filter(({ recipients }) => recipients.includes(address))
    }

    function ask(user: { id: number; client: Client }, email: string) {
      return user.client.put(`/rest/user/${user.id}`, { email, old_password: PASSWORD })
    }

    /** The code in the newest mail to the address. */
    async function codeFor(address: string): Promise<string> {
      const message = (await noticesTo(address)).at(-1)
      return /^Code: +(\S+)$/m.exec(message?.text ?? '')?.[1] ?? ''
    }

    function confirm(user: { id: number; client: Client }, email_code: string) {
      return user.client.put(`/rest/user/${user.id}`, { email_code })
    }

    async function loginOf(user: { client: Client }) {
      return (await user.client.get('/rest/whoami')).body.name
    }

    itOnOneEngine(world, 'changes only after confirmation with the code that was sent to the new one', async () => {
      const user = await person()
      const email = newAddress()
      const group = await world.newGroup({ user_regexp: `^${email}$` })
      const reply = await ask(user, ` ${email} `)
      assert.deepEqual(reply.body, { users: [{ id: user.id, changes: {}, email_to_confirm: email }] })
      assert.equal(await loginOf(user), user.login)

      const [message, ...more] = await noticesTo(email)
      assert.deepEqual(more, [])
      assert.equal(message?.subject, 'Confirm your new address')
      assert.ok(message?.text.includes(user.login))
      const code = await codeFor(email)
      assert.match(code, /^[0-9a-f]{32}$/)

      const session = await world.nobody.get(`/rest/login?login=${user.login}&password=${PASSWORD}`)
      const { status, body } = await confirm(user, code)
      assert.equal(status, 200)
      assert.deepEqual(body.users[0].changes, { email: { removed: user.login, added: email } })
      const { name, groups } = (await user.client.get('/rest/whoami')).body
      assert.equal(name, email)
      assert.ok(groups.some((it: { name: string }) => it.name === group.name))
      assertRefused(await world.nobody.get(`/rest/whoami?token=${session.body.token}`), 400, 307)
      assertRefused(await confirm(user, code), 400, 53)
      for (const address of [user.login, email])
        assert.ok((await noticesTo(address)).some(({ subject }) => subject === 'Your login name was changed'))
    })

    itOnOneEngine(world, 'is announced to the old address at once, without the code', async () => {
      const user = await person()
      const email = newAddress()
      await ask(user, email)
      const [message, ...more] = await noticesTo(user.login)
      assert.deepEqual(more, [])
      assert.equal(message?.subject, 'A new address was requested for your account')
      assert.ok(message?.text.includes(email))
      assert.ok(!message?.raw.includes(await codeFor(email)))
    })

    itOnOneEngine(world, 'has a code that is not stored and is valid for one account', async () => {
      const [user, other] = [await person(), await person()]
      const email = newAddress()
      await ask(user, email)
      const code = await codeFor(email)
      await ask(other, newAddress())
      assertRefused(await confirm(other, code), 400, 53)
      for (const wrong of ['', 'x', `${code}0`, code.slice(1), `0${code.slice(1)}`.replace(code, 'x')])
        assertRefused(await confirm(user, wrong), 400, 53)
      const stored = await Promise.all([
        world.db.query((q) => q.selectFrom('email_changes').selectAll()),
        world.db.query((q) => q.selectFrom('jobs').selectAll()),
        world.db.query((q) => q.selectFrom('audit_log').selectAll()),
      ])
      assert.ok(!JSON.stringify([stored, world.logged]).includes(code))
      assert.equal((await confirm(user, code)).status, 200)
    })

    it('is accepted only from the newest request, within three days', async () => {
      const user = await person()
      const [first, second] = [newAddress(), newAddress()]
      await ask(user, first)
      const old = await codeFor(first)
      await ask(user, second)
      const code = await codeFor(second)
      assertRefused(await confirm(user, old), 400, 53)
      const askedAt = (at: string) =>
        world.db.query((q) => q.updateTable('email_changes').set({ asked_at: at }).where('user_id', '=', user.id))
      const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\..*/, 'Z')
      await askedAt(daysAgo(3.01))
      assertRefused(await confirm(user, code), 400, 53)
      await askedAt(daysAgo(2.99))
      assert.equal((await confirm(user, code)).status, 200)
      assert.equal(await loginOf(user), second)
    })

    itOnOneEngine(
      world,
      'is no longer accepted after a change of password or login name, or if the account is disabled',
      async () => {
        for (const change of [
          { password: 'plainwords2' },
          { email: newAddress() },
          { login_denied_text: 'On leave' },
        ] as const) {
          const user = await person()
          const email = newAddress()
          await ask(user, email)
          const code = await codeFor(email)
          await world.uma.put(`/rest/user/${user.id}`, change)
          await world.uma.put(`/rest/user/${user.id}`, { login_denied_text: '' })
          assertRefused(await confirm(user, code), 400, 53)
        }
      },
    )

    itOnOneEngine(world, 'does not reveal whether another user has the new one', async () => {
      const user = await person()
      const [free, taken] = [await ask(user, newAddress()), await ask(user, cast.stan.login)]
      assert.deepEqual([taken.status, Object.keys(taken.body.users[0])], [free.status, Object.keys(free.body.users[0])])
      assertRefused(await confirm(user, await codeFor(cast.stan.login)), 400, 500)
      assert.equal(await loginOf(user), user.login)
    })

    it('is given to one of two users who confirm the same one at once', async () => {
      const [one, two] = [await person(), await person()]
      const email = newAddress()
      await ask(one, email)
      const first = await codeFor(email)
      await ask(two, email)
      const second = await codeFor(email)
      const replies = await Promise.all([confirm(one, first), confirm(two, second)])
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
    })

    itOnOneEngine(world, 'needs the password, a valid address, and unrestricted credentials', async () => {
      const user = await person()
      const path = `/rest/user/${user.id}` as const
      const email = newAddress()
      assertRefused(await user.client.put(path, { email }), 400, 50)
      assertRefused(await user.client.put(path, { email, old_password: 'wrong' }), 401, 300)
      assertRefused(await ask(user, 'no address'), 400, 501)
      assertRefused(await ask(user, ''), 400, 50)
      const { body } = await user.client.post(`${path}/api_key`, { expires_at: '2099-01-01' })
      const limited = { id: user.id, client: world.as({ 'X-TRACKER-API-KEY': body.api_key }) }
      assertRefused(await ask(limited, email), 401, 304)
      assert.deepEqual((await ask(user, user.login)).body, { users: [{ id: user.id, changes: {} }] })
      assertRefused(await user.client.put(path, { email_code: 'x', email, old_password: PASSWORD }), 400, 53)
      assert.deepEqual(await noticesTo(email), [])
    })

    itOnOneEngine(world, 'cannot be changed while allowemailchange is off', async () => {
      const user = await person()
      const email = newAddress()
      await ask(user, email)
      const code = await codeFor(email)
      await world.withParameters({ allowemailchange: false }, async () => {
        assertRefused(await ask(user, newAddress()), 401, 304)
        assertRefused(await confirm(user, code), 401, 304)
        assert.equal((await world.uma.put(`/rest/user/${user.id}`, { full_name: 'Renamed' })).status, 200)
      })
      assert.equal((await confirm(user, code)).status, 200)
    })

    itOnOneEngine(world, 'can be requested five times a day', async () => {
      const user = await person()
      for (let times = 0; times < 5; times++) assert.equal((await ask(user, newAddress())).status, 200)
      const sixth = newAddress()
      assertRefused(await ask(user, sixth), 400, 32000)
      assert.deepEqual(await noticesTo(sixth), [])
    })

    itOnOneEngine(world, 'that would take the last administrator out of admin is refused', async () => {
      const chief = await world.newUser({ password: PASSWORD, email: `${world.unique('chief')}@lacewing.test` })
      const chiefs = await world.newGroup({ user_regexp: `^${chief.login}$` })
      await world.ada.put('/rest/group/admin', { member_groups: { add: [chiefs.name] } })
      await chief.client.put('/rest/user/1', { groups: { remove: ['admin'] } })
      const email = newAddress()
      await ask(chief, email)
      assertRefused(await confirm(chief, await codeFor(email)), 400, 32000)
      await chief.client.put('/rest/user/1', { groups: { add: ['admin'] } })
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
