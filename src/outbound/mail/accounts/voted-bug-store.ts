import {
  bugsVisibleTo,
  keyOfRules,
  type ViewerParams,
  type VisibilityRules,
} from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'

/** One statement for each combination of the parameters that decide who sees bugs. */
const summaries = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<ViewerParams & { ids: string }>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p).select(['bugs.id', 'bugs.summary']).where('bugs.id', 'in', d.integersIn(p.ids)),
  ),
)

/** The summaries of those of the bugs that the viewer sees, by number. */
export async function summariesFor(
  db: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db.all(summaries(rules), { ...viewer, ids: JSON.stringify(ids) })
  return new Map(rows.map(({ id, summary }) => [id, summary]))
}
