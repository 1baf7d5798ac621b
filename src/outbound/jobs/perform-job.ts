import { BY_SERVER } from '../../access/change-source.ts'
import { runFromSource } from '../../platform/queues/current-caller.ts'
import type { AttemptOutcome, Job, Queue } from './job.ts'

/** One attempt at a job, within the time limit of its queue. Undefined if the end of the server cut it short: then it does not count. */
export async function performJob(queue: Queue, job: Job, stopping: AbortSignal): Promise<AttemptOutcome | undefined> {
  const cutting = new AbortController()
  const cut = () => cutting.abort()
  const late = setTimeout(() => cutting.abort(new DOMException('', 'TimeoutError')), queue.limitSeconds * 1000)
  stopping.addEventListener('abort', cut)
  const isCut = new Promise<AttemptOutcome>((resolve) => {
    cutting.signal.onabort = () => resolve({ retry: `The attempt took longer than ${queue.limitSeconds} seconds.` })
  })
  const outcome = await Promise.race([isCut, attempt(queue, job, cutting.signal)])
  // Otherwise the timers and listeners of thousands of attempts would stay in memory until their time limit.
  clearTimeout(late)
  stopping.removeEventListener('abort', cut)
  return stopping.aborted && !('done' in outcome) ? undefined : outcome
}

async function attempt(queue: Queue, job: Job, signal: AbortSignal): Promise<AttemptOutcome> {
  if (job.payload === undefined) return { dead: 'The stored job cannot be read.' }
  try {
    // A request can have woken the queue; what the job changes is not by that request.
    return await runFromSource(BY_SERVER, () => queue.perform(job, signal))
  } catch (fault) {
    return { retry: String(fault) }
  }
}
