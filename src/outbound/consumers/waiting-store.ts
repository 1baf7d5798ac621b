import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { FORGOTTEN_CONSUMER, positionColumn } from '../events/outbox-store.ts'
import { REMINDERS } from '../scheduled/scheduled-job.ts'

const waiting = statement<object>()((q, _, d) =>
  q.selectNoFrom(
    // The largest position is found by its index. PostgreSQL looked for any that is larger by reading the whole table.
    sql<number>`case when (select max(${positionColumn(d)}) from outbox)
        > (select min(consumers.position) from consumers where name <> ${sql.lit(FORGOTTEN_CONSUMER)})
      or exists (select 1 from lanes where due_at <= ${d.now()} or lease <> '')
      or exists (select 1 from scheduled_mail_times where next_at <= ${d.now()})
      then 1 else 0 end`.as('is_so'),
  ),
)

/** Whether anything is due for delivery or being delivered. */
export async function isAnythingWaiting(db: Db): Promise<boolean> {
  return (await db.first(waiting, {}))?.is_so === 1
}

const lastReminders = statement<object>()((q) => q.selectFrom('chores').select('on_day').where('name', '=', REMINDERS))

/** Whether today's reminders have not been planned yet. */
export async function areRemindersDue(db: Db): Promise<boolean> {
  const last = await db.first(lastReminders, {})
  return last === undefined || last.on_day < timeNow().slice(0, 10)
}
