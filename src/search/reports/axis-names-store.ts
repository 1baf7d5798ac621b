import type { NamedTable } from '../../../shared/bug-fields/bug-field.ts'
import type { Db } from '../../platform/database/db.ts'

/** The names of the rows of a table, by id. */
export async function namesIn(db: Db, table: NamedTable, ids: readonly number[]): Promise<Map<number, string>> {
  const json = JSON.stringify([...new Set(ids)])
  const rows =
    table === 'users'
      ? await db.query((q, d) =>
          q.selectFrom('users').select(['id', 'login as name']).where('id', 'in', d.integersIn(json)),
        )
      : await db.query((q, d) => q.selectFrom(table).select(['id', 'name']).where('id', 'in', d.integersIn(json)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
