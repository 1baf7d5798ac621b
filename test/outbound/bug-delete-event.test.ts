import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { changeBug } from '../support/change-bug.ts'
import { EventSource } from '../support/event-source.ts'
import { fileBug } from '../support/file-bug.ts'
import { HttpReceiver } from '../support/http-receiver.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSettled } from '../support/mail-settled.ts'
import { newProduct } from '../support/new-product.ts'
import { until } from '../support/until.ts'
import { type Client, describeWithDelivery, itOnOneEngine } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

describeWithDelivery(
  'the event bug.delete',
  (world) => {
    const receiver = new HttpReceiver()
    before(async () => {
      await receiver.open()
      await world.ada.put('/rest/parameters', { webhook_networks: '127.0.0.1/32', allowbugdeletion: true })
      await world.ada.put('/rest/product/TestProduct/group_control/security', { membercontrol: 'Shown' })
    })
    after(() => receiver.close())

    const remove = async (bug: number) => {
      const { status, text } = await world.ada.delete(`/rest/bug/${bug}?reason=Private.`)
      assert.equal(status, 200, text)
    }
    /** The path of a new webhook. */
    const hookOf = async (owner: Client, more: object = {}) => {
      const path = `/${world.unique('hook')}`
      const made = await owner.post('/rest/webhook', { url: receiver.url + path, events: ['bug.delete'], ...more })
      assert.equal(made.status, 201, made.text)
      return { path, log: async () => (await owner.get(`/rest/webhook/${made.body.id}/delivery`)).body.deliveries }
    }
    const isCleanedUp = async () =>
      (await world.db.query((q) => q.selectFrom('jobs').select('id').where('queue', '=', 'deleted_bugs'))).length === 0

    itOnOneEngine(world, 'contains the user and the number of the bug, and nothing of its content', async () => {
      const hook = await hookOf(world.edna)
      const bug = await fileBug(world.edna, { summary: 'Customer X', cc: ['stan@lacewing.test'] })
      const start = (await world.edna.get('/rest/event')).body.next_cursor
      await remove(bug)
      const { events } = (await world.edna.get(`/rest/event?after=${start}&wait=10`)).body
      const [{ id, time, ...event }] = events
      const data = { user: 'ada@lacewing.test', bug_id: bug, changes: [] }
      assert.deepEqual([events.length, event], [1, { type: 'bug.delete', ...data }])
      const [message] = await receiver.until(hook.path, 1)
      assert.deepEqual(message?.body, { version: 1, id, type: 'bug.delete', timestamp: time, data })
      await until(isCleanedUp)
      await until(async () => (await hook.log()).length === 1)
      assert.deepEqual((await world.edna.get(`/rest/event?after=${start}`)).body.events, events)
    })

    itOnOneEngine(world, 'is streamed and sent to users who could see the bug at that moment', async () => {
      const [inside, outside] = [await hookOf(world.sven), await hookOf(world.stan)]
      const hidden = await fileBug(world.sven, { groups: ['security'] })
      const open = await fileBug(world.edna)
      const streams = [await EventSource.open(world, world.stan), await EventSource.open(world, world.sven)] as const
      await remove(hidden)
      await remove(open)
      const returned = (events: readonly { type: string; bug_id: number }[]) =>
        events.map(({ type, bug_id }) => [type, bug_id])
      assert.deepEqual(returned(await streams[0].take(1)), [['bug.delete', open]])
      assert.deepEqual(returned(await streams[1].take(2)), [
        ['bug.delete', hidden],
        ['bug.delete', open],
      ])
      for (const stream of streams) stream.close()
      const bugsAt = ({ path }: { path: string }) => receiver.at(path).map(({ body }) => body.data.bug_id)
      await receiver.until(inside.path, 2)
      await receiver.until(outside.path, 1)
      assert.deepEqual([bugsAt(inside), bugsAt(outside)], [[hidden, open], [open]])
    })

    it('is sent to those who saw the bug for whatever reason, and to nobody else', async () => {
      const { name: second } = await world.newGroup()
      await world.ada.put(`/rest/product/TestProduct/group_control/${second}`, { membercontrol: 'Shown' })
      const stan = 'stan@lacewing.test'
      const fileClosed = async (who: Client, add: string[], more: object) => {
        const bug = await fileBug(who)
        await changeBug(world.ada, bug, { assigned_to: 'ada@lacewing.test', groups: { add }, ...more })
        return bug
      }
      const bugs = await world.withParameters({ useqacontact: true }, async () => [
        await fileClosed(world.ada, ['security'], {}),
        await fileClosed(world.ada, ['security', second], {}),
        await fileClosed(world.ada, ['security'], { assigned_to: stan }),
        await fileClosed(world.ada, ['security'], { qa_contact: stan }),
        await fileClosed(world.ada, ['security'], { cc: { add: [stan] } }),
        await fileClosed(world.ada, ['security'], { cc: { add: [stan] }, is_cc_accessible: false }),
        await fileClosed(world.stan, ['security'], {}),
        await fileClosed(world.stan, ['security'], { is_creator_accessible: false }),
        await fileBug(world.ada),
      ])
      const readers = [world.stan, world.sven, world.rhea]
      const withEachRule = async (numbersFor: (who: Client) => Promise<number[]>) => {
        const forAll = () => Promise.all(readers.map(async (who) => (await numbersFor(who)).toSorted()))
        return [
          await world.withParameters({ useqacontact: true }, forAll),
          await world.withParameters({ useqacontact: false, or_groups: true }, forAll),
        ]
      }
      const seen = await withEachRule(async (who) =>
        (await who.get(`/rest/bug?id=${bugs}`)).body.bugs.map(({ id }) => id),
      )
      assert.deepEqual(
        seen.map((people) => people.map(({ length }) => length)),
        [
          [5, 8, 1],
          [4, 9, 1],
        ],
      )
      const start = (await world.ada.get('/rest/event')).body.next_cursor
      for (const bug of bugs) await remove(bug)
      const notified = await withEachRule(async (who) =>
        (await who.get(`/rest/event?after=${start}`)).body.events.map(({ bug_id }) => bug_id),
      )
      assert.deepEqual(notified, seen)
    })

    it('is sent to nobody if it is not known who could see the bug', async () => {
      const start = (await world.edna.get('/rest/event')).body.next_cursor
      for (const damage of [{ facts: '{}' }, { creator_id: null }]) {
        const bug = await fileBug(world.edna)
        await remove(bug)
        await until(isCleanedUp)
        await world.db.query((q) =>
          q.updateTable('outbox').set(damage).where('bug_id', '=', bug).where('kind', '=', 'bug.delete'),
        )
      }
      const { status, body } = await world.edna.get(`/rest/event?after=${start}`)
      assert.deepEqual([status, body.events], [200, []])
    })

    it('is sent for every bug of a deleted product or component, also to webhooks for these', async () => {
      const { name: product } = await newProduct(world, ['Core', 'Rest'])
      const { name: elsewhere } = await newProduct(world, ['Core'])
      const place = { product, version: '1.0' }
      const core = await fileBug(world.edna, { ...place, component: 'Core' })
      const rest = await fileBug(world.edna, { ...place, component: 'Rest' })
      const [all, one, other] = [
        await hookOf(world.edna, { product }),
        await hookOf(world.edna, { product, component: 'Core' }),
        await hookOf(world.edna, { product: elsewhere }),
      ]
      assert.equal((await world.ada.delete(`/rest/component/${product}/Core`)).status, 200)
      assert.equal((await world.ada.delete(`/rest/product/${product}`)).status, 200)
      const last = await fileBug(world.edna, { product: elsewhere, component: 'Core', version: '1.0' })
      await remove(last)
      await Promise.all([receiver.until(all.path, 2), receiver.until(one.path, 1), receiver.until(other.path, 1)])
      assert.deepEqual(
        [all, one, other].map(({ path }) => receiver.at(path).map(({ body }) => body.data.bug_id)),
        [[core, rest], [core], [last]],
      )
    })

    it('sends no mail, and removes undelivered mail about the bug', async () => {
      mailServer.onRecipient = async (address) => {
        if (address === 'stan@lacewing.test') throw Object.assign(new Error('No such mailbox'), { responseCode: 550 })
      }
      const bug = await fileBug(world.edna, { cc: ['stan@lacewing.test'] })
      const kept = await fileBug(world.edna, { cc: ['stan@lacewing.test'] })
      await mailSettled(world)
      const undelivered = async () => (await world.ada.get('/rest/mail/undelivered')).body.messages
      const bugsOf = (messages: readonly { bug_id: number }[]) => messages.map(({ bug_id }) => bug_id).toSorted()
      assert.deepEqual(bugsOf(await undelivered()), [bug, kept])
      mailServer.clear()
      await remove(bug)
      await until(isCleanedUp)
      await mailSettled(world)
      assert.deepEqual(bugsOf(await undelivered()), [kept])
      assert.ok(mailServer.messages.every(({ raw }) => !raw.includes(`${bug}`)))
      await changeBug(world.edna, kept, { cc: { remove: ['stan@lacewing.test'] } })
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
