import { auditClassIn } from '../changes/audit.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'

const newest = statement<object>()((q) => q.selectFrom('audit_log').select((row) => row.fn.max('at').as('at')))
const newestOf = statement<{ classes: string }>()((q, p, d) =>
  q
    .selectFrom('audit_log')
    .select((row) => row.fn.max('at').as('at'))
    .where('class', 'in', d.textsIn(p.classes)),
)

/** compat: names that are no class names at all count as not given in Bugzilla. */
export async function newestAuditTime(db: Db, names: readonly string[]): Promise<string | null> {
  const classes = names.flatMap((name) => auditClassIn(name) ?? [])
  const row =
    classes.length === 0 ? await db.first(newest, {}) : await db.first(newestOf, { classes: JSON.stringify(classes) })
  return row?.at ?? null
}
