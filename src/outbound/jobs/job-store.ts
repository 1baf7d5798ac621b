import type { Db } from '../../platform/database/db.ts'
import { openLanes } from '../../platform/database/new-jobs.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Job } from './job.ts'

export interface DeadJob extends Job {
  readonly why: string
  readonly diedAt: string
}

const dead = statement<{ queue: string; before: number; most: number }>()((q, p) =>
  q
    .selectFrom('jobs')
    .selectAll()
    .where('queue', '=', p.queue)
    .where('died_at', 'is not', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.most),
)

/** The dead jobs, newest first. */
export async function listDeadJobs(db: Db, queue: string, most: number, before?: number): Promise<DeadJob[]> {
  const rows = await db.all(dead, { queue, most, before: before ?? LARGEST_ID })
  return rows.map((row) => ({ ...jobOf(row), why: row.last_fault ?? '', diedAt: row.died_at ?? '' }))
}

export const LARGEST_ID = 2 ** 31 - 1

const reviveAll = statement<{ queues: string }>()((q, p, d) =>
  q
    .updateTable('jobs')
    .set({ died_at: null, attempts: 0 })
    .where('queue', 'in', d.textsIn(p.queues))
    .where('died_at', 'is not', null)
    .returning(['id', 'queue', 'lane']),
)
const reviveSome = statement<{ queues: string; ids: string }>()((q, p, d) =>
  q
    .updateTable('jobs')
    .set({ died_at: null, attempts: 0 })
    .where('id', 'in', d.integersIn(p.ids))
    .where('queue', 'in', d.textsIn(p.queues))
    .where('died_at', 'is not', null)
    .returning(['id', 'queue', 'lane']),
)

/** Has dead jobs tried again, with all their attempts: these, or all. Returns the ids of those that were dead. */
export async function reviveJobs(tx: Db, queueNames: readonly string[], ids?: readonly number[]): Promise<number[]> {
  const queues = JSON.stringify(queueNames)
  const jobs =
    ids === undefined
      ? await tx.all(reviveAll, { queues })
      : await tx.all(reviveSome, { queues, ids: JSON.stringify(ids) })
  const lanes = new Map(jobs.map(({ queue, lane }) => [`${queue} ${lane}`, { queue, lane }]))
  await openLanes(tx, [...lanes.values()])
  await tx.signalEverywhere('jobs')
  return jobs.map(({ id }) => id).sort((a, b) => a - b)
}

const deleteDead = statement<{ queue: string; id: number }>()((q, p) =>
  q
    .deleteFrom('jobs')
    .where('id', '=', p.id)
    .where('queue', '=', p.queue)
    .where('died_at', 'is not', null)
    .returning('id'),
)

/** Deletes a dead job. Returns false if there is no such dead job. */
export async function forgetDeadJob(tx: Db, queue: string, id: number): Promise<boolean> {
  return (await tx.first(deleteDead, { queue, id })) !== undefined
}

const dropLaneOf = statement<{ queue: string; lane: string }>()((q, p) =>
  q.deleteFrom('lanes').where('queue', '=', p.queue).where('lane', '=', p.lane),
)
const dropJobsOf = statement<{ queue: string; lane: string }>()((q, p) =>
  q.deleteFrom('jobs').where('queue', '=', p.queue).where('lane', '=', p.lane),
)

/** Deletes a lane with all of its jobs, including dead ones, because their recipient is gone. */
export async function dropLane(tx: Db, queue: string, lane: string) {
  await tx.all(dropLaneOf, { queue, lane })
  await tx.all(dropJobsOf, { queue, lane })
}

const makeDue = statement<{ queue: string; lane: string }>()((q, p, d) =>
  q
    .updateTable('lanes')
    .set({ due_at: d.now(), failures: 0 })
    .where('queue', '=', p.queue)
    .where('lane', '=', p.lane)
    .where('lease', '=', ''),
)

/** Tries the jobs of a lane now instead of after their delay, because the cause of the failure may be fixed. */
export async function retryLaneNow(tx: Db, queue: string, lane: string) {
  await tx.all(makeDue, { queue, lane })
  await tx.signalEverywhere('jobs')
}

const stateOf = statement<{ queue: string; lane: string }>()((q, p) =>
  q
    .selectFrom('lanes')
    .select((row) => [
      'due_at',
      'failures',
      row
        .selectFrom('jobs')
        .select((job) => job.fn.countAll<number>().as('count'))
        .where('jobs.queue', '=', p.queue)
        .where('jobs.lane', '=', p.lane)
        .where('jobs.died_at', 'is', null)
        .as('waiting'),
    ])
    .where('queue', '=', p.queue)
    .where('lane', '=', p.lane),
)

/** The state of a lane; undefined if no job waits in it. */
export async function findLaneState(db: Db, queue: string, lane: string) {
  const row = await db.first(stateOf, { queue, lane })
  return row && { waiting: Number(row.waiting ?? 0), failures: row.failures, nextTryAt: row.due_at }
}

interface JobRow {
  id: number
  queue: string
  lane: string
  payload: string
  created_at: string
  attempts: number
}

/** Undefined if the payload is not JSON: then only this job fails, not the whole queue. */
function payloadIn(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

export function jobOf(row: JobRow): Job {
  return {
    id: row.id,
    queue: row.queue,
    lane: row.lane,
    payload: payloadIn(row.payload),
    createdAt: row.created_at,
    attempts: row.attempts,
  }
}
