import type { Db } from '../../platform/database/db.ts'
import type { NewJob } from '../../platform/database/new-jobs.ts'

/** A stored job; see NewJob. */
export interface Job {
  readonly id: number
  readonly queue: string
  readonly lane: string
  /** Undefined if the stored payload cannot be parsed. */
  readonly payload: unknown
  readonly createdAt: string
  /** Including the current attempt. */
  readonly attempts: number
}

/** The result of an attempt. */
export type AttemptOutcome =
  /** `others` are jobs of the same lane that were done together with this one; `jobs` follow from it, and are stored with its end. */
  | { readonly done: true; readonly others?: readonly number[]; readonly jobs?: readonly NewJob[] }
  /** A part is done: the job goes on with this payload, which is stored together with the jobs that follow from the part. */
  | { readonly goOn: object; readonly jobs: readonly NewJob[] }
  /** It is not time yet: neither a failure nor an attempt. */
  | { readonly waitSeconds: number }
  /** It is not time yet, and until then the job belongs to another lane. */
  | { readonly moveTo: WaitingLane }
  /** Try again, after `afterSeconds` instead of the queue's own delay. Where the queue has no delay, the job is dead. */
  | { readonly retry: string; readonly afterSeconds?: number }
  /** Do not try again: the job is kept as dead, and the lane goes on. */
  | { readonly dead: string }

/** A lane in which jobs wait together. */
export interface WaitingLane {
  readonly queue: string
  readonly lane: string
  readonly afterSeconds: number
  /** If it has so many jobs, further ones are deleted instead. */
  readonly mostJobs: number
}

/** How the jobs of one kind are performed. */
export interface Queue {
  readonly name: string
  /**
   * The number of attempts that run at once in this process. Lanes whose last attempt failed never take more than half.
   */
  readonly parallel: number
  /** The number of lanes that are claimed together, for queues with many short jobs; without it as many as run at once. */
  readonly claimedLanes?: number
  /** Seconds until the next attempt after so many failed ones; undefined if there is none, and the job is dead. */
  delayAfter(failedAttempts: number): number | undefined
  /** The time limit of an attempt: then `signal` aborts with a TimeoutError, and the attempt counts as failed. */
  readonly limitSeconds: number
  /** Makes one attempt, outside of any transaction. If it throws, the attempt failed and is repeated. */
  perform(job: Job, signal: AbortSignal): Promise<AttemptOutcome>
  /**
   * Called in the transaction that saves the results of jobs, for a log of attempts; may be called again for the same
   * ones. If it throws even for a single job, that job counts as failed, and is dead after a few attempts.
   */
  settled?(tx: Db, jobs: readonly { readonly job: Job; readonly outcome: JobOutcome }[]): Promise<void>
  /** Called when this server ends and no attempt is running. */
  close?(): Promise<void>
}

/** The final result of the attempt: `dead` also if no attempt follows. */
export type JobOutcome =
  | { readonly done: true }
  | { readonly retry: string; readonly afterSeconds: number; readonly nextTryAt: string }
  | { readonly dead: string }

const FIRST_DELAYS: readonly number[] = [10, 30, 60, 300, 600]
const HOURLY_ATTEMPTS = 720

/** Growing delays over about thirty days, like Bugzilla. */
export function delayWithinMonth(failedAttempts: number): number | undefined {
  if (failedAttempts <= FIRST_DELAYS.length) return FIRST_DELAYS[failedAttempts - 1]
  return failedAttempts <= FIRST_DELAYS.length + HOURLY_ATTEMPTS ? 3600 : undefined
}
