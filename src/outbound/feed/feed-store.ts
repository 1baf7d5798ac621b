import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const restricted = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('bug_groups').select('bug_id').distinct().where('bug_id', 'in', d.integersIn(p.ids)),
)

/** Those of the bugs that are restricted to a group. */
export async function restrictedAmong(db: Db, ids: readonly number[]): Promise<number[]> {
  return (await db.all(restricted, { ids: JSON.stringify([...new Set(ids)]) })).map((row) => row.bug_id)
}
