import { sql } from 'kysely'
import { ACCOUNT_MAIL_QUEUE, MAIL_QUEUE } from '../../../access/account-notice.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { reviveJobs } from '../../jobs/job-store.ts'
import { endDelays, endDelaysOf } from '../../jobs/lane-store.ts'

const MAIL_QUEUES = [MAIL_QUEUE, ACCOUNT_MAIL_QUEUE] as const
const queueNames = MAIL_QUEUES.map((queue) => sql.lit(queue))

/** A message that is not delivered yet, or has failed for good. */
export interface UndeliveredRow {
  id: number
  /** See MailJob; as JSON text. */
  payload: string
  created_at: string
  attempts: number
  last_fault: string | null
  /** Null while it is still tried. */
  died_at: string | null
  next_try_at: string | null
}

const COLUMNS = [
  'jobs.id',
  'jobs.payload',
  'jobs.created_at',
  'jobs.attempts',
  'jobs.last_fault',
  'jobs.died_at',
] as const

type Page = { before: number; most: number }

const dead = statement<Page>()((q, p) =>
  q
    .selectFrom('jobs')
    .select(COLUMNS)
    .select(sql<string | null>`null`.as('next_try_at'))
    .where('jobs.queue', 'in', queueNames)
    .where('jobs.died_at', 'is not', null)
    .where('jobs.id', '<', p.before)
    .orderBy('jobs.id', 'desc')
    .limit(p.most),
)
const waiting = statement<Page>()((q, p) =>
  q
    .selectFrom('jobs')
    .leftJoin('lanes', (join) => join.onRef('lanes.queue', '=', 'jobs.queue').onRef('lanes.lane', '=', 'jobs.lane'))
    .select(COLUMNS)
    .select('lanes.due_at as next_try_at')
    .where('jobs.queue', 'in', queueNames)
    .where('jobs.died_at', 'is', null)
    .where('jobs.id', '<', p.before)
    .orderBy('jobs.id', 'desc')
    .limit(p.most),
)

/** Dead or waiting messages, newest first. */
export function listUndelivered(db: Db, state: 'dead' | 'waiting', page: Page): Promise<UndeliveredRow[]> {
  return db.all(state === 'dead' ? dead : waiting, page)
}

const counts = statement<object>()((q) =>
  q
    .selectFrom('jobs')
    .select([
      sql<number>`count(case when died_at is null then 1 end)`.as('waiting'),
      sql<number>`count(died_at)`.as('dead'),
    ])
    .where('queue', 'in', queueNames),
)

export async function countUndelivered(db: Db): Promise<{ waiting: number; dead: number }> {
  const row = await db.first(counts, {})
  return { waiting: Number(row?.waiting ?? 0), dead: Number(row?.dead ?? 0) }
}

const deleteSome = statement<{ ids: string }>()((q, p, d) =>
  q
    .deleteFrom('jobs')
    .where('id', 'in', d.integersIn(p.ids))
    .where('queue', 'in', queueNames)
    .where((row) =>
      row.or([
        row('died_at', 'is not', null),
        row.not(
          row.exists(
            row
              .selectFrom('lanes')
              .select('lanes.lane')
              .whereRef('lanes.queue', '=', 'jobs.queue')
              .whereRef('lanes.lane', '=', 'jobs.lane')
              .where('lanes.lease', '<>', ''),
          ),
        ),
      ]),
    )
    .returning('id'),
)

/** Deletes dead and waiting messages, except those of which a server may be sending one now. Returns their ids. */
export async function deleteUndelivered(tx: Db, ids: readonly number[]): Promise<number[]> {
  const deleted = await tx.all(deleteSome, { ids: JSON.stringify(ids) })
  return deleted.map(({ id }) => id).sort((a, b) => a - b)
}

const waitingAmong = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('jobs')
    .select(['id', 'queue', 'lane'])
    .where('id', 'in', d.integersIn(p.ids))
    .where('queue', 'in', queueNames)
    .where('died_at', 'is', null),
)

/** Tries dead messages again, and waiting ones now: these, or all. Those that are being tried at this moment are left alone. */
export async function retryUndelivered(
  tx: Db,
  ids?: readonly number[],
): Promise<{ dead: readonly number[]; waiting: readonly number[] }> {
  if (ids === undefined) {
    await endDelays(tx, MAIL_QUEUES)
    return { dead: await reviveJobs(tx, MAIL_QUEUES), waiting: [] }
  }
  const waiting = await tx.all(waitingAmong, { ids: JSON.stringify(ids) })
  for (const [queue, jobs] of Map.groupBy(waiting, (job) => job.queue)) {
    const lanes = jobs.map(({ lane }) => lane)
    await endDelaysOf(tx, queue, lanes)
  }
  return { dead: await reviveJobs(tx, MAIL_QUEUES, ids), waiting: waiting.map(({ id }) => id) }
}
