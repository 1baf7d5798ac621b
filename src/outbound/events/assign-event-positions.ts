import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { runInRounds } from '../delivery/rounds.ts'
import { forgetDaily } from './forget-events.ts'
import { assignPositions, assignPositionsNow, MOST_AT_ONCE } from './outbox-store.ts'

/** Many changes at once are put in order together, so that this takes no time from making them. */
const GATHER_MILLISECONDS = 40
/** Whose server was killed between the commit and the round that follows it waits as long for another server's round. */
const IDLE_MILLISECONDS = 1000

/** Gives every event its place soon after its commit, and wakes whoever waits for events. Forgets old ones, where it is told to. */
export function assignEventPositions(db: Db, log: Log) {
  const pauses = { gatherMilliseconds: GATHER_MILLISECONDS, idleMilliseconds: IDLE_MILLISECONDS }
  let isAnnounced = false
  const rounds = runInRounds({ name: 'Putting events in order', log, ...pauses }, async () => {
    const give = isAnnounced ? assignPositionsNow : assignPositions
    isAnnounced = false
    return (await give(db)) >= MOST_AT_ONCE
  })
  const forgetting = forgetDaily(db, log)
  const stop = db.listen('outbox', () => {
    if (db.dialect.idsFollowCommits) return db.tell('events')
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
