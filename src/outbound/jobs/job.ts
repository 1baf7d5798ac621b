import type { Db } from '../../platform/database/db.ts'

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
  | { readonly done: true }
  /** Try again, after `afterSeconds` instead of the queue's own delay. When the delays are used up, the job is dead. */
  | { readonly retry: string; readonly afterSeconds?: number }
  /** Do not try again: the job is kept as dead, and the lane goes on. */
  | { readonly dead: string }

/** How the jobs of one kind are performed. */
export interface Queue {
  readonly name: string
  /**
   * The number of lanes that run at once in this process. Lanes whose last attempt failed never take more than half.
   */
  readonly parallel: number
  /** Seconds after the first failed attempt, the second …; after the last one the job is dead. */
  readonly delays: readonly number[]
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

/** The final result of the attempt: `dead` also if the delays are used up. */
export type JobOutcome =
  | { readonly done: true }
  | { readonly retry: string; readonly afterSeconds: number; readonly nextTryAt: string }
  | { readonly dead: string }

/** Growing delays over about thirty days, like Bugzilla. */
export const MONTH_OF_DELAYS: readonly number[] = [10, 30, 60, 300, 600, ...Array<number>(720).fill(3600)]
