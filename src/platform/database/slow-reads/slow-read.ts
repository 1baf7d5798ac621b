/** A thread or a connection of its own, which carries out one read at a time. */
export interface SlowReader {
  readonly isUsable: boolean
  run(read: SlowRead, done: (reply: SlowReply) => void): void
  /** Asks the read to end soon. */
  cancel(): void
  /** Ends the reader, whatever it does; nothing is done any more. */
  end(): Promise<void>
}

export interface SlowRead {
  sql: string
  values: readonly unknown[]
  milliseconds: number
}

export interface SlowReply {
  rows?: unknown[]
  fault?: Error
  isLate?: boolean
}

/** The same as a thread sends it: of an error only what can be sent. */
export interface ThreadReply extends Omit<SlowReply, 'fault'> {
  fault?: { message: string; errcode?: number }
}

/** What /metrics shows about slow reads. */
export interface SlowReadCounts {
  readonly waiting: number
  readonly running: number
  /** Threads, or connections of their own. */
  readonly workers: number
  /** Requests that were refused since the start because too many were waiting. */
  readonly refused: number
  /** Reads that were ended since the start because their time was over. */
  readonly late: number
  /** Reads that were ended since the start because the client had left. */
  readonly abandoned: number
}

/** A transaction reads by itself. */
export const NO_SLOW_READS: SlowReadCounts = { waiting: 0, running: 0, workers: 0, refused: 0, late: 0, abandoned: 0 }
