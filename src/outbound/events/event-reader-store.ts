import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const logins = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('users').select(['id', 'login']).where('id', 'in', d.integersIn(p.ids)),
)

/** Login names by user id. */
export async function loginsOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.all(logins, { ids: JSON.stringify([...new Set(ids)]) })
  return new Map(rows.map(({ id, login }) => [id, login]))
}
