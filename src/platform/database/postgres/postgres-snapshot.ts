import pg from 'pg'
import type { Snapshot, SnapshotRow } from '../snapshot.ts'
import { connectionSettings } from './postgres-connection.ts'
import { connectFault, translatePostgresFault } from './postgres-faults.ts'

const ROWS_AT_ONCE = 500

/** Tells these connections apart from those of a server. */
export const SNAPSHOT_NAME = 'lacewing command'

/** A transaction that sees the rows of the moment of its first statement, and cannot write. */
export class PostgresSnapshot implements Snapshot {
  readonly engine = 'postgres'
  private readonly client: pg.Client

  private constructor(client: pg.Client) {
    this.client = client
  }

  static async open(url: string): Promise<PostgresSnapshot> {
    const client = new pg.Client({
      ...connectionSettings(url),
      application_name: SNAPSHOT_NAME,
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    })
    // A broken connection fails the next read.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('begin isolation level repeatable read, read only')
      await client.query('select 1')
    } catch (fault) {
      throw connectFault(fault)
    }
    return new PostgresSnapshot(client)
  }

  async *rows(sql: string): AsyncGenerator<SnapshotRow[]> {
    await this.run(`declare export_rows no scroll cursor for ${sql}`)
    try {
      for (;;) {
        const rows = await this.run(`fetch ${ROWS_AT_ONCE} from export_rows`)
        if (rows.length > 0) yield rows
        if (rows.length < ROWS_AT_ONCE) return
      }
    } finally {
      await this.run('close export_rows')
    }
  }

  async close() {
    await this.client.end()
  }

  private async run(sql: string): Promise<SnapshotRow[]> {
    try {
      return (await this.client.query(sql)).rows
    } catch (fault) {
      throw translatePostgresFault(fault)
    }
  }
}
