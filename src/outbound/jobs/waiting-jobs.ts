import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Job, WaitingLane } from './job.ts'
import { jobOf } from './job-store.ts'

const openWaiting = statement<{ queue: string; lane: string; seconds: number }>()((q, p, d) =>
  q
    .insertInto('lanes')
    .values({ queue: p.queue, lane: p.lane, due_at: d.secondsFromNow(p.seconds), failures: 0, lease: '' })
    .onConflict((conflict) => conflict.columns(['queue', 'lane']).doUpdateSet({ queue: sql`excluded.queue` })),
)
// A copy has a new id, so that it comes after those that wait already.
const copy = statement<{ id: number; queue: string; lane: string; most: number }>()((q, p) =>
  q
    .insertInto('jobs')
    .columns(['queue', 'lane', 'payload', 'created_at', 'attempts'])
    .expression(
      q
        .selectFrom('jobs')
        .select([
          sql<string>`cast(${p.queue} as text)`.as('queue'),
          sql<string>`cast(${p.lane} as text)`.as('lane'),
          'payload',
          'created_at',
          sql<number>`0`.as('attempts'),
        ])
        .where('id', '=', p.id)
        .where(
          sql<boolean>`(select count(*) from jobs as waiting where waiting.queue = ${p.queue} and waiting.lane = ${p.lane}) < ${p.most}`,
        ),
    ),
)

/** Copies a job to a lane in which it waits; the lane is opened if it is not there. The caller deletes the job. */
export async function moveJob(tx: Db, id: number, { queue, lane, afterSeconds, mostJobs }: WaitingLane) {
  await tx.all(openWaiting, { queue, lane, seconds: afterSeconds })
  await tx.all(copy, { id, queue, lane, most: mostJobs })
}

const ofLane = statement<{ queue: string; lane: string; most: number }>()((q, p) =>
  q
    .selectFrom('jobs')
    .select(['id', 'queue', 'lane', 'payload', 'created_at', 'attempts'])
    .where('queue', '=', p.queue)
    .where('lane', '=', p.lane)
    .where('died_at', 'is', null)
    .orderBy('id')
    .limit(p.most),
)

/** The jobs of a lane that are done together. */
export async function listJobsOf(db: Db, queue: string, lane: string, most: number): Promise<Job[]> {
  return (await db.all(ofLane, { queue, lane, most })).map(jobOf)
}

const hurry = statement<{ queue: string; from: string; to: string }>()((q, p, d) =>
  q
    .updateTable('lanes')
    .set({ due_at: d.now() })
    .where('queue', '=', p.queue)
    .where('lane', '>=', p.from)
    .where('lane', '<', p.to)
    .where(sql<string>`due_at || ''`, '>', d.now())
    .where('lease', '=', sql.lit('')),
)

/** Makes all lanes due whose name begins with this word and a space: whether their jobs still wait is decided anew. */
export async function endWaitsOf(tx: Db, queue: string, word: string) {
  await tx.all(hurry, { queue, from: `${word} `, to: `${word}!` })
  await tx.signalEverywhere('jobs')
}
