import { sql } from 'kysely'
import { timeNow } from '../time/clock.ts'
import type { Db } from './db.ts'
import { statement } from './statements/statement.ts'

/** Something to be told to somebody outside. */
export interface NewJob {
  queue: string
  /** The jobs of a lane are done one after another, in their order; one that is to be tried again holds up its lane and no other. */
  lane: string
  /** Kept as JSON. Ids rather than texts: what may be told is decided when it is told. */
  payload: object
}

const JOB_COLUMNS = { queue: 'text', lane: 'text', payload: 'text', created_at: 'text' } as const

const insert = statement<{ jobs: string }>()((q, p, d) =>
  q
    .insertInto('jobs')
    .columns(['queue', 'lane', 'payload', 'created_at', 'attempts'])
    .expression(sql`select queue, lane, payload, created_at, 0 from ${d.recordsIn(p.jobs, JOB_COLUMNS)} as jobs`),
)

/** Adds jobs at the ends of their lanes. In the transaction of whatever asks for them. */
export async function addJobs(tx: Db, jobs: readonly NewJob[]) {
  if (jobs.length === 0) return
  const lanes = new Map(jobs.map(({ queue, lane }) => [`${queue} ${lane}`, { queue, lane }]))
  await openLanes(tx, [...lanes.values()])
  const at = timeNow()
  const rows = jobs.map(({ payload, ...job }) => ({ ...job, payload: JSON.stringify(payload), created_at: at }))
  await tx.all(insert, { jobs: JSON.stringify(rows) })
  await tx.tellEverywhere('jobs')
}

const LANE_COLUMNS = { queue: 'text', lane: 'text' } as const

// A lane that exists is written all the same: whoever is about to remove it as empty waits, and finds the new job in it.
const open = statement<{ lanes: string }>()((q, p, d) =>
  q
    .insertInto('lanes')
    .columns(['queue', 'lane', 'due_at', 'failures', 'lease'])
    .expression(
      sql`select queue, lane, ${d.now()}, 0, '' from ${d.recordsIn(p.lanes, LANE_COLUMNS)} as lanes where true order by queue, lane`,
    )
    .onConflict((conflict) => conflict.columns(['queue', 'lane']).doUpdateSet({ queue: sql`excluded.queue` })),
)

/** Has lanes looked at that have, or are about to have, jobs. */
export async function openLanes(tx: Db, lanes: readonly { queue: string; lane: string }[]) {
  await tx.all(open, { lanes: JSON.stringify(lanes) })
}
