import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer } from '../../src/outbound/consumer.ts'
import { startDelivering } from '../../src/outbound/deliver.ts'
import type { OutboundEvent } from '../../src/outbound/event.ts'
import type { Job, Outcome, Queue } from '../../src/outbound/jobs/job.ts'
import { addJobs, findLaneState, listDeadJobs, reviveJob } from '../../src/outbound/jobs/job-store.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { Log } from '../../src/platform/log.ts'
import { fileBug } from '../support/file-bug.ts'
import { describeOnEachEngine, type World } from '../support/world.ts'

describeOnEachEngine('Delivery', (world) => {
  it('feeds a consumer every event once and in order, and does its jobs in the order of their lanes', async () => {
    const { consumer, queue, heard, done } = listener(world, (event) => `bug ${event.bugId}`)
    const delivery = startDelivering(world.db, SILENT, { consumers: [consumer], queues: [queue] })
    await until(async () => (await world.db.query((q) => q.selectFrom('consumers').select('name'))).length === 3)
    const bugs = [await fileBug(world.edna), await fileBug(world.edna)]
    for (let round = 0; round < 10; round++)
      for (const bug of bugs) await world.edna.put(`/rest/bug/${bug}`, { whiteboard: `Round ${round}` })
    await until(() => done.length >= 22)
    await delivery.end()

    assert.deepEqual(
      positions(heard),
      [...new Set(positions(heard))].toSorted((a, b) => a - b),
    )
    assert.equal(heard.length, 22)
    for (const bug of bugs) {
      const told = done.filter(({ lane }) => lane === `bug ${bug}`).map(({ payload }) => payload as OutboundEvent)
      assert.deepEqual(
        told.slice(1).map(({ facts }) => (facts.changes as Changes).whiteboard?.added),
        Array.from({ length: 10 }, (_, round) => `Round ${round}`),
      )
    }
  })
})

type Changes = Record<string, { added: string } | undefined>

function positions(events: readonly OutboundEvent[]) {
  return events.map(({ position }) => position)
}

const SILENT: Log = { info() {}, error() {}, flush: async () => {} }

/** A consumer that makes a job of every event, and a queue that does them. */
function listener(
  world: World,
  laneOf: (event: OutboundEvent) => string,
  perform: (job: Job, signal: AbortSignal) => Promise<Outcome> = async () => ({ done: true }),
) {
  const name = world.unique('listener')
  const heard: OutboundEvent[] = []
  const done: Job[] = []
  const consumer: Consumer = {
    name,
    async plan(_, events) {
      heard.push(...events)
      return events.map((event) => ({ queue: name, lane: laneOf(event), payload: event }))
    },
  }
  const queue: Queue = {
    name,
    parallel: 8,
    delays: [0, 0],
    limitSeconds: 5,
    async perform(job, signal) {
      const outcome = await perform(job, signal)
      if ('done' in outcome) done.push(job)
      return outcome
    },
  }
  return { consumer, queue, heard, done }
}

async function until(isTrue: () => boolean | Promise<boolean>, milliseconds = 15_000) {
  const end = Date.now() + milliseconds
  while (!(await isTrue())) {
    assert.ok(Date.now() < end, 'It took too long')
    await sleep(10)
  }
}
void [addJobs, findLaneState, listDeadJobs, reviveJob, openDatabase]
