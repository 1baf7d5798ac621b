import type { Db } from '../../platform/database/db.ts'

/** See NewJob. */
export interface Job {
  readonly id: number
  readonly queue: string
  readonly lane: string
  /** Undefined when what is stored cannot be read. */
  readonly payload: unknown
  readonly createdAt: string
  /** This one included. */
  readonly attempts: number
}

/** What came of an attempt. */
export type Outcome =
  | { readonly done: true }
  /** To be tried again; `afterSeconds` instead of the queue's own delay. When the delays are used up, the job is dead. */
  | { readonly retry: string; readonly afterSeconds?: number }
  /** Trying again is of no use: kept among the dead, and the lane goes on. */
  | { readonly dead: string }

/** How the jobs of one kind are done. */
export interface Queue {
  readonly name: string
  /** How many lanes at once, in this process. Lanes whose last attempt failed never take more than half. */
  readonly parallel: number
  /** Seconds after the first failed attempt, the second …; after the last one the job is dead. */
  readonly delays: readonly number[]
  /** No attempt takes longer: then `signal` aborts, and the attempt counts as failed. */
  readonly limitSeconds: number
  /** One attempt. What it throws is a failed attempt, to be tried again. Outside of any transaction. */
  perform(job: Job, signal: AbortSignal): Promise<Outcome>
  /**
   * In the transaction that settles jobs (removes, postpones or buries them): for a log of attempts. May be asked again for the same
   * ones. When it throws, also for a job alone, that job is put aside: tried again as if it had failed, and soon dead.
   */
  settled?(tx: Db, jobs: readonly { readonly job: Job; readonly outcome: JobOutcome }[]): Promise<void>
  /** When this server ends and no attempt is under way any more. */
  close?(): Promise<void>
}

/** What became of the job: `dead` also when the delays are used up. */
export type JobOutcome =
  | { readonly done: true }
  | { readonly retry: string; readonly afterSeconds: number; readonly nextTryAt: string }
  | { readonly dead: string }

/** Growing delays for days: about thirty of them, as the original has it. */
export const PATIENT_DELAYS: readonly number[] = [10, 30, 60, 300, 600, ...Array<number>(720).fill(3600)]
