import { sql } from 'kysely'
import { MAIL_QUEUE } from '../../access/account-notice.ts'
import { DELETED_BUG_QUEUE, type DeletedBugJob } from '../../changes/delete-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import { delayWithinMonth, type Queue } from '../jobs/job.ts'
import { forgetDeadJob, LARGEST_ID, listDeadJobs } from '../jobs/job-store.ts'
import type { MailJob } from '../mail/mail-job.ts'

/** Events and deliveries have no index by bug, so all of them are scanned, this many ids at a time. */
const STEP = 5000

interface Range {
  ids: string
  from: number
  to: number
}

// The events stay, without their data, because the positions of later events are computed from them.
const emptyEvents = statement<Range>()((q, p, d) =>
  q
    .updateTable('outbox')
    .set({ facts: '{}', cc_ids: null })
    .where('id', '>=', p.from)
    .where('id', '<', p.to)
    .where('bug_id', 'in', d.integersIn(p.ids))
    .where('kind', '<>', 'bug.delete'),
)
const deleteDeliveries = statement<Range>()((q, p, d) =>
  q
    .deleteFrom('webhook_deliveries')
    .where('id', '>=', p.from)
    .where('id', '<', p.to)
    .where('bug_id', 'in', d.integersIn(p.ids))
    .where('kind', '<>', 'bug.delete'),
)
// What sources of code have reported is kept only for bugs.
const deleteChanges = statement<Omit<Range, 'ids'>>()((q, p) =>
  q
    .deleteFrom('code_changes')
    .where('id', '>=', p.from)
    .where('id', '<', p.to)
    .where(sql<boolean>`not exists (select 1 from code_links where code_links.change_id = code_changes.id)`),
)
// A table without rows has a last id before its first.
const FIRST_AND_LAST = [
  sql<number>`coalesce(min(id), 1)`.as('first'),
  sql<number>`coalesce(max(id), 0)`.as('last'),
] as const
const eventIds = statement<object>()((q) => q.selectFrom('outbox').select(FIRST_AND_LAST))
const deliveryIds = statement<object>()((q) => q.selectFrom('webhook_deliveries').select(FIRST_AND_LAST))
const changeIds = statement<object>()((q) => q.selectFrom('code_changes').select(FIRST_AND_LAST))

/** Deletes what events, webhook logs, changes of code and undelivered mail contain about deleted bugs. */
export function deletedBugReceivers({ db }: DeliveryContext): Receivers {
  const queue: Queue = {
    name: DELETED_BUG_QUEUE,
    parallel: 1,
    delayAfter: delayWithinMonth,
    limitSeconds: 600,
    async perform({ payload }) {
      const { bugIds } = payload as DeletedBugJob
      const ids = JSON.stringify(bugIds)
      await inSteps(await db.all(eventIds, {}), (range) => db.all(emptyEvents, { ids, ...range }))
      await inSteps(await db.all(deliveryIds, {}), (range) => db.all(deleteDeliveries, { ids, ...range }))
      await inSteps(await db.all(changeIds, {}), (range) => db.all(deleteChanges, range))
      await forgetUndelivered(db, new Set(bugIds))
      return { done: true }
    },
  }
  return { consumers: [], queues: [queue] }
}

async function inSteps(
  ids: readonly { first: number; last: number }[],
  step: (range: Omit<Range, 'ids'>) => ReturnType<Db['all']>,
) {
  for (const { first, last } of ids)
    for (let from = first; from <= last; from += STEP) await step({ from, to: from + STEP })
}

const DEAD_AT_ONCE = 500

/** Waiting mail need not be deleted: when it is sent, there is nothing to send. */
async function forgetUndelivered(db: Db, bugIds: ReadonlySet<number>) {
  let before = LARGEST_ID
  let isEnd = false
  while (!isEnd) {
    const dead = await listDeadJobs(db, MAIL_QUEUE, DEAD_AT_ONCE, before)
    for (const { id, payload } of dead) {
      before = id
      if (bugIds.has((payload as Partial<MailJob> | undefined)?.bugId ?? 0)) await forgetDeadJob(db, MAIL_QUEUE, id)
    }
    isEnd = dead.length < DEAD_AT_ONCE
  }
}
