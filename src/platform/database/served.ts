import pg from 'pg'
import { isPostgres } from './open-database.ts'
import { connectionSettings } from './postgres/postgres-connection.ts'
import { connectFault } from './postgres/postgres-faults.ts'
import { SNAPSHOT_NAME } from './postgres/postgres-snapshot.ts'
import { isLocked } from './sqlite/server-lock.ts'

/**
 * Whether a server uses the database: on SQLite, whether one holds its lock; on PostgreSQL, whether there are other
 * connections to the same database.
 */
export async function isServed(url: string): Promise<boolean> {
  if (!isPostgres(url)) return isLocked(url)
  const client = new pg.Client(connectionSettings(url))
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(`select count(*) as n from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid() and application_name <> '${SNAPSHOT_NAME}'`)
    return rows[0].n > 0
  } catch (fault) {
    throw connectFault(fault)
  } finally {
    await client.end()
  }
}
