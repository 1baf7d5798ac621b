import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'

const blockedBy = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('bug_dependencies')
    .select(['blocked_id', 'depends_on_id'])
    .where('depends_on_id', 'in', d.integersIn(p.ids))
    .orderBy('blocked_id'),
)

/** The bugs that depend on these, by the bug they depend on. */
export async function listBlockedBy(db: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(blockedBy, { ids: JSON.stringify(ids) })
  const byBlocker = Map.groupBy(rows, (row) => row.depends_on_id)
  return new Map([...byBlocker].map(([id, blocked]) => [id, blocked.map((row) => row.blocked_id)]))
}

const ccLists = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('flag_types')
    .select(['id', 'cc_list'])
    .where('id', 'in', d.integersIn(p.ids))
    .where('cc_list', '<>', ''),
)

/** The CC lists of these flag types, as text. */
export async function listCcLists(db: Db, typeIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.all(ccLists, { ids: JSON.stringify(typeIds) })
  return new Map(rows.map((row) => [row.id, row.cc_list]))
}
