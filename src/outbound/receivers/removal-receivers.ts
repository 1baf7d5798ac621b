import { continueRemoval, failRemoval } from '../../catalogue/removals/continue-removal.ts'
import { REMOVAL_QUEUE, type RemovalJob } from '../../catalogue/removals/removal.ts'
import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import type { Queue } from '../jobs/job.ts'

const DELAYS: readonly number[] = [10, 30, 60, 300, 600]
/** After so long the job is saved with where it is, and other removals get their turn. */
const TURN_MILLISECONDS = 2000

/** Removes what many bugs have in steps. It is not about delivery, but the queue has what it needs: a server that is killed loses nothing. */
export function removalReceivers({ db, log }: DeliveryContext): Receivers {
  const queue: Queue = {
    name: REMOVAL_QUEUE,
    parallel: 1,
    delayAfter: (failedAttempts) => DELAYS[failedAttempts - 1],
    limitSeconds: 600,
    async perform({ payload, attempts }, signal) {
      let job = payload as RemovalJob
      const until = performance.now() + TURN_MILLISECONDS
      try {
        do {
          const next = await continueRemoval(db, job)
          if (next === undefined) return { done: true }
          job = next
        } while (performance.now() < until && !signal.aborted)
      } catch (fault) {
        if (DELAYS[attempts - 1] !== undefined) throw fault
        log.error('removal failed', { removal: job.removalId, why: String(fault) })
        await failRemoval(db, job.removalId, 'The database refused it again and again: the log of the server says why.')
        return { done: true }
      }
      return { goOn: job, jobs: [] }
    },
  }
  return { consumers: [], queues: [queue] }
}
