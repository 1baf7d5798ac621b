import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statement.ts'
import type { CustomItem, CustomValues } from './custom-value.ts'

const insert = statement<CustomItem & { bugId: number; fieldId: number }>()((q, p) =>
  q
    .insertInto('bug_custom_values')
    .values({ bug_id: p.bugId, field_id: p.fieldId, text_value: p.text_value, number_value: p.number_value }),
)
const remove = statement<{ bugId: number; fieldId: number }>()((q, p) =>
  q.deleteFrom('bug_custom_values').where('bug_id', '=', p.bugId).where('field_id', '=', p.fieldId),
)

/** For a bug that has nothing in its custom fields yet. */
export async function insertCustomValues(tx: Db, bugId: number, values: CustomValues) {
  for (const [fieldId, items] of values) for (const item of items) await tx.all(insert, { ...item, bugId, fieldId })
}

/** Puts these values into these fields, in place of what was there; other fields keep theirs. */
export async function replaceCustomValues(tx: Db, bugId: number, values: CustomValues) {
  for (const fieldId of values.keys()) await tx.all(remove, { bugId, fieldId })
  await insertCustomValues(tx, bugId, values)
}

/** Whether a bug names another in a field, directly or through bugs that it names. */
export async function namesBugThrough(tx: Db, fieldId: number, from: number, to: number): Promise<boolean> {
  const found = await tx.query((q) =>
    q
      .withRecursive('reached(id)', (start) =>
        start
          .selectNoFrom(sql<number>`cast(${from} as integer)`.as('id'))
          .union(
            start
              .selectFrom('bug_custom_values')
              .innerJoin('reached', 'reached.id', 'bug_custom_values.bug_id')
              .select(sql<number>`number_value`.as('id'))
              .where('field_id', '=', fieldId)
              .where('number_value', 'is not', null),
          ),
      )
      .selectFrom('reached')
      .select('id')
      .where('id', '=', to),
  )
  return found.length > 0
}
