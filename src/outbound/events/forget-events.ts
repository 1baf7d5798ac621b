import { readSettings } from '../../access/installation.ts'
import { doOncePerDay } from '../../platform/database/chores.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { runInRounds } from '../delivery/rounds.ts'
import { forgetSome } from './outbox-store.ts'

const SECONDS_A_DAY = 86_400
const HOUR_MILLISECONDS = 3_600_000

/**
 * Deletes events that are older than the parameter allows, once a day on one of the servers. By default none is
 * deleted.
 */
export function forgetDaily(db: Db, log: Log) {
  const pauses = { batchMilliseconds: HOUR_MILLISECONDS / 60, idleMilliseconds: HOUR_MILLISECONDS }
  return runInRounds({ name: 'deleting old events', log, ...pauses }, async () => {
    await doOncePerDay(db, 'old events', timeNow().slice(0, 10), (goesOn) => forgetOld(db, goesOn))
    return false
  })
}

/** Deletes in small steps, so that changes do not have to wait. Events that a consumer has not read yet stay. */
export async function forgetOld(db: Db, goesOn: () => Promise<void> = async () => {}) {
  const { keep_events_days: days } = await readSettings(db)
  if (days === 0) return
  while (await forgetSome(db, secondsAgo(days * SECONDS_A_DAY))) await goesOn()
}
