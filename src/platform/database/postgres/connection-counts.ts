/** The counts of connections to a database server that /metrics shows. */
export interface ConnectionCounts {
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
  /** How long the one that got a connection last had waited while all were in use; 0 if none waits. */
  readonly waitMilliseconds: number
  readonly limit: number
}
