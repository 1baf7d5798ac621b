/** The counts of connections to a database server that /metrics shows. */
export interface ConnectionCounts {
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
  readonly limit: number
}
