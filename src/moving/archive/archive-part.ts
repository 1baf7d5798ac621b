import type { SnapshotRow } from '../../platform/database/snapshot.ts'
import type { Database } from '../../platform/database/tables.ts'

/** What an installation consists of, in the order of an archive: rows, then the last ids, then contents. */
export type ArchivePart =
  | { kind: 'rows'; table: keyof Database; rows: readonly SnapshotRow[] }
  | { kind: 'lastIds'; lastIds: readonly LastId[] }
  | { kind: 'content'; key: string; size: number; bytes: AsyncIterable<Buffer> }
  /** A content that the store does not have, or that is damaged. */
  | { kind: 'missing'; key: string }

/** The last id that a table has generated, also if its row was deleted: ids are never used twice. */
export interface LastId {
  table_name: string
  last_id: number
}

export type RowCounts = Readonly<Record<string, number>>
