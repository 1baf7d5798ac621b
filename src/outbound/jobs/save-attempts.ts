import type { Db } from '../../platform/database/db.ts'
import { addJobs } from '../../platform/database/new-jobs.ts'
import { toTime } from '../../platform/time/clock.ts'
import type { AttemptOutcome, Job, JobOutcome, Queue, WaitingLane } from './job.ts'
import {
  changePayload,
  closeLanes,
  extendLanes,
  firstJobsOf,
  lockLanes,
  noteFailure,
  releaseLane,
  removeDoneJobs,
} from './lane-store.ts'
import { moveJob } from './waiting-jobs.ts'

/** The result of a lane that was running. Without a job nothing was tried, and the lane is only released. */
export type JobAttempt = { readonly lane: string } & (
  | {
      readonly job: Job
      readonly outcome: AttemptOutcome
      /** Whether more jobs of the lane are running, so that this server keeps the lane. */
      readonly hasMore: boolean
    }
  | { readonly job: undefined }
)

interface Lease {
  lease: string
  leaseSeconds: number
  /** Whether this server continues the lane if it has more jobs. */
  keeps(lane: string): boolean
}

interface SavedAttempts {
  /** The next jobs of every lane that this server continues. */
  next: ReadonlyMap<string, Job[]>
  /** Lanes that another server has taken over. */
  lost: ReadonlySet<string>
}

export function saveAttempts(db: Db, queue: Queue, by: Lease, attempts: readonly JobAttempt[]): Promise<SavedAttempts> {
  return db.transaction(async (tx) => {
    const lanes = [...new Set(attempts.map(({ lane }) => lane))]
    const failuresByLane = new Map(
      (await lockLanes(tx, queue.name, lanes, by.lease)).map((row) => [row.lane, row.failures]),
    )
    const own = attempts.filter(({ lane }) => failuresByLane.has(lane))
    const isFree: string[] = []
    const settled: { job: Job; outcome: JobOutcome }[] = []
    for (const attempt of own) {
      const outcome = await settleOne(tx, queue, attempt, failuresByLane.get(attempt.lane) ?? 0)
      if (attempt.job && !attempt.hasMore && outcome && !('retry' in outcome)) isFree.push(attempt.lane)
      if (outcome && attempt.job) settled.push({ job: attempt.job, outcome })
    }
    await removeDoneJobs(
      tx,
      settled.filter(({ outcome }) => 'done' in outcome).map(({ job }) => job.id),
    )
    // All at once, so that lanes are locked in one order.
    await addJobs(tx, own.flatMap(following))
    await queue.settled?.(tx, settled)
    const next = await nextJobsOf(tx, queue, by, isFree)
    return { next, lost: new Set(lanes.filter((lane) => !failuresByLane.has(lane))) }
  })
}

/** Saves the result of the first job of the lane; returns undefined if none was tried. */
async function settleOne(tx: Db, queue: Queue, attempt: JobAttempt, failures: number): Promise<JobOutcome | undefined> {
  const { lane, job } = attempt
  if (job === undefined) {
    await releaseLane(tx, queue.name, lane, 0, failures)
    return undefined
  }
  const { outcome } = attempt
  if ('waitSeconds' in outcome) {
    if (!attempt.hasMore) await releaseLane(tx, queue.name, lane, outcome.waitSeconds, 0)
    return undefined
  }
  if ('goOn' in outcome) {
    await changePayload(tx, job.id, outcome.goOn)
    if (!attempt.hasMore) await releaseLane(tx, queue.name, lane, 0, 0)
    return undefined
  }
  if ('moveTo' in outcome) {
    await moveJob(tx, job.id, outcome.moveTo)
    return { done: true }
  }
  if ('done' in outcome && outcome.others !== undefined) await removeDoneJobs(tx, outcome.others)
  const settled = outcomeFrom(queue, job, outcome)
  if ('retry' in settled) {
    await noteFailure(tx, job.id, settled.retry, false)
    if (!attempt.hasMore) await releaseLane(tx, queue.name, lane, settled.afterSeconds, failures + 1)
  } else if ('dead' in settled) await noteFailure(tx, job.id, settled.dead, true)
  return settled
}

function following(attempt: JobAttempt) {
  const outcome = attempt.job === undefined ? undefined : attempt.outcome
  return outcome !== undefined && 'jobs' in outcome ? (outcome.jobs ?? []) : []
}

async function nextJobsOf(tx: Db, queue: Queue, by: Lease, lanes: readonly string[]): Promise<Map<string, Job[]>> {
  const next = await firstJobsOf(tx, queue.name, lanes)
  await closeLanes(
    tx,
    queue.name,
    lanes.filter((lane) => !next.has(lane)),
  )
  const kept = [...next.keys()].filter((lane) => by.keeps(lane))
  await extendLanes(tx, queue.name, kept, by.leaseSeconds)
  for (const lane of next.keys()) if (!by.keeps(lane)) await releaseLane(tx, queue.name, lane, 0, 0)
  return new Map([...next].filter(([lane]) => by.keeps(lane)))
}

type TriedOutcome = Exclude<AttemptOutcome, { waitSeconds: number } | { moveTo: WaitingLane } | { goOn: object }>

function outcomeFrom(queue: Queue, job: Job, outcome: TriedOutcome): JobOutcome {
  if ('done' in outcome) return outcome
  if ('dead' in outcome) return outcome
  const delay = queue.delayAfter(job.attempts)
  if (delay === undefined) return { dead: outcome.retry }
  const afterSeconds = outcome.afterSeconds ?? delay
  return { retry: outcome.retry, afterSeconds, nextTryAt: toTime(Date.now() + afterSeconds * 1000) }
}
