import { bugsUnfiltered, bugsVisibleTo, viewerOf } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import type { ActingContext } from '../receivers/act-as.ts'

const DAY_SECONDS = 86_400
/** Bugs that wait for their assignee to begin. */
const WAITING_STATUS = 'CONFIRMED'

const assigneesToRemind = statement<{ before: string }>()((q, p) =>
  bugsUnfiltered(q, 'This only finds the assignees; the bugs in the reminder are searched with their own rights.')
    .innerJoin('field_values', 'field_values.id', 'bugs.status_id')
    .innerJoin('users', 'users.id', 'bugs.assigned_to_id')
    .select('users.id')
    .distinct()
    .where('field_values.name', '=', WAITING_STATUS)
    .where('bugs.changed_at', '<', p.before)
    .where('users.email_enabled', '=', 1)
    .where('users.disabled_text', '=', ''),
)

/** Assignees of bugs that were not changed for this many days. */
export async function listAssigneesToRemind(db: Db, days: number): Promise<number[]> {
  return (await db.all(assigneesToRemind, { before: secondsAgo(days * DAY_SECONDS) })).map(({ id }) => id)
}

const MOST_REMINDED = 200

/** The bugs of a reminder, the longest unchanged first, without those that the user ignores. */
export async function listBugsToRemindOf({ db, settings, caller }: ActingContext, days: number): Promise<number[]> {
  const rows = await db.query((q, d) =>
    bugsVisibleTo(q, d, settings, viewerOf(caller))
      .innerJoin('field_values', 'field_values.id', 'bugs.status_id')
      .select('bugs.id')
      .where('bugs.assigned_to_id', '=', caller.id)
      .where('field_values.name', '=', WAITING_STATUS)
      .where('bugs.changed_at', '<', secondsAgo(days * DAY_SECONDS))
      .where('bugs.id', 'not in', q.selectFrom('ignored_bugs').select('bug_id').where('user_id', '=', caller.id))
      .orderBy('bugs.changed_at')
      .orderBy('bugs.id')
      .limit(MOST_REMINDED),
  )
  return rows.map(({ id }) => id)
}
