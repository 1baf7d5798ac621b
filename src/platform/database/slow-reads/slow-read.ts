/** A thread or a separate connection that runs one read at a time. */
export interface SlowReader {
  readonly isUsable: boolean
  run(read: SlowRead, done: (reply: SlowReply) => void): void
  /** Asks the read to end soon. */
  cancel(): void
  /** Ends the reader, whatever it is doing. */
  end(): Promise<void>
}

export interface SlowRead {
  sql: string
  values: readonly unknown[]
  milliseconds: number
  /** The same text comes again, so that a connection keeps it prepared. */
  isReused: boolean
}

export interface SlowReply {
  rows?: unknown[]
  fault?: Error
  isLate?: boolean
}

/** The reply of a thread, with only those parts of an error that can be sent between threads. */
export interface ThreadReply extends Omit<SlowReply, 'fault'> {
  fault?: { message: string; errcode?: number }
}

/** The counts of slow reads that /metrics shows. */
export interface SlowReadCounts {
  readonly waiting: number
  readonly running: number
  /** How long the read that began last had waited while all readers were busy; 0 if none waits. */
  readonly waitMilliseconds: number
  /** Threads or separate connections. */
  readonly workers: number
  /** Requests refused since the start because too many were waiting. */
  readonly refused: number
  /** Reads ended since the start because of their time limit. */
  readonly late: number
  /** Reads ended since the start because the client disconnected. */
  readonly abandoned: number
}

/** A transaction reads on its own connection. */
export const NO_SLOW_READS: SlowReadCounts = {
  ...{ waiting: 0, running: 0, waitMilliseconds: 0, workers: 0, refused: 0, late: 0, abandoned: 0 },
}
