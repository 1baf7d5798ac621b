import type { Installation } from '../../access/installation.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import type { Consumer } from '../consumers/consumer.ts'
import type { Queue } from '../jobs/job.ts'

/** What telling the world needs to know of where it happens. */
export interface DeliveryContext {
  readonly db: Db
  readonly config: Config
  readonly log: Log
  /** Parameters and groups: ask with `readVersions`, each time anew, since they change. */
  readonly installation: Installation
  baseUrl(): string
}

/** Those who are told, and how. */
export interface Receivers {
  readonly consumers: readonly Consumer[]
  readonly queues: readonly Queue[]
}

/** What a thread needs to make surroundings of its own. */
export interface DeliveryThreadData {
  readonly config: Config
  readonly baseUrl: string
  /** Whether the server writes, which goes before what is told; see `Db.traffic`. */
  readonly traffic: SharedArrayBuffer | undefined
}
