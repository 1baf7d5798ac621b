import type { Db } from '../platform/database/db.ts'
import type { Log } from '../platform/log.ts'
import { feedConsumer } from './feed-consumer.ts'
import { workQueue } from './jobs/work-queue.ts'
import { keepOrder } from './keep-order.ts'
import type { Receivers } from './surroundings.ts'

/**
 * Tells the world, after the fact: puts the events in order, feeds each consumer and does the jobs they make. Every server does so, all
 * on one database share the work. Nothing of it happens in a request.
 */
export function startDelivering(db: Db, log: Log, { consumers, queues }: Receivers) {
  const order = keepOrder(db, log)
  const feeding = consumers.map((consumer) => feedConsumer(db, log, consumer))
  const working = queues.map((queue) => workQueue(db, log, queue))
  return {
    async end() {
      await order.end()
      await Promise.all(feeding.map((it) => it.end()))
      await Promise.all(working.map((it) => it.end()))
      await Promise.all(queues.map((queue) => queue.close?.()))
    },
  }
}
