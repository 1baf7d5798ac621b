import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordEvent } from '../../src/changes/outbox.ts'
import type { Consumer } from '../../src/outbound/consumers/consumer.ts'
import { startDelivering } from '../../src/outbound/delivery/deliver.ts'
import type { OutboundEvent } from '../../src/outbound/events/event.ts'
import { forgetOld } from '../../src/outbound/events/forget-events.ts'
import type { AttemptOutcome, Job, Queue } from '../../src/outbound/jobs/job.ts'
import { findLaneState, listDeadJobs, reviveJobs } from '../../src/outbound/jobs/job-store.ts'
import { addJobs, type NewJob } from '../../src/platform/database/new-jobs.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { Log } from '../../src/platform/monitoring/log.ts'
import { fileBug } from '../support/file-bug.ts'
import { until } from '../support/until.ts'
import { describeWithDelivery, itOnOneEngine, type World } from '../support/world.ts'

describeWithDelivery('Delivery', (world) => {
  it('gives a consumer every event once and in order, and runs the jobs of a lane in order', async () => {
    const { consumer, queue, heard, done } = listener(world, (event) => `bug ${event.bugId}`)
    const delivery = startDelivering(world.db, SILENT, { consumers: [consumer], queues: [queue] })
    await until(() => isFed(world, consumer.name))
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
      const returned = done.filter(({ lane }) => lane === `bug ${bug}`).map(({ payload }) => payload as OutboundEvent)
      assert.deepEqual(
        returned.slice(1).map(({ facts }) => (facts.changes as Changes).whiteboard?.added),
        Array.from({ length: 10 }, (_, round) => `Round ${round}`),
      )
    }
  })

  it('orders events by commit, even if an id was assigned earlier', async () => {
    const { consumer, queue, heard } = listener(world, () => 'all')
    const delivery = startDelivering(world.db, SILENT, { consumers: [consumer], queues: [queue] })
    await until(() => isFed(world, consumer.name))
    const event = { bugId: 1, who: 1, at: '2026-01-01T00:00:00Z', kind: 'bug.update', facts: {} } as const
    const slow = world.db.transaction(async (tx) => {
      await recordEvent(tx, { ...event, facts: { which: 'slow' } })
      // On SQLite transactions run one after another, so the order cannot differ.
      if (world.engine === 'postgres') await until(() => heard.some(({ facts }) => facts.which === 'quick'))
    })
    await world.db.transaction((tx) => recordEvent(tx, { ...event, facts: { which: 'quick' } }))
    await slow
    await until(() => heard.filter(({ facts }) => facts.which !== undefined).length === 2)
    await delivery.end()
    assert.deepEqual(
      heard.flatMap(({ facts }) => facts.which ?? []),
      world.engine === 'postgres' ? ['quick', 'slow'] : ['slow', 'quick'],
    )
    assert.deepEqual(
      positions(heard),
      positions(heard).toSorted((a, b) => a - b),
    )
  })

  it('delivers nothing of a transaction that was rolled back', async () => {
    const { consumer, queue, heard } = listener(world, () => 'all')
    const delivery = startDelivering(world.db, SILENT, { consumers: [consumer], queues: [queue] })
    await until(async () => await isFed(world, consumer.name))
    const event = { bugId: 1, who: 1, at: '2026-01-01T00:00:00Z', kind: 'bug.update', facts: {} } as const
    await assert.rejects(
      world.db.transaction(async (tx) => {
        await recordEvent(tx, event)
        throw new Error('No')
      }),
    )
    const id = await fileBug(world.edna)
    await until(() => heard.some(({ bugId }) => bugId === id))
    await delivery.end()
    assert.deepEqual(
      heard.map(({ kind, bugId }) => [kind, bugId]),
      [['bug.create', id]],
    )
  })

  it('retries a failed job, delays only its lane, and gives up in the end', async () => {
    const tries = new Map<string, number>()
    const { queue, done } = listener(
      world,
      () => '',
      async ({ payload }) => {
        const { name, failures } = payload as { name: string; failures: number }
        const count = (tries.get(name) ?? 0) + 1
        tries.set(name, count)
        return count > failures ? { done: true } : { retry: `Failed ${count} times` }
      },
    )
    const jobs = [
      { lane: 'a', payload: { name: 'a1', failures: 2 } },
      { lane: 'a', payload: { name: 'a2', failures: 0 } },
      { lane: 'b', payload: { name: 'b1', failures: 99 } },
      { lane: 'b', payload: { name: 'b2', failures: 0 } },
      { lane: 'c', payload: { name: 'c1', failures: 0 } },
    ]
    await world.db.transaction((tx) =>
      addJobs(
        tx,
        jobs.map((job) => ({ queue: queue.name, ...job })),
      ),
    )
    const delivery = startDelivering(world.db, SILENT, { consumers: [], queues: [queue] })
    await until(() => done.length === 4)
    const [dead, ...more] = await until(async () => listDeadJobs(world.db, queue.name, 10))
    assert.deepEqual(more, [])
    assert.deepEqual(dead?.payload, { name: 'b1', failures: 99 })
    assert.equal(dead?.why, 'Failed 3 times')
    assert.equal(dead?.attempts, 3)
    const names = done.map(({ payload }) => (payload as { name: string }).name)
    assert.deepEqual(
      names.filter((name) => name.startsWith('a')),
      ['a1', 'a2'],
    )
    assert.equal(names.indexOf('c1') < names.indexOf('a1'), true)

    tries.set('b1', 99)
    const revived = await world.db.transaction((tx) => reviveJobs(tx, [queue.name], [dead?.id ?? 0]))
    assert.deepEqual(revived, [dead?.id])
    await until(() => done.length === 5)
    await delivery.end()
    assert.deepEqual(await listDeadJobs(world.db, queue.name, 10), [])
    for (const lane of ['a', 'b', 'c']) assert.equal(await findLaneState(world.db, queue.name, lane), undefined)
  })

  itOnOneEngine(world, 'gives up a job that cannot be read, and goes on with its lane', async () => {
    const { queue, done } = listener(world, () => '')
    await world.db.transaction((tx) =>
      addJobs(
        tx,
        ['first', 'second'].map((name) => ({ queue: queue.name, lane: 'a', payload: { name } })),
      ),
    )
    const [first] = await world.db.query((q) => q.selectFrom('jobs').select('id').where('queue', '=', queue.name))
    await world.db.query((q) =>
      q
        .updateTable('jobs')
        .set({ payload: '{' })
        .where('id', '=', first?.id ?? 0),
    )
    const delivery = startDelivering(world.db, SILENT, { consumers: [], queues: [queue] })
    await until(() => done.length === 1)
    await delivery.end()
    assert.deepEqual(done[0]?.payload, { name: 'second' })
    const [dead] = await listDeadJobs(world.db, queue.name, 10)
    assert.deepEqual([dead?.id, dead?.attempts], [first?.id, 1])
  })

  itOnOneEngine(world, 'cuts off an attempt that takes too long, while the other lanes go on', async () => {
    const { queue, done } = listener(
      world,
      () => '',
      async ({ lane }) => (lane === 'hangs' ? new Promise<never>(() => {}) : { done: true }),
    )
    const lanes = ['hangs', ...Array.from({ length: 30 }, (_, number) => `lane ${number}`)]
    await world.db.transaction((tx) =>
      addJobs(
        tx,
        lanes.map((lane) => ({ queue: queue.name, lane, payload: {} })),
      ),
    )
    const delivery = startDelivering(world.db, SILENT, { consumers: [], queues: [{ ...queue, limitSeconds: 1 }] })
    await until(() => done.length === 30)
    await until(async () => (await findLaneState(world.db, queue.name, 'hangs'))?.failures === 1)
    await delivery.end()
  })

  it('sets aside and logs a job whose result cannot be saved, without delaying others', async () => {
    const lines: string[] = []
    const log: Log = { ...SILENT, error: (event, facts) => lines.push(`${event} ${facts?.lane} ${facts?.isDead}`) }
    const { queue, done } = listener(world, () => '')
    const noted: string[] = []
    const nameOf = (job: Job) => (job.payload as { name: string }).name
    const settled: Queue['settled'] = async (tx, jobs) => {
      for (const { job } of jobs) {
        // An error of the database, which on PostgreSQL aborts the whole transaction.
        if (nameOf(job) === 'b2') await tx.query((q) => q.insertInto('lanes').values(NO_LANE))
        noted.push(nameOf(job))
      }
    }
    const names = ['a1', 'b1', 'b2', 'b3', 'b4', 'c1', 'c2', 'd1']
    await world.db.transaction((tx) =>
      addJobs(
        tx,
        names.map((name) => ({ queue: queue.name, lane: name.slice(0, 1), payload: { name } })),
      ),
    )
    const delivery = startDelivering(world.db, log, { consumers: [], queues: [{ ...queue, settled }] })
    const dead = await until(async () => listDeadJobs(world.db, queue.name, 10))
    for (const lane of 'abcd') await until(async () => (await findLaneState(world.db, queue.name, lane)) === undefined)
    await delivery.end()
    assert.deepEqual(dead.map(nameOf), ['b2'])
    assert.equal(dead[0]?.attempts, 3)
    assert.match(dead[0]?.why ?? '', /^The result could not be saved: /)
    // Done as often as it was tried; the others once.
    assert.deepEqual(done.map(nameOf).toSorted(), [...names, 'b2', 'b2'].toSorted())
    assert.deepEqual(
      [...new Set(noted)].toSorted(),
      names.filter((name) => name !== 'b2'),
    )
    const event = 'job result not saved b'
    assert.deepEqual(lines, [`${event} false`, `${event} false`, `${event} true`])
  })

  itOnOneEngine(world, 'saves a reason with characters that the column cannot store', async () => {
    const { queue } = listener(
      world,
      () => '',
      async () => ({ dead: `550 \0 no \ud800${'!'.repeat(5000)}` }),
    )
    await world.db.transaction((tx) => addJobs(tx, [{ queue: queue.name, lane: 'a', payload: {} }]))
    const delivery = startDelivering(world.db, SILENT, { consumers: [], queues: [queue] })
    const dead = await until(async () => listDeadJobs(world.db, queue.name, 10))
    await delivery.end()
    assert.deepEqual([dead[0]?.why.slice(0, 10), dead[0]?.why.length, dead[0]?.attempts], ['550   no \ufffd', 2000, 1])
  })

  itOnOneEngine(world, 'leaves half of its places to lanes that have not failed', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    let waiting = 0
    const { queue, done } = listener(
      world,
      () => '',
      async ({ lane, attempts }) => {
        if (!lane.startsWith('bad')) return { done: true }
        if (attempts > 1) {
          waiting++
          await isOver
        }
        return { retry: 'no answer' }
      },
    )
    const jobs = (lanes: readonly string[]) => lanes.map((lane) => ({ queue: queue.name, lane, payload: {} }))
    const bad = Array.from({ length: queue.parallel * 2 }, (_, number) => `bad ${number}`)
    await world.db.transaction((tx) => addJobs(tx, jobs(bad)))
    // Long enough that no attempt ends by itself.
    const patient = { ...queue, limitSeconds: 600 }
    const delivery = startDelivering(world.db, SILENT, { consumers: [], queues: [patient] })
    const half = queue.parallel / 2
    try {
      await until(() => waiting >= half)
      for (const lane of ['good 1', 'good 2', 'good 3']) {
        await world.db.transaction((tx) => addJobs(tx, jobs([lane])))
        await until(() => done.some((job) => job.lane === lane), 20_000)
      }
      assert.equal(waiting, half)
    } finally {
      end()
      await delivery.end()
    }
  })

  it('shares the jobs between servers, and runs each once', async () => {
    const other = openDatabase(world.databaseUrl, true)
    const { queue, done } = listener(
      world,
      () => '',
      async () => {
        await sleep(20)
        return { done: true }
      },
    )
    const name = queue.name
    const servers = [world.db, other].map((db) => startDelivering(db, SILENT, { consumers: [], queues: [queue] }))
    const jobs = Array.from({ length: 200 }, (_, number) => ({
      queue: name,
      lane: `lane ${number % 40}`,
      payload: { number },
    }))
    await world.db.transaction((tx) => addJobs(tx, jobs))
    await until(() => done.length >= 200)
    await Promise.all(servers.map((server) => server.end()))
    await other.close()
    const numbers = done.map(({ payload }) => (payload as { number: number }).number)
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      jobs.map(({ payload }) => payload.number),
    )
    for (let lane = 0; lane < 40; lane++) {
      const own = numbers.filter((number) => number % 40 === lane)
      assert.deepEqual(
        own,
        own.toSorted((a, b) => a - b),
      )
    }
  })

  it('runs a consumer on one server at a time, and moves it when that server ends', async () => {
    const other = openDatabase(world.databaseUrl, true)
    const { consumer, queue, heard, done } = listener(world, ({ bugId }) => `bug ${bugId}`)
    const receivers = { consumers: [consumer], queues: [queue] }
    const first = startDelivering(world.db, SILENT, receivers)
    const second = startDelivering(other, SILENT, receivers)
    await until(() => isFed(world, consumer.name))
    const ids = [await fileBug(world.edna), await fileBug(world.edna)]
    await until(() => done.length === 2)
    await first.end()
    ids.push(await fileBug(world.edna))
    await until(() => done.length === 3)
    await second.end()
    await other.close()
    assert.deepEqual(
      heard.map(({ bugId }) => bugId),
      ids,
    )
  })

  it('deletes only old events that all consumers have handled', async () => {
    const { consumer, queue, heard } = listener(world, () => 'all')
    const delivery = startDelivering(world.db, SILENT, { consumers: [consumer], queues: [queue] })
    await until(() => isFed(world, consumer.name))
    const start = (await world.ada.get('/rest/event')).body.next_cursor
    const ids = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
    await until(() => heard.length === 3)
    const returned = (position: number) => world.db.query((q) => q.updateTable('consumers').set({ position }))
    await delivery.end()
    await returned(heard[0]?.position ?? 0)
    await world.db.query((q) =>
      q.updateTable('outbox').set({ at: '2020-01-01T00:00:00Z' }).where('bug_id', 'in', ids.slice(0, 2)),
    )
    await forgetOld(world.db)
    assert.equal((await world.ada.get(`/rest/event?after=${start}`)).body.events.length, 3)
    await world.withParameters({ keep_events_days: 30 }, async () => {
      await forgetOld(world.db)
      const { body } = await world.ada.get(`/rest/event?after=${heard[0]?.position}`)
      assert.equal(body.events.length, 2)
      await returned(heard[2]?.position ?? 0)
      await forgetOld(world.db)
    })
    const refused = await world.ada.get(`/rest/event?after=${start}`)
    assert.deepEqual([refused.status, refused.body.code], [400, 53])
    const { body } = await world.ada.get(`/rest/event?after=${heard[1]?.position}`)
    assert.deepEqual(
      body.events.map((event: { bug_id: number }) => event.bug_id),
      ids.slice(2),
    )
  })

  itOnOneEngine(world, 'retries a consumer that failed to plan, and loses nothing', async () => {
    const { consumer, queue, done } = listener(world, () => 'all')
    let failures = 0
    const plan: Consumer['plan'] = async (db, events) => {
      if (failures++ < 2) throw new Error('Not now')
      return consumer.plan(db, events)
    }
    const delivery = startDelivering(world.db, SILENT, { consumers: [{ ...consumer, plan }], queues: [queue] })
    await until(() => isFed(world, consumer.name))
    const id = await fileBug(world.edna)
    await until(() => done.length > 0)
    await delivery.end()
    assert.deepEqual(
      done.map(({ payload }) => (payload as OutboundEvent).bugId),
      [id],
    )
  })
})

/** Whether the consumer has its start position, so that it gets all events from now on. */
async function isFed(world: World, name: string) {
  return (await world.db.query((q) => q.selectFrom('consumers').select('name').where('name', '=', name))).length > 0
}

type Changes = Record<string, { added: string } | undefined>

function positions(events: readonly OutboundEvent[]) {
  return events.map(({ position }) => position)
}

/** A lane must have a name. */
const NO_LANE = { queue: 'none', lane: null as unknown as string, due_at: '', failures: 0, lease: '' }

const SILENT: Log = { info() {}, error() {}, flush: async () => {} }

/** A consumer that makes a job of every event, and a queue that does them. */
function listener(
  world: World,
  laneOf: (event: OutboundEvent) => string,
  perform: (job: Job, signal: AbortSignal) => Promise<AttemptOutcome> = async () => ({ done: true }),
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
    save: (tx, jobs) => addJobs(tx, jobs as NewJob[]),
  }
  const queue: Queue = {
    name,
    parallel: 8,
    delayAfter: (attempts) => (attempts <= 2 ? 0 : undefined),
    limitSeconds: 5,
    async perform(job, signal) {
      const outcome = await perform(job, signal)
      if ('done' in outcome) done.push(job)
      return outcome
    },
  }
  return { consumer, queue, heard, done }
}
