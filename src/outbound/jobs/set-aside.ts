import type { Log } from '../../platform/monitoring/log.ts'
import { reasonOf } from '../../platform/monitoring/outage.ts'
import type { Outcome } from './job.ts'
import { type Attempt, saveAttempts } from './save-attempts.ts'

/** After so many attempts, a job whose result cannot be noted is dead: its lane goes on without it. */
const MOST_ATTEMPTS = 3

/**
 * Settles attempts whose results cannot be written down, whatever they were: as failed ones, and without the queue's own notes, which
 * may be what is wrong. Throws as well when nothing can be written, since then the database is at fault and not the job.
 */
export function setAside(log: Log, fault: unknown): typeof saveAttempts {
  return async (db, queue, by, attempts) => {
    const failed = attempts.map((attempt): Attempt => {
      return attempt.job ? { ...attempt, outcome: failedBy(fault, attempt.job.attempts) } : attempt
    })
    const after = await saveAttempts(db, { ...queue, settled: undefined }, by, failed)
    for (const { lane, job } of failed) {
      const isDead = (job?.attempts ?? 0) >= MOST_ATTEMPTS
      const facts = { queue: queue.name, lane, job: job?.id, attempts: job?.attempts, isDead, why: reasonOf(fault) }
      log.error('what came of a job could not be noted: it is put aside', facts)
    }
    return after
  }
}

function failedBy(fault: unknown, attempts: number): Outcome {
  const why = `What came of it could not be noted: ${fault}`
  return attempts >= MOST_ATTEMPTS ? { dead: why } : { retry: why }
}
