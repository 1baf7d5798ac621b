import { noteCatalogueChanged } from '../../access/installation.ts'
import { continueChange } from '../../changes/current-change.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { RemovalJob } from './removal.ts'
import { findRemovedObject } from './removal-steps.ts'
import { changeRemovalState, findRemoval, noteBugsDone } from './removal-store.ts'

/** A step takes about so long, in which those who write wait for it. */
const STEP_MILLISECONDS = 100
/** Longer steps are made smaller however few bugs they take: single bugs can have thousands of comments. */
const LONG_STEP_MILLISECONDS = 400
/** With fewer bugs most of a step would be what every step needs. */
const USUAL_STEP = 100
const LARGEST_STEP = 1000
/** If bugs get the removed thing again and again, the last step takes those that are left, however many they are. */
const MOST_ROUNDS = 20

/** Makes the next step, in a transaction of its own. Returns undefined if it was the last one. */
export async function continueRemoval(db: Db, job: RemovalJob): Promise<RemovalJob | undefined> {
  try {
    return await db.transaction((tx) => makeStep(tx, job), 'configuration')
  } catch (fault) {
    // A rule forbids it now. What is busy or out of reach is tried again.
    if (!(fault instanceof ApiError) || fault.status >= 500) throw fault
    await failRemoval(db, job.removalId, fault.message)
    return undefined
  }
}

export async function failRemoval(db: Db, id: number, reason: string) {
  await db.transaction(async (tx) => {
    if ((await findRemoval(tx, id))?.state === 'running') await changeRemovalState(tx, id, 'failed', reason)
  }, 'configuration')
}

async function makeStep(tx: ConfigurationTransaction, job: RemovalJob): Promise<RemovalJob | undefined> {
  const startedAt = performance.now()
  const { removalId, most, rounds } = job
  const removal = await findRemoval(tx, removalId)
  if (removal?.state !== 'running') return undefined
  const { user_id: who } = removal
  continueChange(tx, who, removal.change_id)
  const object = await findRemovedObject(tx, removal)
  if (object === undefined) {
    // Another call has deleted it meanwhile, with what was left.
    await changeRemovalState(tx, removalId, 'done')
    return undefined
  }
  const { bugs, after } = await object.step(tx, { who, at: timeNow() }, job)
  if (bugs > 0) await noteBugsDone(tx, removalId, bugs)
  if (after !== undefined) return { removalId, after, most: nextSize(most, performance.now() - startedAt), rounds }
  if (rounds < MOST_ROUNDS && (await object.hasBugs(tx))) return { removalId, after: 0, most, rounds: rounds + 1 }
  await noteCatalogueChanged(tx)
  await object.finish(tx, who)
  await changeRemovalState(tx, removalId, 'done')
  return undefined
}

/** Steps grow slowly, and shrink at once if one takes long. */
function nextSize(size: number, milliseconds: number) {
  const fitting = Math.round((size * STEP_MILLISECONDS) / Math.max(milliseconds, 1))
  const smallest = milliseconds > LONG_STEP_MILLISECONDS ? 1 : Math.min(size * 2, USUAL_STEP)
  return Math.max(smallest, Math.min(fitting, size * 2, LARGEST_STEP))
}
