/** Longer than any statement may take. */
const LONGEST_PAUSE_MILLISECONDS = 60_000

/** A transaction that is under way. */
export class OpenTransaction {
  private statements = 0
  private seen = 0
  private pausesSince = performance.now()
  private isOver = false
  private readonly fail: (fault: Error) => void

  constructor(fail: (fault: Error) => void) {
    this.fail = fail
  }

  /** Before each statement: nothing is written any more once the transaction was ended. */
  count() {
    if (this.isOver) throw new Error('The transaction has ended')
    this.statements++
  }

  /** Ends it unless there was a statement lately. */
  look(now: number, longestPause: number) {
    if (this.statements !== this.seen) {
      this.seen = this.statements
      this.pausesSince = now
    } else if (now - this.pausesSince > longestPause) {
      this.end()
      this.fail(new Error(`A transaction was ended that had run no statement for ${longestPause / 1000} seconds`))
    }
  }

  end() {
    this.isOver = true
  }
}

/**
 * Ends transactions on SQLite that do not go on. One that waits for something that never comes would keep everybody else who writes
 * waiting for ever. Whoever opened it gets an error, which is logged.
 */
export class TransactionWatch {
  private readonly open = new Set<OpenTransaction>()
  private readonly timer: NodeJS.Timeout

  constructor(longestPause = LONGEST_PAUSE_MILLISECONDS) {
    this.timer = setInterval(() => {
      const now = performance.now()
      for (const transaction of this.open) transaction.look(now, longestPause)
    }, longestPause / 4)
    this.timer.unref()
  }

  over<Result>(work: (transaction: OpenTransaction) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle =
        <Value>(how: (value: Value) => void) =>
        (value: Value) => {
          transaction.end()
          this.open.delete(transaction)
          how(value)
        }
      const fail = settle(reject)
      const transaction = new OpenTransaction(fail)
      this.open.add(transaction)
      work(transaction).then(settle(resolve), fail)
    })
  }

  close() {
    clearInterval(this.timer)
  }
}
