import { isPostgres } from './open-database.ts'
import { PostgresSnapshot } from './postgres/postgres-snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { SqliteSnapshot } from './sqlite/sqlite-snapshot.ts'

export async function openSnapshot(url: string): Promise<Snapshot> {
  return isPostgres(url) ? PostgresSnapshot.open(url) : SqliteSnapshot.open(url)
}
