/** What /metrics shows about the connections to a database server. */
export interface ConnectionCounts {
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
  readonly limit: number
}
