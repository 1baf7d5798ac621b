import type { ContentSource } from '../../moving/archive/read-installation.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Snapshot } from '../../platform/database/snapshot.ts'

/** What a check reads. */
export interface CheckContext {
  /** All checks see the same moment, also while the server writes. */
  readonly snapshot: Snapshot
  /** The dialect of the database, for what the engines express differently. */
  readonly dialect: Db['dialect']
  /** Undefined if contents are not checked. */
  readonly contents: ContentSource | undefined
}

/** One kind of fault that an installation can have. */
export interface IntegrityCheck {
  readonly name: string
  /** One sentence for each fault. */
  find(context: CheckContext): AsyncGenerator<IntegrityFault>
  /** Derives what is wrong again, from the current rows. Undefined if it cannot be derived. */
  readonly repair?: (tx: Db, faults: readonly IntegrityFault[]) => Promise<void>
}

export interface IntegrityFault {
  readonly sentence: string
  /** What is wrong, for the repair: the id of a bug, or the key of a row. */
  readonly subject: string | number
}
