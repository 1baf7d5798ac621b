/** What a thread is told, and what it answers. */
export interface SlowRead {
  sql: string
  values: readonly unknown[]
  milliseconds: number
}

export interface SlowReply {
  rows?: unknown[]
  fault?: string
  isLate?: boolean
}
