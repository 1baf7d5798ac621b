import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { attach } from '../support/attach.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSettled } from '../support/mail-settled.ts'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeWithDelivery, itOnOneEngine, type World } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

type Person = Awaited<ReturnType<World['newUser']>>

describeWithDelivery(
  'GET /rest/user/(self)/mail/preview',
  (world) => {
    const person = () => newMember(world, 'editbugs', 'canconfirm')
    const preview = async ({ client, id }: Person) => {
      const { status, body, text } = await client.get(`/rest/user/${id}/mail/preview`)
      assert.equal(status, 200, text)
      return body
    }
    const choose = async ({ client, id }: Person, wanted: object) =>
      assert.equal((await client.put(`/rest/user/${id}/mail`, wanted)).status, 200)
    const sentTo = ({ login }: Person) =>
      mailServer.messages.filter(({ recipients, text }) => recipients.includes(login) && /\bbug\b/i.test(text)).length
    const watch = (watcher: Person, ...logins: string[]) => choose(watcher, { watched_users: { add: logins } })

    before(async () => {
      mailServer.clear()
      await world.ada.put('/rest/parameters', { insidergroup: 'security', useqacontact: '1' })
    })

    itOnOneEngine(world, 'counts what was sent, in every role, and nothing that the user may not see', async () => {
      const [assignee, reporter, copied, lost, watcher] = [
        await person(),
        await person(),
        await person(),
        await person(),
        await person(),
      ]
      const [curious, asked, off, ignoring, dependent] = [
        await person(),
        await person(),
        await person(),
        await person(),
        await person(),
      ]
      const people = [assignee, reporter, copied, lost, watcher, curious, asked, off, ignoring, dependent]
      await watch(watcher, assignee.login, lost.login)
      await choose(curious, { preferences: { cc: { own_changes: true, cc: true, comment: false } } })
      await world.ada.put(`/rest/user/${off.id}`, { email_enabled: false })
      const type = await newType(world, { is_requestable: true, is_requesteeble: true, cc_list: [copied.login] })
      const bug = await fileBug(reporter.client, {
        assigned_to: lost.login,
        cc: [copied.login, curious.login, off.login, ignoring.login],
      })
      await choose(ignoring, { ignored_bugs: { add: [bug] } })
      await changeBug(world.edna, bug, { assigned_to: assignee.login, comment: { body: 'Yours now.' } })
      await changeBug(curious.client, bug, { priority: 'High', cc: { remove: [curious.login] } })
      await changeBug(assignee.client, bug, { flags: [{ name: type.name, status: '?', requestee: asked.login }] })
      await changeBug(asked.client, bug, { flags: [{ name: type.name, status: '+' }] })
      await attach(world.edna, bug, { summary: 'A log' })
      await changeBug(world.ada, bug, { comment: { body: 'Only for insiders.', is_private: true } })
      await fileBug(dependent.client, { depends_on: [bug] })
      await changeBug(world.edna, bug, { status: 'RESOLVED', resolution: 'FIXED' })
      const { name: product } = await newHiddenProduct(world)
      const hidden = await fileBug(world.ada, { product, component: 'Core', assigned_to: assignee.login })
      await changeBug(world.ada, hidden, { cc: { add: [watcher.login] }, is_cc_accessible: false })
      await mailSettled(world)
      for (const [place, one] of people.entries()) {
        const { present } = await preview(one)
        assert.equal(present, sentTo(one), `person ${place}`)
      }
      const counts = await preview(assignee)
      assert.deepEqual([counts.at_least, counts.email_enabled, counts.presets.nothing], [false, true, 0])
      assert.ok(counts.presets.everything > counts.present && counts.present > counts.presets.concerns_me)
      assert.equal((await preview(asked)).presets.requests, 1)
      assert.equal((await preview(asked)).presets.nothing, 0)
      assert.deepEqual((await preview(off)).presets, { everything: 0, concerns_me: 0, requests: 0, nothing: 0 })
      assert.equal((await preview(off)).email_enabled, false)
      assert.equal((await preview(copied)).presets.nothing, 2, 'addresses of a flag type always get mail')
    })

    it('follows the rights of now, and counts only the last seven days', async () => {
      const [one, watcher] = [await person(), await person()]
      await watch(watcher, one.login)
      const bug = await fileBug(world.edna, { assigned_to: one.login })
      assert.deepEqual([(await preview(one)).present, (await preview(watcher)).present], [1, 1])
      const { name: product } = await newHiddenProduct(world)
      const move = { product, component: 'Core', version: '1.0', target_milestone: '---' }
      await changeBug(world.ada, bug, move)
      assert.equal((await preview(watcher)).presets.everything, 0)
      await world.ada.put(`/rest/user/${watcher.id}`, { groups: { add: ['security'] } })
      assert.equal((await preview(watcher)).presets.everything, 2)
      const old = new Date(Date.now() - 8 * 86_400_000).toISOString().replace(/\.\d+/, '')
      await world.db.query((q) => q.updateTable('outbox').set({ at: old }))
      assert.equal((await preview(watcher)).presets.everything, 0)
      await changeBug(world.ada, bug, { priority: 'Low' })
      assert.equal((await preview(watcher)).presets.everything, 1)
      const [since, weekAgo] = [Date.parse((await preview(watcher)).since), Date.now() - 7 * 86_400_000]
      assert.ok(Math.abs(since - weekAgo) < 60_000, 'it says since when')
      const forgotten = { name: 'forgotten', position: 1, lease: '', leased_until: '' }
      await world.db.query((q) => q.insertInto('consumers').values(forgotten))
      const later = async () => Date.parse((await preview(watcher)).since) - weekAgo > 86_400_000
      assert.equal(await later(), false, 'what is older than a week does not matter')
      await world.db.query((q) => q.deleteFrom('outbox').where('at', '=', old))
      assert.equal(await later(), true, 'there are no older events')
      await world.db.query((q) => q.deleteFrom('consumers').where('name', '=', 'forgotten'))
    })

    itOnOneEngine(world, 'counts at most 2000 events, and says so', async () => {
      const one = await person()
      const bug = await fileBug(world.edna, { assigned_to: one.login })
      const [event] = await world.db.query((q) => q.selectFrom('outbox').selectAll().where('bug_id', '=', bug))
      assert.ok(event)
      const { id: _, position: __, ...copy } = event
      for (let part = 0; part < 21; part++)
        await world.db.query((q) => q.insertInto('outbox').values(Array.from({ length: 100 }, () => copy)))
      const { at_least, present, presets } = await preview(one)
      assert.deepEqual([at_least, present, presets.everything, presets.requests], [true, 2000, 2000, 0])
    })

    itOnOneEngine(world, 'is for the user only, and changes nothing', async () => {
      const one = await person()
      const address = `/rest/user/${one.login}/mail/preview` as const
      for (const client of [world.ada, world.stan]) assertRefused(await client.get(address), 401, 304)
      assertRefused(await world.nobody.get(address), 401, 410)
      assertRefused(await one.client.get('/rest/user/0/mail/preview'), 401, 304)
      const { status } = await one.client.get(`/rest/user/${one.login.toUpperCase()}/mail/preview`)
      assert.equal(status, 200)
      const before = (await one.client.get(`/rest/user/${one.id}/mail`)).body
      await preview(one)
      assert.deepEqual((await one.client.get(`/rest/user/${one.id}/mail`)).body, before)
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
