import { currentChange } from '../../changes/current-change.ts'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import { addJobs } from '../../platform/database/new-jobs.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import {
  FEW_BUGS,
  MOST_BUGS_AT_ONCE,
  REMOVAL_QUEUE,
  type Removal,
  type RemovalJob,
  type RemovedClass,
} from './removal.ts'
import { deleteRemoval, findRemoval, findRemovalOf, forgetOldRemovals, insertRemoval } from './removal-store.ts'

/** What is removed, and what bugs get instead. */
export interface BegunRemoval {
  class: RemovedClass
  objectId: number
  name: string
  replacement?: { id: number; name: string } | undefined
  bugs: number
}

const FIRST_STEP = 50
const KEPT = 100

/** Counting goes no further than the answer of `needsSteps`; the progress of steps needs the whole number. */
export function mostCounted(inSteps: boolean) {
  return inSteps ? 2 ** 31 - 1 : MOST_BUGS_AT_ONCE + 1
}

/** Whether a removal with so many bugs is made in steps. Throws if it would have to be, and the caller has not asked for it. */
export function needsSteps(bugs: number, inSteps: boolean, name: string): boolean {
  if (!inSteps && bugs > MOST_BUGS_AT_ONCE) throw errors.removal_needs_steps({ name, most: MOST_BUGS_AT_ONCE })
  return inSteps && bugs > FEW_BUGS
}

/**
 * The steps are made by a job, after the commit. One that was stopped or has failed is replaced by this one. The caller has
 * closed the object for new bugs.
 */
export async function beginRemoval(
  tx: ConfigurationTransaction,
  who: number,
  { class: className, objectId, name, replacement, bugs }: BegunRemoval,
): Promise<Removal> {
  const before = await findRemovalOf(tx, className, objectId)
  if (before?.state === 'running') throw errors.removal_runs({ name })
  if (before !== undefined) await deleteRemoval(tx, before.id)
  const id = await insertRemoval(tx, {
    class: className,
    object_id: objectId,
    name,
    replacement_id: replacement?.id ?? null,
    replacement_name: replacement?.name ?? null,
    user_id: who,
    change_id: await currentChange(tx, who),
    begun_at: timeNow(),
    bugs,
  })
  await startSteps(tx, id)
  await forgetOldRemovals(tx, KEPT)
  return (await findRemoval(tx, id)) as Removal
}

export async function startSteps(tx: ConfigurationTransaction, removalId: number) {
  const payload: RemovalJob = { removalId, after: 0, most: FIRST_STEP, rounds: 0 }
  await addJobs(tx, [{ queue: REMOVAL_QUEUE, lane: String(removalId), payload }])
}
