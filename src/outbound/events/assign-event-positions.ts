import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { runInRounds } from '../delivery/rounds.ts'
import { forgetDaily } from './forget-events.ts'
import { assignPositions, assignPositionsNow, MOST_EVENTS_AT_ONCE } from './outbox-store.ts'

/** Many events at once get their positions together, so that this takes no time from the changes themselves. */
const BATCH_MILLISECONDS = 40
/** If a server is killed between a commit and its round, the event waits for another server's round. */
const IDLE_MILLISECONDS = 1000

/**
 * Gives every event its position soon after its commit, and wakes the receivers of events. Deletes old events if a
 * parameter says so.
 */
export function assignEventPositions(db: Db, log: Log) {
  const pauses = { batchMilliseconds: BATCH_MILLISECONDS, idleMilliseconds: IDLE_MILLISECONDS }
  let isAnnounced = false
  const rounds = runInRounds({ name: 'assigning event positions', log, ...pauses }, async () => {
    const give = isAnnounced ? assignPositionsNow : assignPositions
    isAnnounced = false
    return (await give(db)) >= MOST_EVENTS_AT_ONCE
  })
  const forgetting = forgetDaily(db, log)
  const stop = db.listen('outbox', () => {
    if (db.dialect.idsFollowCommits) return db.signal('events')
    isAnnounced = true
    rounds.wake()
  })
  return {
    async end() {
      stop()
      await rounds.end()
      await forgetting.end()
    },
  }
}
