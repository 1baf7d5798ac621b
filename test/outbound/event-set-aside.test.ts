import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConsumerFeeder } from '../../src/outbound/consumers/consumer-feeder.ts'
import type { Facts } from '../../src/platform/monitoring/log.ts'
import { fileBug } from '../support/file-bug.ts'
import { describeWithDelivery } from '../support/world.ts'

describeWithDelivery('an event that a consumer cannot handle', (world) => {
  it('is logged and skipped, and the events before and after it are handled once', async () => {
    const logged: ({ event: string } & Facts)[] = []
    const log = {
      info: () => {},
      error: (event: string, facts: Facts = {}) => void logged.push({ event, ...facts }),
      flush: async () => {},
    }
    const handled: number[] = []
    let broken = 0
    const consumer = new ConsumerFeeder(world.db, log, {
      name: 'test of events that fail',
      async plan(_, events) {
        if (events.some(({ bugId }) => bugId === broken)) throw new Error('cannot be handled')
        handled.push(...events.map(({ bugId }) => bugId))
        return []
      },
      async save() {},
    })
    // A new consumer begins with the newest event, whenever it comes to that.
    for (let waited = 0; handled.length === 0; waited += 50) {
      assert.ok(waited < 20_000, 'The consumer gets no event')
      await fileBug(world.edna)
      await sleep(50)
    }
    broken = handled[0] ?? 0
    const before = await fileBug(world.edna)
    await world.edna.post(`/rest/bug/${broken}/comment`, { comment: 'This event fails.' })
    const unreadable = await fileBug(world.edna)
    await world.db.query((q) => q.updateTable('outbox').set({ facts: '{' }).where('bug_id', '=', unreadable))
    const behind = await fileBug(world.edna)
    for (let waited = 0; !handled.includes(behind); waited += 50) {
      assert.ok(waited < 20_000, `handled so far: ${handled}`)
      await sleep(50)
    }
    await consumer.end()
    for (const id of [before, behind]) assert.equal(handled.filter((it) => it === id).length, 1)
    const aside = logged.filter(({ event }) => event === 'event set aside')
    assert.deepEqual(
      aside.map(({ bug, kind }) => [bug, kind]),
      [[broken, 'comment.create']],
    )
  })
})
