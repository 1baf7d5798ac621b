import { sql } from 'kysely'
import { bugsUnfiltered } from '../access/visibility/visible-bugs.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import type { BugColumn } from '../platform/database/tables.ts'

const WHY = 'Whoever removes something learns whether it is done in steps, which depends on how many bugs have it.'

type IdColumn = Extract<BugColumn, `${string}_id`>

/** The columns with an index. */
type IndexedColumn = 'product_id' | 'component_id' | 'milestone_id'

/** Counts bugs with this value in the column, up to `most`. */
export async function countBugsWith(db: Db, column: IndexedColumn, id: number, most: number): Promise<number> {
  const [row] = await db.query((q) =>
    q
      .selectFrom(bugsUnfiltered(q, WHY).select('bugs.id').where(`bugs.${column}`, '=', id).limit(most).as('some'))
      .select((some) => some.fn.countAll<number>().as('bugs')),
  )
  return Number(row?.bugs ?? 0)
}

const WINDOW = 5000

/** The same for a column without an index. Other requests are served between the statements. */
export async function countBugsWithValue(db: Db, column: IdColumn, id: number, most: number): Promise<number> {
  let bugs = 0
  for (let after = 0; bugs < most; ) {
    const [step] = await db.query((q) =>
      q
        .selectFrom(
          bugsUnfiltered(q, WHY)
            .select(['bugs.id', `bugs.${column} as value`])
            .where('bugs.id', '>', after)
            .orderBy('bugs.id')
            .limit(WINDOW)
            .as('next'),
        )
        .select((row) => [
          row.fn.max('id').as('last'),
          sql<number>`count(case when value = ${id} then 1 end)`.as('bugs'),
        ]),
    )
    if (typeof step?.last !== 'number') break
    bugs += Number(step.bugs)
    after = step.last
  }
  return Math.min(bugs, most)
}

const custom = statement<{ fieldId: number; valueId: number; most: number }>()((q, p) =>
  q
    .selectFrom((from) =>
      from
        .selectFrom('bug_custom_values')
        .select('bug_id')
        .where('field_id', '=', p.fieldId)
        .where('number_value', '=', p.valueId)
        .limit(p.most)
        .as('some'),
    )
    .select((row) => row.fn.countAll<number>().as('bugs')),
)
const keyword = statement<{ id: number; most: number }>()((q, p) =>
  q
    .selectFrom((from) =>
      from.selectFrom('bug_keywords').select('bug_id').where('keyword_id', '=', p.id).limit(p.most).as('some'),
    )
    .select((row) => row.fn.countAll<number>().as('bugs')),
)

export async function countBugsWithCustomValue(db: Db, fieldId: number, valueId: number, most: number) {
  return Number((await db.first(custom, { fieldId, valueId, most }))?.bugs ?? 0)
}

export async function countBugsWithKeyword(db: Db, id: number, most: number) {
  return Number((await db.first(keyword, { id, most }))?.bugs ?? 0)
}
