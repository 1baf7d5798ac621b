import { sql } from 'kysely'
import type { InsiderParams } from '../../../access/visibility/reader-rights.ts'
import { bugsVisibleTo, keyOfRules, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'

type Params = InsiderParams & { today: string; since: string }

// One that is written for the same day is due at once.
const dueAt = sql<string>`case when reminders.created_at > reminders.remind_on || 'T00:00:00Z' then reminders.created_at
  else reminders.remind_on || 'T00:00:00Z' end`

const due = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<Params>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .innerJoin('reminders', 'reminders.bug_id', 'bugs.id')
      .select(['bugs.id as bug_id', 'reminders.id', 'reminders.note', 'reminders.remind_on', dueAt.as('at')])
      .where('reminders.user_id', '=', p.viewerId)
      .where('reminders.remind_on', '<=', p.today)
      .where('reminders.remind_on', '>=', p.since)
      .where(
        sql<boolean>`not exists (select 1 from ignored_bugs where ignored_bugs.bug_id = bugs.id and ignored_bugs.user_id = ${p.viewerId})`,
      )
      .orderBy('at', 'desc')
      .orderBy('reminders.id', 'desc'),
  ),
)

/** The reader's own reminders that became due between these days, newest first, of bugs that they see and do not ignore. */
export function listDueReminders(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  days: { since: string; today: string },
) {
  return db.all(due(rules), { ...reader, ...days })
}

export type DueReminder = Awaited<ReturnType<typeof listDueReminders>>[number]
