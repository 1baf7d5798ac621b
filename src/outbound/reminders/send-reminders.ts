import type { Db } from '../../platform/database/db.ts'
import { addJobs, type NewJob } from '../../platform/database/new-jobs.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { ActingContext } from '../receivers/act-as.ts'
import { type ScheduledMessage, shownBugs } from '../scheduled/shown-bugs.ts'
import { findReminder, isAnyReminderDue, takeDueReminders } from './own-reminder-store.ts'

const MOST_AT_ONCE = 200

/** Plans the mails of reminders that are due. Returns whether there may be more. */
export async function planReminderMails(
  db: Db,
  jobFor: (reminder: { id: number; user_id: number }, at: string) => NewJob,
): Promise<boolean> {
  const at = timeNow()
  if (!(await isAnyReminderDue(db, at.slice(0, 10)))) return false
  const taken = await db.transaction(async (tx) => {
    const due = await takeDueReminders(tx, at, MOST_AT_ONCE)
    await addJobs(
      tx,
      due.map((reminder) => jobFor(reminder, at)),
    )
    return due.length
  })
  return taken === MOST_AT_ONCE
}

/** The mail of a reminder. There is none if its owner may no longer see the bug, or has deleted it. */
export async function writeOwnReminder(receiver: ActingContext, reminderId: number): Promise<ScheduledMessage[]> {
  const reminder = await findReminder(receiver.db, reminderId)
  if (reminder?.user_id !== receiver.caller.id) return []
  const bugs = await shownBugs(receiver, [reminder.bug_id])
  const [bug] = bugs
  if (bug === undefined) return []
  const day = reminder.created_at.slice(0, 10)
  return [
    {
      subject: `[Bug ${bug.id}] Reminder: ${bug.summary}`,
      body: reminder.note === '' ? `On ${day} you asked to be reminded of this bug.` : reminder.note,
      lists: [{ title: `Your reminder of ${day}`, bugs }],
    },
  ]
}
