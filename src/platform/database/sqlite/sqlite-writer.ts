import { setImmediate as immediately, setTimeout as sleep } from 'node:timers/promises'
import { LowPriority, Traffic } from '../transactions/traffic.ts'
import { type OpenTransaction, TransactionWatch } from '../transactions/transaction-watch.ts'
import { type Connection, isBusy } from './sqlite-connection.ts'
import { translatedSqlite } from './sqlite-faults.ts'

/** Somebody's transaction, in the queue for the one connection that writes. */
interface Turn {
  work(connection: Connection, open: OpenTransaction): Promise<unknown>
  settle(outcome: Outcome): void
}

/** What came of it: made known when it is known for good. */
type Outcome = { result: unknown } | { fault: unknown }

/**
 * The one connection that writes, lent to one transaction at a time. Those that wait for one another are made durable together: they see
 * each other's changes, each can fail alone, and nobody is told anything before all that went before is on the disk.
 */
export class Writer {
  /** How often something was written through it. */
  commits = 0
  readonly traffic = new Traffic()
  private readonly courtesy: LowPriority | undefined
  private readonly connection: Connection
  private waiting: Turn[] = []
  private working: Promise<void> | undefined
  private expectsCompany = false
  private readonly watch: TransactionWatch

  constructor(connection: Connection, after?: SharedArrayBuffer, watch = new TransactionWatch()) {
    this.connection = connection
    this.watch = watch
    this.courtesy = after && new LowPriority(new Traffic(after))
    // Waiting for another process is done between tries (see begin), not inside SQLite, where it would stop everything here.
    connection.connection.exec('pragma busy_timeout = 0')
  }

  enqueue<Result>(work: (connection: Connection, open: OpenTransaction) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome) =>
        'fault' in outcome ? reject(translatedSqlite(outcome.fault)) : resolve(outcome.result as Result)
      this.waiting.push({ work, settle })
      this.working ??= this.takeTurns()
    })
  }

  async close() {
    await this.working
    this.watch.close()
    this.connection.connection.close()
  }

  private async takeTurns() {
    while (this.waiting.length > 0) {
      this.traffic.note()
      await this.commitGroup()
    }
    this.traffic.note()
    this.working = undefined
  }

  /** One commit: whoever waits already, and whoever comes while they are at it, as far as that keeps nobody waiting for long. */
  private async commitGroup() {
    const { connection } = this.connection
    const done: [Turn, Outcome][] = []
    try {
      await this.begin()
      const until = performance.now() + LONGEST_TOGETHER_MILLISECONDS
      let isLastCall = false
      do {
        const turn = this.waiting.shift() as Turn
        const it: [Turn, Outcome] = [turn, { fault: undefined }]
        done.push(it)
        it[1] = await this.outcomeOf(turn, done.length > 1)
        if (this.waiting.length === 0 && done.length > 1 && !isLastCall) {
          isLastCall = true
          await this.waitForLateArrivals()
        }
      } while (connection.isTransaction && this.waiting.length > 0 && performance.now() < until)
      if (connection.isTransaction) connection.exec('commit')
      this.commits++
    } catch (fault) {
      this.rollBack()
      if (done.length === 0) this.waiting.shift()?.settle({ fault })
      for (const [turn] of done) turn.settle({ fault })
      return
    }
    for (const [turn, outcome] of done) turn.settle(outcome)
    if (done.length > 1) this.keepSavepointsInMemory()
  }

  /** What cannot even be taken back fails for those whose turn it was; the next begin shows whether the connection can go on. */
  private rollBack() {
    const { connection } = this.connection
    try {
      if (connection.isTransaction) connection.exec('rollback')
    } catch {
      // They get the fault that led here.
    }
  }

  /**
   * Where several came at once, more have come meanwhile, and are still in front of the door: whoever waits there is read on the first
   * turn of the event loop and served on the second.
   */
  private async waitForLateArrivals() {
    for (let turns = 0; turns < 2; turns++) await immediately()
  }

  /** Whoever fails leaves nothing; the first one takes the whole transaction back, which nobody else has a part in yet. */
  private async outcomeOf(turn: Turn, isInCompany: boolean): Promise<Outcome> {
    const { connection } = this.connection
    try {
      if (isInCompany) connection.exec('savepoint turn')
      const result = await this.watch.over((open) => turn.work(this.connection, open))
      // Whoever goes on after SQLite has taken everything back would be told that it is done.
      if (!connection.isTransaction) throw new Error('The transaction ended before its work did')
      if (isInCompany) connection.exec('release turn')
      return { result }
    } catch (fault) {
      // Where SQLite has taken everything back by itself, the others have failed as well.
      if (!connection.isTransaction && isInCompany) throw fault
      if (connection.isTransaction) connection.exec(isInCompany ? 'rollback to turn; release turn' : 'rollback')
      return { fault }
    }
  }

  /**
   * What each of several may have to take back is kept in memory from now on; as a file it was made anew for nearly every commit. Not from
   * the beginning, since SQLite then sorts in memory as well: a migration is alone, and has large tables to sort.
   */
  private keepSavepointsInMemory() {
    if (this.expectsCompany) return
    this.connection.connection.exec('pragma temp_store = memory')
    this.expectsCompany = true
  }

  private async begin() {
    await this.courtesy?.waitUntilWriterIdle()
    for (let tries = 0; ; tries++) {
      try {
        // A transaction that could not be taken back before, for example because the disk failed.
        if (this.connection.connection.isTransaction) this.connection.connection.exec('rollback')
        return this.connection.connection.exec('begin immediate')
      } catch (fault) {
        if (!isBusy(fault) || tries > LONGEST_WAIT_IN_TRIES) throw fault
        // Most often another thread of this server has it, for less than a millisecond.
        await (tries < BRIEF_TRIES ? immediately() : sleep(pauseAfter(tries - BRIEF_TRIES)))
      }
    }
  }
}

/** How long transactions are gathered for one commit. */
const LONGEST_TOGETHER_MILLISECONDS = 20

/** A few milliseconds are what other threads of this server take; another process may take longer. */
function pauseAfter(tries: number) {
  return 1 + Math.random() * Math.min(tries / 10, 20)
}

const LONGEST_WAIT_IN_TRIES = 3000
const BRIEF_TRIES = 50
