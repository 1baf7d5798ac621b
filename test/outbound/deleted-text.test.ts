import assert from 'node:assert/strict'
import { after, beforeEach, it } from 'node:test'
import { say } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { mailSettled } from '../support/mail-settled.ts'
import { newMember } from '../support/new-member.ts'
import { PostOffice } from '../support/post-office.ts'
import { describeOnEachEngine } from '../support/world.ts'

const office = await new PostOffice().open()
after(() => office.close())

describeOnEachEngine(
  'Mail that waits to be sent',
  (world) => {
    beforeEach(async () => {
      await mailSettled(world)
      office.clear()
    })

    /** Lets mail about a bug wait behind one that the mail server has not taken yet, and then do something. */
    async function whileMailWaits(work: (bug: number, login: string) => Promise<void>) {
      const assignee = await newMember(world)
      const bug = await fileBug(world.edna, { assigned_to: assignee.login })
      await mailSettled(world)
      office.clear()
      const { promise: isTaken, resolve: take } = Promise.withResolvers<void>()
      const isTried = new Promise<void>((resolve) => {
        office.onRecipient = async (address) => {
          if (address !== assignee.login) return
          resolve()
          await isTaken
        }
      })
      await say(world.edna, bug, 'The first, which is on its way')
      await isTried
      await work(bug, assignee.login)
      office.onRecipient = async () => {}
      take()
      await mailSettled(world)
      return office.letters.filter(({ recipients }) => recipients.includes(assignee.login))
    }

    it('does not have the text of a comment that was deleted meanwhile', async () => {
      const letters = await whileMailWaits(async (bug) => {
        const id = await say(world.edna, bug, 'Customer X')
        const { status, text } = await world.ada.delete(`/rest/bug/comment/${id}?reason=Private.`)
        assert.equal(status, 200, text)
      })
      assert.ok(letters.length >= 2)
      assert.ok(letters.every(({ raw }) => !raw.includes('Customer X')))
      assert.ok(letters.some(({ text }) => text.includes('The text of this comment was deleted: Private.')))
    })
  },
  { LACEWING_SMTP_URL: office.url },
)
