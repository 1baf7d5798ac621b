import { randomUUID } from 'node:crypto'
import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { type Rounds, runInRounds } from '../delivery/rounds.ts'
import { listEventsAfter, newestPosition } from '../events/outbox-store.ts'
import { planEvents } from '../events/plan-events.ts'
import type { Consumer } from './consumer.ts'
import { addConsumer, findPosition, isKnown, leaseConsumer, moveConsumer, releaseConsumer } from './consumer-store.ts'

const MOST_EVENTS = 500
/** Many changes at once take one transaction, and a tenth of a second does not matter to a mail. */
const BATCH_MILLISECONDS = 100
const IDLE_MILLISECONDS = 2000
/** The position after events without effect is saved only now and then: after a crash these events are read again. */
const MOST_UNSAVED = 5000
const SAVE_AFTER_MILLISECONDS = 10_000
/** Well before another server may take the lease. If one did all the same, nothing is saved; see moveConsumer. */
const RENEW_AFTER_MILLISECONDS = 5000

/** The position in the database, the position that was really reached, and when the lease was taken. */
interface LeasedPosition {
  saved: number
  reached: number
  leasedAt: number
}

/** Gives a consumer its events while this server runs, in turn with the other servers. */
export class ConsumerFeeder {
  private readonly db: Db
  private readonly log: Log
  private readonly consumer: Consumer
  private readonly lease = randomUUID()
  private readonly rounds: Rounds
  private readonly stopListening: () => void
  /** Undefined while this server does not have the lease. */
  private position: LeasedPosition | undefined
  private savedAt = performance.now()
  private isRegistered = false

  constructor(db: Db, log: Log, consumer: Consumer) {
    this.db = db
    this.log = log
    this.consumer = consumer
    const pauses = { batchMilliseconds: BATCH_MILLISECONDS, idleMilliseconds: IDLE_MILLISECONDS }
    this.rounds = runInRounds({ name: `feeding consumer ${consumer.name}`, log, ...pauses }, () => this.round())
    this.stopListening = db.listen('events', this.rounds.wake)
  }

  async end() {
    this.stopListening()
    await this.rounds.end()
    if (this.position && this.position.reached > this.position.saved) await this.save(this.position.reached, [])
    if (this.position) await releaseConsumer(this.db, this.consumer.name, this.lease)
  }

  /** Returns whether there may be more events. */
  private async round(): Promise<boolean> {
    const { db, consumer } = this
    await this.register()
    const from = this.position?.reached ?? (await findPosition(db, consumer.name, this.lease))
    if (from === undefined) return false
    const events = await listEventsAfter(db, from, MOST_EVENTS)
    const last = events.at(-1)
    if (last === undefined) {
      await this.saveNowAndThen()
      return false
    }
    if (!(await this.holdsLease(from))) return true
    const items = await planEvents(db, this.log, consumer, events)
    const unsaved = last.position - (this.position?.saved ?? 0)
    if (items.length > 0 || unsaved > MOST_UNSAVED || this.isLongUnsaved()) await this.save(last.position, items)
    else if (this.position) this.position.reached = last.position
    return events.length === MOST_EVENTS
  }

  /** A new consumer starts at the newest event. */
  private async register() {
    const { db, consumer } = this
    if (!this.isRegistered && !(await isKnown(db, consumer.name)))
      await addConsumer(db, consumer.name, await newestPosition(db))
    this.isRegistered = true
  }

  /** So that events without effect are not read again after every start, and can be deleted one day. */
  private async saveNowAndThen() {
    if (!this.position || this.position.reached === this.position.saved) return
    if (this.isLongUnsaved()) await this.save(this.position.reached, [])
  }

  private isLongUnsaved() {
    return performance.now() - this.savedAt > SAVE_AFTER_MILLISECONDS
  }

  private async holdsLease(from: number): Promise<boolean> {
    const { position } = this
    if (position && performance.now() - position.leasedAt < RENEW_AFTER_MILLISECONDS) return true
    const leasedAt = performance.now()
    const saved = await leaseConsumer(this.db, this.consumer.name, this.lease)
    // If another server has moved it, the next round starts from there.
    if (saved === undefined || saved !== (position?.saved ?? from)) this.position = undefined
    else this.position = { saved, reached: position?.reached ?? saved, leasedAt }
    return this.position !== undefined
  }

  private async save(to: number, items: readonly unknown[]) {
    const from = this.position?.saved ?? 0
    const leasedAt = performance.now()
    const isMoved = await this.db.transaction(async (tx) => {
      if (!(await moveConsumer(tx, this.consumer.name, this.lease, from, to))) return false
      if (items.length > 0) await this.consumer.save(tx, items)
      return true
    })
    this.position = isMoved ? { saved: to, reached: to, leasedAt } : undefined
    this.savedAt = leasedAt
  }
}
