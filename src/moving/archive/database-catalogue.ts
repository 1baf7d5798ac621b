import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import type { SnapshotRow } from '../../platform/database/snapshot.ts'
import { CATALOGUE } from '../../platform/database/table-columns.ts'

/** Runs SQL text without parameters, for names that only the engine knows. */
export function rawRows(db: Db, text: string): Promise<SnapshotRow[]> {
  return db.query((q) => ({ compile: () => sql.raw<SnapshotRow>(text).compile(q) }))
}

/** The columns of each table. */
export async function columnsOf(db: Db): Promise<Map<string, string[]>> {
  const columns = new Map<string, string[]>()
  for (const { table_name, column_name } of await rawRows(db, CATALOGUE[db.dialect.engine].columns)) {
    const known = columns.get(String(table_name))
    if (known) known.push(String(column_name))
    else columns.set(String(table_name), [String(column_name)])
  }
  return columns
}
