import { readStateVersions } from '../../access/installation.ts'
import { doOncePerDay } from '../../platform/database/chores.ts'
import type { Db } from '../../platform/database/db.ts'
import { addJobs, type NewJob } from '../../platform/database/new-jobs.ts'
import { timeNow, toTime } from '../../platform/time/clock.ts'
import type { DeliveryContext } from '../delivery/delivery-context.ts'
import { type RoundPauses, runInRounds } from '../delivery/rounds.ts'
import { planOverdue } from '../overdue/plan-overdue.ts'
import { planReminderMails } from '../reminders/send-reminders.ts'
import { listAssigneesToRemind } from './reminder-store.ts'
import { nextTime, type Schedule } from './schedule.ts'
import { laneOfScheduledJob, REMINDERS, SCHEDULED_QUEUE, type ScheduledJob } from './scheduled-job.ts'
import { listMembers, lockDueTimes, postponeTime } from './scheduled-mail-store.ts'

type SchedulePauses = Pick<RoundPauses, 'batchMilliseconds' | 'idleMilliseconds'>
/** A starting server has more urgent work than its first check. */
const PAUSES: SchedulePauses = { batchMilliseconds: 3000, idleMilliseconds: 10_000 }
const MOST_SCHEDULES_AT_ONCE = 50

/** Checks regularly which mail is due. Of several servers only one handles each time of a schedule. */
export function runSchedules(context: DeliveryContext, pauses = PAUSES) {
  const { db, log } = context
  // Rounds of their own, so that a failure of one does not hold up the other.
  const reminding = runInRounds({ name: 'planning reminders', log, ...pauses }, async () => {
    await doOncePerDay(db, REMINDERS, timeNow().slice(0, 10), () => planReminders(context))
    return false
  })
  const asking = runInRounds({ name: 'planning mail about requests', log, ...pauses }, async () => {
    await planOverdue(context, (userId, at) => jobOf({ userId, at, isOverdue: true }))
    return planReminderMails(db, ({ id, user_id }, at) => jobOf({ userId: user_id, at, reminderId: id }))
  })
  const planning = runInRounds({ name: 'planning scheduled mail', log, ...pauses }, async () => {
    return (await planDue(context)) === MOST_SCHEDULES_AT_ONCE
  })
  return {
    async end() {
      await reminding.end()
      await asking.end()
      await planning.end()
    },
  }
}

/** The jobs are added in the transaction that moves the schedules. */
async function planDue({ db, installation, log }: DeliveryContext): Promise<number> {
  const groups = await installation.groupsAt(await readStateVersions(db))
  return db.transaction(async (tx) => {
    const due = await lockDueTimes(tx, MOST_SCHEDULES_AT_ONCE)
    for (const { id, mail_id, day, time, to_user_id, to_group_id, next_at } of due) {
      const receivers = to_user_id === null ? await listMembers(tx, groups.sourcesOf(to_group_id ?? 0)) : [to_user_id]
      await addScheduled(
        tx,
        receivers.map((userId) => ({ userId, at: next_at, mailId: mail_id })),
      )
      // Times missed while no server ran are made up for once, not once per missed time.
      await postponeTime(
        tx,
        id,
        timeAfter({ day, time }, (why) => log.error('schedule invalid', { mail: mail_id, why })),
      )
    }
    return due.length
  })
}

/**
 * A schedule without a next time cannot be created through the API. It is checked again in a year, and holds up no
 * others.
 */
function timeAfter(schedule: Schedule, note: (why: string) => void): string {
  try {
    return nextTime(schedule, Date.now())
  } catch (fault) {
    note(String(fault))
    return toTime(Date.now() + YEAR_MILLISECONDS)
  }
}

const YEAR_MILLISECONDS = 365 * 86_400_000

async function planReminders({ db, installation }: DeliveryContext) {
  const { whinedays } = await installation.settingsAt(await readStateVersions(db))
  if (whinedays === 0) return
  const at = timeNow()
  const people = await listAssigneesToRemind(db, whinedays)
  await db.transaction((tx) =>
    addScheduled(
      tx,
      people.map((userId) => ({ userId, at, isReminder: true })),
    ),
  )
}

function addScheduled(tx: Db, jobs: readonly ScheduledJob[]) {
  return addJobs(tx, jobs.map(jobOf))
}

function jobOf(payload: ScheduledJob): NewJob {
  return { queue: SCHEDULED_QUEUE, lane: laneOfScheduledJob(payload), payload }
}
