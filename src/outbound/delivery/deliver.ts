import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { ConsumerFeeder } from '../consumers/consumer-feeder.ts'
import { assignEventPositions } from '../events/assign-event-positions.ts'
import { watchMaildir } from '../incoming/watch-maildir.ts'
import { QueueWorker } from '../jobs/queue-worker.ts'
import { watchDueQueues } from '../jobs/watch-due-queues.ts'
import { receiversIn } from '../receivers/receivers.ts'
import { runSchedules } from '../scheduled/run-schedules.ts'
import type { DeliveryContext, Receivers } from './delivery-context.ts'
import { forgetOld } from './forget-old.ts'

/** A running delivery. */
export interface RunningDelivery {
  end(): Promise<void>
}

/**
 * Delivers events after their commit: assigns positions, passes events to the consumers and runs their jobs. All
 * servers on one database share this work. No request waits for it.
 */
export function startDelivering(db: Db, log: Log, receivers: Receivers): RunningDelivery {
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
export function deliverHere(context: DeliveryContext): RunningDelivery {
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

/** Passes events to consumers and runs their jobs. Positions are assigned elsewhere. `promptDb` is for the prompt consumers. */
export function deliverTo(db: Db, log: Log, { consumers, queues }: Receivers, promptDb = db): RunningDelivery {
  const feeding = consumers.map((consumer) => new ConsumerFeeder(consumer.isPrompt ? promptDb : db, log, consumer))
  const working = queues.map((queue) => new QueueWorker(db, log, queue))
  const watching = watchDueQueues(db, log, working)
  return {
    async end() {
      await Promise.all(feeding.map((it) => it.end()))
      await watching.end()
      await Promise.all(working.map((it) => it.end()))
      await Promise.all(queues.map((queue) => queue.close?.()))
    },
  }
}
