import { setImmediate as immediately, setTimeout as sleep } from 'node:timers/promises'
import { CallerTurns } from '../../queues/caller-turns.ts'
import { currentCaller } from '../../queues/current-caller.ts'
import { LowPriority, Traffic } from '../transactions/traffic.ts'
import { type OpenTransaction, TransactionWatch } from '../transactions/transaction-watch.ts'
import { type Connection, isBusy } from './sqlite-connection.ts'
import { translateSqliteFault } from './sqlite-faults.ts'

/** A transaction in the queue for the one writing connection. */
interface QueuedTransaction {
  work(connection: Connection, open: OpenTransaction): Promise<unknown>
  settle(outcome: TransactionOutcome): void
}

/** The result of a transaction, which is reported only after the commit. */
type TransactionOutcome = { result: unknown } | { fault: unknown }

/**
 * The one writing connection, lent to one transaction at a time; callers take turns. Waiting transactions are committed as a group: they
 * see each other's changes, each can fail alone, and none is reported as done before the whole group is on disk.
 */
export class Writer {
  /** How often this connection has committed. */
  commits = 0
  readonly traffic = new Traffic()
  private readonly lowPriority: LowPriority | undefined
  private readonly connection: Connection
  private readonly waiting = new CallerTurns<QueuedTransaction>()
  private working: Promise<void> | undefined
  private expectsCompany = false
  private readonly watch: TransactionWatch

  constructor(connection: Connection, after?: SharedArrayBuffer, watch = new TransactionWatch()) {
    this.connection = connection
    this.watch = watch
    this.lowPriority = after && new LowPriority(new Traffic(after))
    // Waiting for another process happens between attempts (see begin), not inside SQLite, where it would block the
    // event loop.
    connection.connection.exec('pragma busy_timeout = 0')
  }

  enqueue<Result>(work: (connection: Connection, open: OpenTransaction) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.watch.requireOutside('A write was begun')
      const settle = (outcome: TransactionOutcome) =>
        'fault' in outcome ? reject(translateSqliteFault(outcome.fault)) : resolve(outcome.result as Result)
      this.waiting.add(currentCaller(), { work, settle })
      this.working ??= this.takeTurns()
    })
  }

  async close() {
    await this.working
    this.watch.close()
    this.connection.connection.close()
  }

  private async takeTurns() {
    while (this.waiting.size > 0) {
      this.traffic.note()
      await this.commitGroup()
    }
    this.traffic.note()
    this.working = undefined
  }

  /** One commit for all waiting transactions and those that arrive meanwhile, within LONGEST_GROUP_MILLISECONDS. */
  private async commitGroup() {
    const { connection } = this.connection
    const done: [QueuedTransaction, TransactionOutcome][] = []
    try {
      await this.begin()
      const until = performance.now() + LONGEST_GROUP_MILLISECONDS
      let isLastCall = false
      do {
        const queued = this.waiting.takeNext() as QueuedTransaction
        const it: [QueuedTransaction, TransactionOutcome] = [queued, { fault: undefined }]
        done.push(it)
        it[1] = await this.outcomeOf(queued, done.length > 1)
        if (this.waiting.size === 0 && done.length > 1 && !isLastCall) {
          isLastCall = true
          await this.waitForLateArrivals()
        }
      } while (connection.isTransaction && this.waiting.size > 0 && performance.now() < until)
      if (connection.isTransaction) connection.exec('commit')
      this.commits++
    } catch (fault) {
      this.rollBack()
      if (done.length === 0) this.waiting.takeNext()?.settle({ fault })
      for (const [turn] of done) turn.settle({ fault })
      return
    }
    for (const [turn, outcome] of done) turn.settle(outcome)
    if (done.length > 1) this.keepSavepointsInMemory()
  }

  /** If the rollback fails, the current transactions fail; the next begin shows whether the connection still works. */
  private rollBack() {
    const { connection } = this.connection
    try {
      if (connection.isTransaction) connection.exec('rollback')
    } catch {
      // The transactions get the error that led here.
    }
  }

  /**
   * If several transactions came at once, more requests are probably waiting in sockets. The event loop reads them in
   * its first turn and serves them in the second.
   */
  private async waitForLateArrivals() {
    for (let turns = 0; turns < 2; turns++) await immediately()
  }

  /**
   * A failing transaction leaves nothing behind. The first of a group rolls back the whole transaction, which has no
   * other parts yet.
   */
  private async outcomeOf(queued: QueuedTransaction, isInGroup: boolean): Promise<TransactionOutcome> {
    const { connection } = this.connection
    try {
      if (isInGroup) connection.exec('savepoint turn')
      const result = await this.watch.over((open) => queued.work(this.connection, open))
      // Otherwise work that continues after SQLite rolled everything back would be reported as done.
      if (!connection.isTransaction) throw new Error('The transaction ended before its work did')
      if (isInGroup) connection.exec('release turn')
      return { result }
    } catch (fault) {
      // If SQLite itself rolled everything back, the others of the group have failed too.
      if (!connection.isTransaction && isInGroup) throw fault
      if (connection.isTransaction) connection.exec(isInGroup ? 'rollback to turn; release turn' : 'rollback')
      return { fault }
    }
  }

  /**
   * Keeps savepoints in memory from now on; as files they were created anew for nearly every commit. Not from the
   * beginning, because SQLite then also sorts in memory, and migrations sort large tables.
   */
  private keepSavepointsInMemory() {
    if (this.expectsCompany) return
    this.connection.connection.exec('pragma temp_store = memory')
    this.expectsCompany = true
  }

  private async begin() {
    await this.lowPriority?.waitUntilWriterIdle()
    for (let tries = 0; ; tries++) {
      try {
        // Left over from a rollback that failed, for example because of a disk error.
        if (this.connection.connection.isTransaction) this.connection.connection.exec('rollback')
        return this.connection.connection.exec('begin immediate')
      } catch (fault) {
        if (!isBusy(fault) || tries > LONGEST_WAIT_IN_TRIES) throw fault
        // Usually another thread of this server holds the lock, for less than a millisecond.
        await (tries < BRIEF_TRIES ? immediately() : sleep(pauseAfter(tries - BRIEF_TRIES)))
      }
    }
  }
}

/** How long transactions are collected for one commit. */
const LONGEST_GROUP_MILLISECONDS = 20

/** A few milliseconds are what other threads of this server take; another process may take longer. */
function pauseAfter(tries: number) {
  return 1 + Math.random() * Math.min(tries / 10, 20)
}

const LONGEST_WAIT_IN_TRIES = 3000
const BRIEF_TRIES = 50
