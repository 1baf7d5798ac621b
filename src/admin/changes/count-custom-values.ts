import { type RawBuilder, sql } from 'kysely'
import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'

/** Which values of a custom field are counted. */
export interface CountedValues {
  fieldId: number
  /** A condition on a row of bug_custom_values, which is called `item`. */
  isMeant?: RawBuilder<unknown>
  /** A condition on the bug, with `bugs` and `products`. */
  isOn?: RawBuilder<unknown>
}

export interface CountSteps {
  /** So many values are counted with one statement. */
  few: number
  /** How many bugs each statement looks at if there are more values. */
  bugs: number
}

const STEPS: CountSteps = { few: 10_000, bugs: 5_000 }
const ALWAYS = sql`1 = 1`

/** Counts bugs by their values in a custom field. Many are counted in steps, because on SQLite nobody is served during a statement. */
export async function countBugsByValue(
  db: Db,
  counted: CountedValues,
  { few, bugs }: CountSteps = STEPS,
): Promise<number> {
  const { fieldId, isMeant = ALWAYS, isOn = ALWAYS } = counted
  const [rows] = await db.query((q) =>
    q
      .selectFrom((from) =>
        from
          .selectFrom('bug_custom_values')
          .select('field_id')
          .where('field_id', '=', fieldId)
          .limit(few + 1)
          .as('first'),
      )
      .select((row) => row.fn.countAll<number>().as('count')),
  )
  if (Number(rows?.count ?? 0) <= few) return countOnce(db, sql`item.field_id = ${fieldId} and ${isMeant} and ${isOn}`)
  let sum = 0
  for (let last = 0; ; ) {
    const [step] = await db.query((q) =>
      q
        .selectFrom(
          bugsUnfiltered(q, REASON)
            .select('bugs.id')
            .where('bugs.id', '>', last)
            .orderBy('bugs.id')
            .limit(bugs)
            .as('next'),
        )
        .select((row) => row.fn.max('id').as('id')),
    )
    if (typeof step?.id !== 'number') return sum
    // Without the sign the engine could read all values of the field in each step.
    const isInStep = sql`bugs.id > ${last} and bugs.id <= ${step.id} and +item.field_id = ${fieldId}`
    sum += await countOnce(db, sql`${isInStep} and ${isMeant} and ${isOn}`)
    last = step.id
  }
}

const REASON = 'Members of admin, who may see every bug, learn how many have something.'

async function countOnce(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const [found] = await db.query((q) =>
    bugsUnfiltered(q, REASON)
      .innerJoin('products', 'products.id', 'bugs.product_id')
      .innerJoin('bug_custom_values as item', 'item.bug_id', 'bugs.id')
      .select(sql<number>`count(distinct bugs.id)`.as('bugs'))
      .where(sql<boolean>`${condition}`),
  )
  return Number(found?.bugs ?? 0)
}
