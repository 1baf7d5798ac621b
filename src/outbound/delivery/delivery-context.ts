import type { Installation } from '../../access/installation.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import type { Consumer } from '../consumers/consumer.ts'
import type { Queue } from '../jobs/job.ts'

/** What delivery needs from the server that it runs in. */
export interface DeliveryContext {
  readonly db: Db
  readonly config: Config
  readonly log: Log
  /** Parameters and groups change: read them with `readStateVersions` each time. */
  readonly installation: Installation
  baseUrl(): string
}

/** The consumers of events and the queues of their jobs. */
export interface Receivers {
  readonly consumers: readonly Consumer[]
  readonly queues: readonly Queue[]
}

/** What a delivery thread needs to create its own context. */
export interface DeliveryThreadData {
  readonly config: Config
  readonly baseUrl: string
  /** Whether the server is writing, which takes priority over delivery; see `Db.traffic`. */
  readonly traffic: SharedArrayBuffer | undefined
}
