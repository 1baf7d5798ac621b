import { AsyncLocalStorage } from 'node:async_hooks'
import type { TransactionKind } from './transaction-kinds.ts'

/** Longer than any statement may take. */
const LONGEST_PAUSE_MILLISECONDS = 60_000
/**
 * Pauses are counted in checks, not by the clock, so that a suspended process does not count as a pause of its
 * transactions.
 */
const MOST_LOOKS = 4
const LONGEST_SQL_SHOWN = 200

/** The transaction that the current code runs in. Timers and promises that it starts see it too, also after its end. */
const around = new AsyncLocalStorage<OpenTransaction>()

export function isInTransaction(): boolean {
  return around.getStore()?.isOpen === true
}

/**
 * For what must stay although the call that did it is refused, such as counting an attempt: in a transaction of the
 * caller it would be rolled back.
 */
export function requireNoTransaction(what: string) {
  if (isInTransaction()) throw new Error(`${what} inside a transaction, which would undo it after a refusal`)
}

/** A transaction that was ended because it did not continue. Its connection may still be busy. */
export class StuckTransaction extends Error {}

/** A running transaction. */
export class OpenTransaction {
  /** For the log. A migration is not watched: its statements may take as long as they need. */
  kind: TransactionKind | undefined
  private statements = 0
  private lastSql = ''
  private seen = -1
  private looks = 0
  private isOver = false
  /** Rejects the promise of its caller. */
  readonly fail: (fault: Error) => void
  private readonly watch: TransactionWatch | undefined
  /** The transaction on another database in which it was opened. */
  private readonly outer: OpenTransaction | undefined

  constructor(fail: (fault: Error) => void, watch?: TransactionWatch) {
    this.fail = fail
    this.watch = watch
    const outer = around.getStore()
    this.outer = outer?.isOver === false ? outer : undefined
  }

  get isOpen() {
    return !this.isOver
  }

  /** Whether this is an open transaction of the database, or was opened inside one. */
  isOn(watch: TransactionWatch): boolean {
    return (this.watch === watch && this.isOpen) || (this.outer?.isOn(watch) ?? false)
  }

  /** Called before each statement. Throws if the transaction was ended, so that nothing more is written. */
  count(sql: string) {
    if (this.isOver) throw new Error('The transaction has ended')
    this.statements++
    this.lastSql = sql
  }

  /** Ends the transaction if several checks in a row have seen no new statement. */
  look(longestPause: number) {
    if (this.statements !== this.seen) {
      this.seen = this.statements
      this.looks = 0
    } else if (this.kind !== 'migration' && ++this.looks >= MOST_LOOKS) {
      this.end()
      this.fail(new StuckTransaction(this.description(longestPause)))
    }
  }

  end() {
    this.isOver = true
  }

  /** The SQL of a statement does not contain values. */
  private description(longestPause: number) {
    const what = this.kind === undefined ? 'A transaction' : `A transaction of the kind ${this.kind}`
    const last =
      this.lastSql === '' ? 'It had run none' : `Its last one was: ${this.lastSql.slice(0, LONGEST_SQL_SHOWN)}`
    return `${what} was ended because it ran no statement for ${longestPause / 1000} seconds. ${last}`
  }
}

/**
 * Ends transactions that do not continue. One that waits forever would keep its locks and its connection: on SQLite it
 * would block all writes, on PostgreSQL those that need the same locks. The code that opened it gets an error, which is
 * logged.
 */
export class TransactionWatch {
  private readonly open = new Set<OpenTransaction>()
  private readonly timer: NodeJS.Timeout

  constructor(longestPause = LONGEST_PAUSE_MILLISECONDS) {
    this.timer = setInterval(() => {
      for (const transaction of this.open) transaction.look(longestPause)
    }, longestPause / MOST_LOOKS)
    this.timer.unref()
  }

  over<Result>(work: (transaction: OpenTransaction) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const transaction = new OpenTransaction((fault) => {
        this.end(transaction)
        reject(fault)
      }, this)
      this.open.add(transaction)
      around.run(transaction, work, transaction).then((result) => {
        this.end(transaction)
        resolve(result)
      }, transaction.fail)
    })
  }

  /**
   * Refuses to wait for a transaction from inside it. On SQLite all writes would wait until one of them times out, on
   * PostgreSQL those that need the same locks, or all if as many transactions do so as there are connections.
   */
  requireOutside(what: string) {
    if (around.getStore()?.isOn(this)) throw new Error(`${what} inside a transaction: use the transaction itself`)
  }

  private end(transaction: OpenTransaction) {
    transaction.end()
    this.open.delete(transaction)
  }

  close() {
    clearInterval(this.timer)
  }
}
