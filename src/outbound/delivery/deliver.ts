import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { feedConsumer } from '../consumers/feed-consumer.ts'
import { assignEventPositions } from '../events/assign-event-positions.ts'
import { watchMaildir } from '../incoming/watch-maildir.ts'
import { workQueue } from '../jobs/work-queue.ts'
import { receiversIn } from '../receivers/receivers.ts'
import { runSchedules } from '../scheduled/run-schedules.ts'
import type { DeliveryContext, Receivers } from './delivery-context.ts'
import { forgetOld } from './forget-old.ts'

/** Telling the world, until it ends. */
export interface Delivery {
  end(): Promise<void>
}

/**
 * Tells the world, after the fact: puts the events in order, feeds each consumer and does the jobs they make. Every server does so, all
 * on one database share the work. Nothing of it happens in a request.
 */
export function startDelivering(db: Db, log: Log, receivers: Receivers): Delivery {
  const order = assignEventPositions(db, log)
  const delivery = deliverTo(db, log, receivers)
  return {
    async end() {
      await order.end()
      await delivery.end()
    },
  }
}

/** Delivers mail, webhooks and the feed in this thread; deliver-in-thread.ts does it in another. */
export function deliverHere(context: DeliveryContext): Delivery {
  const delivery = startDelivering(context.db, context.log, receiversIn(context))
  const taking = watchMaildir(context)
  const scheduling = runSchedules(context)
  const forgetting = forgetOld(context)
  return {
    async end() {
      await taking.end()
      await scheduling.end()
      await forgetting.end()
      await delivery.end()
    },
  }
}

/** Feeds consumers and does jobs, while the events are put in order elsewhere. */
export function deliverTo(db: Db, log: Log, { consumers, queues }: Receivers): Delivery {
  const feeding = consumers.map((consumer) => feedConsumer(db, log, consumer))
  const working = queues.map((queue) => workQueue(db, log, queue))
  return {
    async end() {
      await Promise.all(feeding.map((it) => it.end()))
      await Promise.all(working.map((it) => it.end()))
      await Promise.all(queues.map((queue) => queue.close?.()))
    },
  }
}
