import { readVersions } from '../../access/installation.ts'
import { doOncePerDay } from '../../platform/database/chores.ts'
import type { Db } from '../../platform/database/db.ts'
import { addJobs, type NewJob } from '../../platform/database/new-jobs.ts'
import { timeNow, toTime } from '../../platform/time/clock.ts'
import type { DeliveryContext } from '../delivery/delivery-context.ts'
import { runInRounds } from '../delivery/rounds.ts'
import { listForgetful } from './reminder-store.ts'
import { nextTime, type Schedule } from './schedule.ts'
import { laneOf, REMINDERS, SCHEDULED_QUEUE, type ScheduledJob } from './scheduled-job.ts'
import { listMembers, lockDueTimes, postponeTime } from './scheduled-mail-store.ts'

const LOOK_EVERY_MILLISECONDS = 10_000
/** A server that starts has other things to do first. */
const FIRST_MILLISECONDS = 3000
const MOST_AT_ONCE = 50

/** Looks now and then for what is to be mailed by now, in turn with the other servers: each time of a schedule comes once. */
export function runSchedules(context: DeliveryContext) {
  const { db, log } = context
  const pauses = { gatherMilliseconds: FIRST_MILLISECONDS, idleMilliseconds: LOOK_EVERY_MILLISECONDS }
  // Apart, so that neither is held up by what goes wrong with the other.
  const reminding = runInRounds({ name: 'Reminding people', log, ...pauses }, async () => {
    await doOncePerDay(db, REMINDERS, timeNow().slice(0, 10), () => planReminders(context))
    return false
  })
  const planning = runInRounds({ name: 'Scheduling mail', log, ...pauses }, async () => {
    return (await planDue(context)) === MOST_AT_ONCE
  })
  return {
    async end() {
      await reminding.end()
      await planning.end()
    },
  }
}

/** The jobs are made in the transaction that moves the schedules on. */
async function planDue({ db, installation, log }: DeliveryContext): Promise<number> {
  const groups = await installation.groupsAt(await readVersions(db))
  return db.transaction(async (tx) => {
    const due = await lockDueTimes(tx, MOST_AT_ONCE)
    for (const { id, mail_id, day, time, to_user_id, to_group_id, next_at } of due) {
      const receivers = to_user_id === null ? await listMembers(tx, groups.sourcesOf(to_group_id ?? 0)) : [to_user_id]
      await addScheduled(
        tx,
        receivers.map((userId) => ({ userId, at: next_at, mailId: mail_id })),
      )
      // What a server that was away has missed comes once, not for every time that it missed.
      await postponeTime(
        tx,
        id,
        timeAfter({ day, time }, (why) => log.error('schedule wrong', { mail: mail_id, why })),
      )
    }
    return due.length
  })
}

/** A schedule that never comes, which nobody can have asked for, is looked at again in a year, and holds up none of the others. */
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
  const { whinedays } = await installation.settingsAt(await readVersions(db))
  if (whinedays === 0) return
  const at = timeNow()
  const people = await listForgetful(db, whinedays)
  await db.transaction((tx) =>
    addScheduled(
      tx,
      people.map((userId) => ({ userId, at, isReminder: true })),
    ),
  )
}

function addScheduled(tx: Db, jobs: readonly ScheduledJob[]) {
  return addJobs(
    tx,
    jobs.map((payload): NewJob => ({ queue: SCHEDULED_QUEUE, lane: laneOf(payload), payload })),
  )
}
