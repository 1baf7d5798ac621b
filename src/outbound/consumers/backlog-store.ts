import { sql } from 'kysely'
import { ACCOUNT_MAIL_QUEUE, DIGEST_QUEUE, MAIL_QUEUE, MANY_QUEUE, PAGES_QUEUE } from '../../access/account-notice.ts'
import { REMOVAL_QUEUE } from '../../catalogue/removals/removal.ts'
import { DELETED_BUG_QUEUE } from '../../changes/delete-bugs.ts'
import { CONTENT_QUEUE } from '../../changes/stored-contents.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { FORGOTTEN_CONSUMER, positionColumn } from '../events/outbox-store.ts'
import { SCHEDULED_QUEUE } from '../scheduled/scheduled-job.ts'
import { WEBHOOK_QUEUE } from '../webhooks/webhook-queue.ts'

const QUEUES = [
  MAIL_QUEUE,
  MANY_QUEUE,
  PAGES_QUEUE,
  DIGEST_QUEUE,
  ACCOUNT_MAIL_QUEUE,
  WEBHOOK_QUEUE,
  SCHEDULED_QUEUE,
  CONTENT_QUEUE,
  DELETED_BUG_QUEUE,
  REMOVAL_QUEUE,
] as const

/** Counting stops here, so that a scrape does not take longer the more is waiting. */
const MOST_COUNTED = 10_000

/** One row of waiting work, of any kind. */
interface BacklogRow {
  kind: 'queue' | 'consumer' | 'feed' | 'webhooks' | 'mail outage'
  name: string
  waiting: number
  /** The time of the oldest waiting item. */
  oldest: string | null
  failed: number
}

const upTo = (rows: ReturnType<typeof sql>) =>
  sql`(select count(*) from (select 1 as one from ${rows} limit ${sql.lit(MOST_COUNTED)}) as counted)`

function ofQueue(queue: string) {
  const own = sql`jobs where queue = ${sql.lit(queue)} and died_at is`
  return sql`select 'queue' as kind, ${sql.lit(nameOf(queue))} as name, ${upTo(sql`${own} null`)} as waiting,
    (select created_at from ${own} null order by id limit 1) as oldest, ${upTo(sql`${own} not null`)} as failed`
}

/** As operators see it. The stored names of queues have two spellings, and renaming one would lose waiting jobs. */
function nameOf(queue: string) {
  return queue.replaceAll('_', ' ')
}

const backlog = statement<object>()((q, _, d) => {
  const eventPosition = positionColumn(d)
  const unordered = d.idsFollowCommits ? sql`outbox where 1 = 0` : sql`outbox where position is null`
  const consumers = sql`select 'consumer', name,
      coalesce((select max(${eventPosition}) from outbox), consumers.position) - consumers.position,
      (select at from outbox where ${eventPosition} > consumers.position order by ${eventPosition} limit 1), set_aside
    from consumers where name <> ${sql.lit(FORGOTTEN_CONSUMER)}`
  const feed = sql`select 'feed', '', ${upTo(unordered)}, (select min(at) from ${unordered}), 0`
  const webhooks = sql`select 'webhooks',
      case when is_active = 0 then 'off' when failing_since is not null then 'failing' else 'active' end, count(*), null, 0
    from webhooks group by 2`
  const outage = sql`select 'mail outage', '', 1, since, 0 from mail_outages`
  const parts = [...QUEUES.map(ofQueue), consumers, feed, webhooks, outage]
  return q.selectFrom(sql<BacklogRow>`(${sql.join(parts, sql` union all `)})`.as('backlog')).selectAll()
})

/** All waiting work in the database, in one query. */
export function listBacklog(db: Db): Promise<BacklogRow[]> {
  return db.all(backlog, {})
}
