import { sql } from 'kysely'
import { timeNow } from '../time/clock.ts'
import type { Db } from './db.ts'
import { statement } from './statements/statement.ts'

/** A job for delivery to the outside, such as a mail or a webhook. */
export interface NewJob {
  queue: string
  /** The jobs of a lane are done one after another, in order. A job that is retried holds up its lane and no other. */
  lane: string
  /** Stored as JSON. Ids rather than texts: what the recipient may see is decided when it is sent. */
  payload: object
}

const JOB_COLUMNS = { queue: 'text', lane: 'text', payload: 'text', created_at: 'text' } as const

const insert = statement<{ jobs: string }>()((q, p, d) =>
  q
    .insertInto('jobs')
    .columns(['queue', 'lane', 'payload', 'created_at', 'attempts'])
    .expression(sql`select queue, lane, payload, created_at, 0 from ${d.recordsIn(p.jobs, JOB_COLUMNS)} as jobs`),
)

/** Adds jobs at the ends of their lanes, in the transaction of the change that causes them. */
export async function addJobs(tx: Db, jobs: readonly NewJob[]) {
  if (jobs.length === 0) return
  const lanes = new Map(jobs.map(({ queue, lane }) => [`${queue} ${lane}`, { queue, lane }]))
  await openLanes(tx, [...lanes.values()])
  const at = timeNow()
  const rows = jobs.map(({ payload, ...job }) => ({ ...job, payload: JSON.stringify(payload), created_at: at }))
  await tx.all(insert, { jobs: JSON.stringify(rows) })
  await tx.signalEverywhere('jobs')
}

const LANE_COLUMNS = { queue: 'text', lane: 'text' } as const

// An existing lane is updated too: a transaction that is about to remove it as empty waits, and then finds the new job.
const open = statement<{ lanes: string }>()((q, p, d) =>
  q
    .insertInto('lanes')
    .columns(['queue', 'lane', 'due_at', 'failures', 'lease'])
    .expression(
      sql`select queue, lane, ${d.now()}, 0, '' from ${d.recordsIn(p.lanes, LANE_COLUMNS)} as lanes where true order by queue, lane`,
    )
    .onConflict((conflict) => conflict.columns(['queue', 'lane']).doUpdateSet({ queue: sql`excluded.queue` })),
)

/** Makes lanes due that have, or are about to have, jobs. */
export async function openLanes(tx: Db, lanes: readonly { queue: string; lane: string }[]) {
  await tx.all(open, { lanes: JSON.stringify(lanes) })
}
