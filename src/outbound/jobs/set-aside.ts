import type { Log } from '../../platform/monitoring/log.ts'
import { loggedCause } from '../../platform/monitoring/outage.ts'
import type { AttemptOutcome } from './job.ts'
import { type JobAttempt, saveAttempts } from './save-attempts.ts'

/** After this many attempts, a job whose result cannot be saved is dead, so that its lane goes on without it. */
const MOST_ATTEMPTS = 3

/**
 * Saves attempts whose results cannot be saved as failed ones, without the log of the queue, which may be the cause. If
 * this throws as well, the database is at fault and not the job.
 */
export function setAside(log: Log, fault: unknown): typeof saveAttempts {
  return async (db, queue, by, attempts) => {
    const failed = attempts.map((attempt): JobAttempt => {
      return attempt.job ? { ...attempt, outcome: failedBy(fault, attempt.job.attempts) } : attempt
    })
    const after = await saveAttempts(db, { ...queue, settled: undefined }, by, failed)
    for (const { lane, job } of failed) {
      const isDead = (job?.attempts ?? 0) >= MOST_ATTEMPTS
      const facts = { queue: queue.name, lane, job: job?.id, attempts: job?.attempts, isDead, why: loggedCause(fault) }
      log.error('job result not saved', facts)
    }
    return after
  }
}

function failedBy(fault: unknown, attempts: number): AttemptOutcome {
  const why = `The result could not be saved: ${fault}`
  return attempts >= MOST_ATTEMPTS ? { dead: why } : { retry: why }
}
