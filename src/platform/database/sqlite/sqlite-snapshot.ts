import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Snapshot, SnapshotRow } from '../snapshot.ts'

const ROWS_AT_ONCE = 500

/** A read transaction on a connection of its own. Until it ends, the write-ahead log grows with what others write. */
export class SqliteSnapshot implements Snapshot {
  readonly engine = 'sqlite'
  private readonly connection: DatabaseSync

  private constructor(connection: DatabaseSync) {
    this.connection = connection
  }

  static open(file: string): SqliteSnapshot {
    if (!existsSync(file))
      throw Object.assign(new Error(`the file ${file} does not exist`), { code: 'ERR_SQLITE_ERROR' })
    const connection = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    // The first read fixes the moment, not the beginning of the transaction.
    connection.exec('begin; select count(*) from sqlite_schema')
    return new SqliteSnapshot(connection)
  }

  async *rows(sql: string): AsyncGenerator<SnapshotRow[]> {
    let batch: SnapshotRow[] = []
    for (const row of this.connection.prepare(sql).iterate()) {
      batch.push(row as SnapshotRow)
      if (batch.length < ROWS_AT_ONCE) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }

  async close() {
    this.connection.close()
  }
}
