import { randomUUID } from 'node:crypto'
import type { Db } from '../../platform/database/db.ts'
import { addJobs } from '../../platform/database/new-jobs.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { runInRounds } from '../delivery/rounds.ts'
import { listEventsAfter, newestPosition } from '../events/outbox-store.ts'
import { planEvents } from '../events/plan-events.ts'
import type { Consumer } from './consumer.ts'
import { addConsumer, findPosition, isKnown, leaseConsumer, moveConsumer, releaseConsumer } from './consumer-store.ts'

const MOST_EVENTS = 500
/** Many changes at once cost one transaction, and a tenth of a second does not matter for mail. */
const BATCH_MILLISECONDS = 100
const IDLE_MILLISECONDS = 2000
/** The position is not stored after every event without jobs. After a crash, such events are read again. */
const MOST_UNWRITTEN = 5000
const WRITE_AFTER_MILLISECONDS = 10_000
/** Well before the lease ends. If another server takes it anyway, nothing is written; see moveConsumer. */
const RENEW_AFTER_MILLISECONDS = 5000

/** Passes events to a consumer as long as this server runs. Only the server with the lease does so. */
export function feedConsumer(db: Db, log: Log, consumer: Consumer) {
  const { name } = consumer
  const lease = randomUUID()
  /** The stored position and the position really reached; undefined while this server does not have the lease. */
  let progress: { written: number; reached: number; leasedAt: number } | undefined
  let writtenAt = performance.now()
  let isKnownHere = false

  const round = async () => {
    if (!isKnownHere && !(await isKnown(db, name))) await addConsumer(db, name, await newestPosition(db))
    isKnownHere = true
    const from = progress?.reached ?? (await findPosition(db, name, lease))
    if (from === undefined) return false
    const events = await listEventsAfter(db, from, MOST_EVENTS)
    const last = events.at(-1)
    if (last === undefined) {
      await writeNowAndThen()
      return false
    }
    if (!(await holdsLease(from))) return true
    const jobs = await planEvents(db, log, consumer, events)
    const isWritten = jobs.length > 0 || last.position - (progress?.written ?? 0) > MOST_UNWRITTEN || isLongUnwritten()
    if (isWritten) await write(last.position, jobs)
    else if (progress) progress.reached = last.position
    return events.length === MOST_EVENTS
  }

  /**
   * Stores the position now and then even without jobs, so that these events are not read again after a restart and can
   * be deleted.
   */
  const writeNowAndThen = async () => {
    if (!progress || progress.reached === progress.written) return
    if (isLongUnwritten()) await write(progress.reached, [])
  }

  const isLongUnwritten = () => performance.now() - writtenAt > WRITE_AFTER_MILLISECONDS

  const holdsLease = async (from: number) => {
    if (progress && performance.now() - progress.leasedAt < RENEW_AFTER_MILLISECONDS) return true
    const leasedAt = performance.now()
    const written = await leaseConsumer(db, name, lease)
    // Another server has moved the position: start from there.
    if (written === undefined || written !== (progress?.written ?? from)) progress = undefined
    else progress = { written, reached: progress?.reached ?? written, leasedAt }
    return progress !== undefined
  }

  const write = async (to: number, jobs: Awaited<ReturnType<Consumer['plan']>>) => {
    const from = progress?.written ?? 0
    const leasedAt = performance.now()
    const isMoved = await db.transaction(async (tx) => {
      if (!(await moveConsumer(tx, name, lease, from, to))) return false
      await addJobs(tx, jobs)
      return true
    })
    progress = isMoved ? { written: to, reached: to, leasedAt } : undefined
    writtenAt = leasedAt
  }

  const pauses = {
    name: `feeding consumer ${name}`,
    log,
    batchMilliseconds: BATCH_MILLISECONDS,
    idleMilliseconds: IDLE_MILLISECONDS,
  }
  const rounds = runInRounds(pauses, round)
  const stop = db.listen('events', rounds.wake)
  return {
    async end() {
      stop()
      await rounds.end()
      if (progress && progress.reached > progress.written) await write(progress.reached, [])
      if (progress) await releaseConsumer(db, name, lease)
    },
  }
}
