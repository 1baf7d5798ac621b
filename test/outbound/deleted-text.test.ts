import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { changeBug } from '../support/change-bug.ts'
import { say } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { HttpReceiver } from '../support/http-receiver.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSettled } from '../support/mail-settled.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { until } from '../support/until.ts'
import { describeDeliveryOnOneEngine, describeWithDelivery } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

describeDeliveryOnOneEngine(
  'Mail that waits to be sent',
  (world) => {
    beforeEach(async () => {
      await mailSettled(world)
      mailServer.clear()
    })

    /** Lets mail about a bug wait behind one that the mail server has not taken yet, and then do something. */
    async function whileMailWaits(work: (bug: number, login: string) => Promise<void>) {
      const assignee = await newMember(world)
      const bug = await fileBug(world.edna, { assigned_to: assignee.login })
      await mailSettled(world)
      mailServer.clear()
      const { promise: isTaken, resolve: take } = Promise.withResolvers<void>()
      const isTried = new Promise<void>((resolve) => {
        mailServer.onRecipient = async (address) => {
          if (address !== assignee.login) return
          resolve()
          await isTaken
        }
      })
      await say(world.edna, bug, 'The first, which is on its way')
      await isTried
      await work(bug, assignee.login)
      mailServer.onRecipient = async () => {}
      take()
      await mailSettled(world)
      return mailServer.messages.filter(({ recipients }) => recipients.includes(assignee.login))
    }

    it('does not contain the text of a comment that was deleted in the meantime', async () => {
      const messages = await whileMailWaits(async (bug) => {
        const id = await say(world.edna, bug, 'Customer X')
        const { status, text } = await world.ada.delete(`/rest/bug/comment/${id}?reason=Private.`)
        assert.equal(status, 200, text)
      })
      assert.ok(messages.length >= 2)
      assert.ok(messages.every(({ raw }) => !raw.includes('Customer X')))
      assert.ok(messages.some(({ text }) => text.includes('The text of this comment was deleted: Private.')))
    })

    it('is not sent if its bug was deleted in the meantime', async () => {
      const messages = await whileMailWaits(async (bug) => {
        await say(world.edna, bug, 'Customer X')
        await world.withParameters({ allowbugdeletion: true }, async () => {
          assert.equal((await world.ada.delete(`/rest/bug/${bug}?reason=Private.`)).status, 200)
        })
      })
      assert.deepEqual(
        messages.map(({ text }) => text.includes('The first, which is on its way')),
        [true],
      )
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)

describeWithDelivery('A webhook that waits, and the feed', (world) => {
  const receiver = new HttpReceiver()
  before(() => receiver.open())
  after(() => receiver.close())

  it('have each change once, and nothing that was hidden meanwhile', async () => {
    await world.ada.put('/rest/parameters', { webhook_networks: '127.0.0.1/32', insidergroup: 'security' })
    const group = await world.newGroup()
    await setControl(world, 'TestProduct', group.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    const owner = await newMember(world, 'editbugs')
    const events = ['bug.create', 'bug.update', 'comment.create', 'comment.update']
    const made = await owner.client.post('/rest/webhook', { url: `${receiver.url}/held`, events })
    assert.equal(made.status, 201, made.text)
    const cursor = (await owner.client.get('/rest/event')).body.next_cursor
    receiver.manners.set('/held', { after: 2000 })
    const bug = await fileBug(world.edna)
    await receiver.until('/held', 1)
    receiver.manners.delete('/held')
    const open = await say(world.edna, bug, 'Stays')
    const hidden = await say(world.edna, bug, 'Becomes private')
    await changeBug(world.ada, bug, { comment_is_private: { [String(hidden)]: true } })
    const edited = await say(world.edna, bug, 'Old words')
    await world.edna.put(`/rest/editcomments/comment/${edited}`, { new_comment: 'New words' })
    const moved = await fileBug(world.edna)
    await changeBug(world.edna, moved, { whiteboard: 'Customer X' })
    await changeBug(world.ada, moved, { groups: { add: [group.name] } })
    const last = await say(world.edna, bug, 'The last')
    const commentsOf = () => receiver.at('/held').flatMap(({ body }) => body.data.comment_id ?? [])
    await until(() => commentsOf().includes(last))
    const ids = receiver.at('/held').map(({ body }) => body.id)
    assert.deepEqual(ids, [...new Set(ids)])
    assert.deepEqual(commentsOf(), [open, edited, edited, last])
    assert.ok(
      receiver.at('/held').every(({ body, text }) => body.data.bug_id === bug && !/Customer X|words/.test(text)),
    )
    const feed = await owner.client.get(`/rest/event?after=${cursor}`)
    assert.deepEqual(
      feed.body.events.map(({ id }) => id),
      ids,
    )
    assert.doesNotMatch(feed.text, /Customer X|words/)
  })
})

describeDeliveryOnOneEngine('The log of a webhook', (world) => {
  const receiver = new HttpReceiver()
  before(() => receiver.open())
  after(() => receiver.close())

  it('removes a deleted bug, and keeps the others', async () => {
    await world.ada.put('/rest/parameters', { webhook_networks: '127.0.0.1/32', allowbugdeletion: true })
    const { body: hook } = await world.edna.post('/rest/webhook', {
      url: `${receiver.url}/hook`,
      events: ['bug.create'],
    })
    const [other, bug] = [await fileBug(world.edna), await fileBug(world.edna)]
    await receiver.until('/hook', 2)
    const bugsInLog = async () => {
      const { deliveries } = (await world.edna.get(`/rest/webhook/${hook.id}/delivery`)).body
      return deliveries.map(({ bug_id }) => bug_id).toSorted()
    }
    await until(async () => (await bugsInLog()).length === 2)
    // As far apart as in a large installation: what is scanned in one step ends just before the deleted bug.
    for (const table of ['outbox', 'webhook_deliveries'] as const) {
      const rows = await world.db.query((q) => q.selectFrom(table).select('id').where('bug_id', '=', bug))
      const id = Math.min(...rows.map((row) => row.id)) - 5000
      await world.db.query((q) => q.updateTable(table).set({ id }).where('bug_id', '=', other))
    }
    assert.equal((await world.ada.delete(`/rest/bug/${bug}?reason=Private.`)).status, 200)
    await until(async () => (await bugsInLog()).length === 1)
    assert.deepEqual(await bugsInLog(), [other])
    const events = await world.db.query((q) =>
      q.selectFrom('outbox').select(['kind', 'facts']).where('bug_id', '=', bug).orderBy('id'),
    )
    assert.deepEqual(
      events.map(({ kind, facts }) => [kind, facts === '{}']),
      [
        ['bug.create', true],
        ['bug.delete', false],
      ],
    )
    assert.equal(receiver.at('/hook').length, 2)
  })
})
