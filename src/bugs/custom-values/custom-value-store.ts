import { sql } from 'kysely'
import { isVisible, type ViewerParams, type VisibilityRules } from '../../access/visibility/visible-bugs.ts'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { CustomItem, CustomValues } from './custom-value.ts'

const insert = statement<CustomItem & { bugId: number; fieldId: number }>()((q, p) =>
  q
    .insertInto('bug_custom_values')
    .values({ bug_id: p.bugId, field_id: p.fieldId, text_value: p.text_value, number_value: p.number_value }),
)

/** Inserts the values of a bug whose custom fields are empty. */
export async function insertCustomValues(tx: BugTransaction, bugId: number, values: CustomValues) {
  for (const [fieldId, items] of values) for (const item of items) await tx.all(insert, { ...item, bugId, fieldId })
}

/** A path from one bug to another through the bugs that they name in a field. */
interface Path {
  fieldId: number
  from: number
  to: number
}

/** Whether a bug names another in a field, directly or through other bugs. Only bugs that the viewer may see count. */
export async function refersToBug(tx: Db, rules: VisibilityRules, viewer: ViewerParams, { fieldId, from, to }: Path) {
  const found = await tx.query((q, d) =>
    q
      .withRecursive('reached(id)', (start) =>
        start.selectNoFrom(sql<number>`cast(${from} as integer)`.as('id')).union(
          start
            .selectFrom('bug_custom_values')
            .innerJoin('reached', 'reached.id', 'bug_custom_values.bug_id')
            .innerJoin('bugs', 'bugs.id', 'bug_custom_values.number_value')
            .select('bugs.id')
            .where('field_id', '=', fieldId)
            .where(isVisible(d, rules, viewer)),
        ),
      )
      .selectFrom('reached')
      .select('id')
      .where('id', '=', to),
  )
  return found.length > 0
}
