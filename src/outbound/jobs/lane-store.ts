import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { Job } from './job.ts'
import { jobOf, LARGEST_ID } from './job-store.ts'
import { storableReason } from './storable-reason.ts'

/** How many jobs of a lane are read at once. After a crash, this many may be done twice. */
const MOST_AHEAD = 5

const dueFresh = statement<{ queue: string; most: number }>()((q, p, d) =>
  q
    .selectFrom('lanes')
    .select('lane')
    .where('queue', '=', p.queue)
    .where('due_at', '<=', d.now())
    .where('failures', '=', sql.lit(0))
    .orderBy('due_at')
    .limit(p.most),
)
const dueTroubled = statement<{ queue: string; most: number }>()((q, p, d) =>
  q
    .selectFrom('lanes')
    .select('lane')
    .where('queue', '=', p.queue)
    .where('due_at', '<=', d.now())
    .where('failures', '>', sql.lit(0))
    .orderBy('due_at')
    .limit(p.most),
)

/** Due lanes: those whose last attempt succeeded, and those whose last attempt failed. */
export async function listDueLanes(
  db: Db,
  queue: string,
  most: { fresh: number; troubled: number },
): Promise<string[]> {
  const fresh = most.fresh > 0 ? await db.all(dueFresh, { queue, most: most.fresh }) : []
  // Finding failed lanes reads all due lanes, so it is left out if there is no room for them.
  const room = Math.min(most.troubled, most.fresh - fresh.length)
  const troubled = room > 0 ? await db.all(dueTroubled, { queue, most: room }) : []
  return [...fresh, ...troubled].map(({ lane }) => lane)
}

// Due lanes are found by their names: through the index by time, SQLite would read all due lanes of the queue.
const claim = statement<{ queue: string; lanes: string; lease: string; seconds: number }>()((q, p, d) =>
  q
    .updateTable('lanes')
    .set({ lease: p.lease, due_at: d.secondsFromNow(p.seconds) })
    .where('queue', '=', p.queue)
    .where('lane', 'in', d.textsIn(p.lanes))
    .where(sql<string>`due_at || ''`, '<=', d.now())
    .returning(['lane', 'failures']),
)

/** Leases lanes to one server for this many seconds. Returns those that no other server has leased first. */
export function claimLanes(db: Db, queue: string, lanes: readonly string[], lease: string, seconds: number) {
  return db.all(claim, { queue, lanes: JSON.stringify(lanes), lease, seconds })
}

// The last job to read. If the lane has fewer jobs, the largest possible id.
const lastAhead = sql`coalesce((select waiting.id from jobs as waiting where waiting.queue = lanes.queue and waiting.lane = lanes.lane
  and waiting.died_at is null order by waiting.id limit 1 offset ${sql.lit(MOST_AHEAD - 1)}), ${sql.lit(LARGEST_ID)})`

const firstJobs = statement<{ queue: string; lanes: string }>()((q, p, d) =>
  q
    .selectFrom('lanes')
    .innerJoin('jobs', (join) =>
      join
        .onRef('jobs.queue', '=', 'lanes.queue')
        .onRef('jobs.lane', '=', 'lanes.lane')
        .on('jobs.died_at', 'is', null)
        .on('jobs.id', '<=', sql<number>`${lastAhead}`),
    )
    .select(['jobs.id', 'jobs.queue', 'jobs.lane', 'jobs.payload', 'jobs.created_at', 'jobs.attempts'])
    .where('lanes.queue', '=', p.queue)
    .where('lanes.lane', 'in', d.textsIn(p.lanes)),
)

/** The first jobs of each lane, in order. They are sorted here: for an ordered list, SQLite would read all jobs of the queue. */
export async function firstJobsOf(db: Db, queue: string, lanes: readonly string[]): Promise<Map<string, Job[]>> {
  if (lanes.length === 0) return new Map()
  const found = await db.all(firstJobs, { queue, lanes: JSON.stringify(lanes) })
  const jobs = found.map(jobOf).sort((a, b) => a.id - b.id)
  return Map.groupBy(jobs, ({ lane }) => lane)
}

const leasedLanes = statement<{ queue: string; lanes: string; lease: string }>()((q, p, d) =>
  q
    .selectFrom('lanes')
    .select(['lane', 'failures'])
    .where('queue', '=', p.queue)
    .where('lane', 'in', d.textsIn(p.lanes))
    .where('lease', '=', p.lease)
    .orderBy('lane')
    .modifyEnd(d.locked()),
)

/** Locks those of the lanes that this server still has. They get no new jobs until the transaction ends. */
export function lockLanes(tx: Db, queue: string, lanes: readonly string[], lease: string) {
  return tx.all(leasedLanes, { queue, lanes: JSON.stringify(lanes), lease })
}

const removeJobs = statement<{ ids: string }>()((q, p, d) =>
  q.deleteFrom('jobs').where('id', 'in', d.integersIn(p.ids)),
)

export async function removeDoneJobs(tx: Db, ids: readonly number[]) {
  if (ids.length > 0) await tx.all(removeJobs, { ids: JSON.stringify(ids) })
}

const replace = statement<{ id: number; payload: string }>()((q, p) =>
  q.updateTable('jobs').set({ payload: p.payload }).where('id', '=', p.id),
)

/** What is left to do of a job. */
export async function changePayload(tx: Db, id: number, payload: object) {
  await tx.all(replace, { id, payload: JSON.stringify(payload) })
}

const fail = statement<{ id: number; why: string; diedAt: string | null }>()((q, p) =>
  q
    .updateTable('jobs')
    .set((row) => ({ attempts: row('attempts', '+', 1), last_fault: p.why, died_at: p.diedAt }))
    .where('id', '=', p.id),
)

export async function noteFailure(tx: Db, id: number, why: string, isDead: boolean) {
  await tx.all(fail, { id, why: storableReason(why), diedAt: isDead ? timeNow() : null })
}

const postpone = statement<{ queue: string; lane: string; seconds: number; failures: number }>()((q, p, d) =>
  q
    .updateTable('lanes')
    .set({ due_at: d.secondsFromNow(p.seconds), failures: p.failures, lease: '' })
    .where('queue', '=', p.queue)
    .where('lane', '=', p.lane),
)

/** Releases a lane, to be tried after this many seconds. */
export async function releaseLane(tx: Db, queue: string, lane: string, seconds: number, failures: number) {
  await tx.all(postpone, { queue, lane, seconds, failures })
}

const keep = statement<{ queue: string; lanes: string; seconds: number }>()((q, p, d) =>
  q
    .updateTable('lanes')
    .set({ due_at: d.secondsFromNow(p.seconds), failures: 0 })
    .where('queue', '=', p.queue)
    .where('lane', 'in', d.textsIn(p.lanes)),
)

/** Keeps the lease of lanes that have more jobs. */
export async function extendLanes(tx: Db, queue: string, lanes: readonly string[], seconds: number) {
  if (lanes.length > 0) await tx.all(keep, { queue, lanes: JSON.stringify(lanes), seconds })
}

const renew = statement<{ queue: string; lanes: string; lease: string; seconds: number }>()((q, p, d) =>
  q
    .updateTable('lanes')
    .set({ due_at: d.secondsFromNow(p.seconds) })
    .where('queue', '=', p.queue)
    .where('lane', 'in', d.textsIn(p.lanes))
    .where('lease', '=', p.lease),
)

/** Extends the lease of lanes that are still running. */
export async function renewLanes(db: Db, queue: string, lanes: readonly string[], lease: string, seconds: number) {
  await db.all(renew, { queue, lanes: JSON.stringify(lanes), lease, seconds })
}

const close = statement<{ queue: string; lanes: string }>()((q, p, d) =>
  q.deleteFrom('lanes').where('queue', '=', p.queue).where('lane', 'in', d.textsIn(p.lanes)),
)

export async function closeLanes(tx: Db, queue: string, lanes: readonly string[]) {
  if (lanes.length > 0) await tx.all(close, { queue, lanes: JSON.stringify(lanes) })
}

const hurry = statement<{ queues: string }>()((q, p, d) =>
  q
    .updateTable('lanes')
    .set({ due_at: d.now() })
    .where('queue', 'in', d.textsIn(p.queues))
    .where('due_at', '>', d.now())
    .where('lease', '=', ''),
)

/** Ends the delays of all lanes of these queues. As they have failed before, they take only half of the workers, and one job each. */
export async function endDelays(tx: Db, queues: readonly string[]) {
  await tx.all(hurry, { queues: JSON.stringify(queues) })
  await tx.signalEverywhere('jobs')
}

const hurrySome = statement<{ queue: string; lanes: string }>()((q, p, d) =>
  q
    .updateTable('lanes')
    .set({ due_at: d.now() })
    .where('queue', '=', p.queue)
    .where('lane', 'in', d.textsIn(p.lanes))
    .where(sql<string>`due_at || ''`, '>', d.now())
    .where('lease', '=', ''),
)

/** The same for some lanes of a queue. */
export async function endDelaysOf(tx: Db, queue: string, lanes: readonly string[]) {
  await tx.all(hurrySome, { queue, lanes: JSON.stringify(lanes) })
  await tx.signalEverywhere('jobs')
}
