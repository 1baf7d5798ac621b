import { type RawBuilder, sql } from 'kysely'
import type { FieldDefinitions } from '../../catalogue/fields/field.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import type { IdRange } from '../../platform/dialects/dialect.ts'
import { isIndexDriven } from '../conditions/candidates.ts'
import { bugsWith } from '../conditions/compile.ts'
import { always, type Condition } from '../conditions/condition.ts'
import { allOf } from '../conditions/conditions.ts'
import { scanStateOf } from '../conditions/text-conditions.ts'
import { withTextsTested } from '../listing/bug-count-store.ts'
import { allIds } from '../listing/id-ranges.ts'
import type { Query } from '../parsing/query.ts'
import { planCount } from '../plan-search.ts'
import type { SearchContext } from '../search-context.ts'
import { IDS_COUNTED_AT_ONCE } from '../thresholds.ts'

/** The bugs of a query that the caller may see, to be read in steps: one statement for each range of ids. */
export interface MatchingBugs {
  readonly ranges: readonly IdRange[]
  readonly lastId: number
  /** Whether a change is of a bug of the range; where few bugs are found it reads no range of changes. */
  isChangeIn(range: IdRange): RawBuilder<boolean>
  /** The bugs of a range, as rows with the columns `id`, `created_at` (a time, or its day; empty for days before the first) and `is_open`. */
  rows(builder: Builder, range: IdRange, created: 'time' | { firstDay: string }): RawBuilder<unknown>
}

export interface WantedBugs {
  /** Only the bugs for which this holds. */
  readonly among?: Condition
  /** Only bugs up to this id, so that the ranges stay the same while bugs are filed. */
  readonly lastId?: number
}

/** Where indexes find few bugs, or where texts were read, one statement is enough. */
export async function matchingBugs(
  context: SearchContext,
  query: Query,
  { among = always, lastId }: WantedBugs = {},
): Promise<MatchingBugs> {
  const plan = await planCount(context, query)
  context.onPlan?.(plan)
  const { candidates } = plan.condition
  const isFew = (candidates && isIndexDriven(candidates)) || scanStateOf(plan.condition) !== undefined
  const condition = await withTextsTested(context, plan.condition)
  const all = { from: 1, to: lastId ?? (await allIds(context.db)).to }
  const isOpen = isOneOf(
    sql`bugs.status_id`,
    openStatuses(context.fields).map(({ id }) => id),
  )
  return {
    lastId: all.to,
    ranges: isFew ? [all] : rangesOf(all),
    isChangeIn: ({ from, to }) =>
      isFew
        ? sql<boolean>`1 = 1`
        : sql<boolean>`(bug_changes.bug_id >= ${sql.lit(from)} and bug_changes.bug_id <= ${sql.lit(to)})`,
    rows(builder, range, created) {
      // As literals: PostgreSQL expects few bugs of a range that it does not know, and then looks up the history of each.
      const [from, to] = [sql.lit(range.from), sql.lit(range.to)]
      const isInRange: Condition = isFew ? sql`bugs.id <= ${to}` : sql`(bugs.id >= ${from} and bugs.id <= ${to})`
      const createdAt =
        created === 'time'
          ? sql<string>`bugs.created_at`
          : sql<string>`case when bugs.created_at < ${created.firstDay} then '' else substr(bugs.created_at, 1, 10) end`
      const bugs = bugsWith(
        context,
        allOf([condition, among, isInRange]),
      )(builder).select([
        sql<number>`bugs.id`.as('id'),
        createdAt.as('created_at'),
        sql<number>`case when ${isOpen} then 1 else 0 end`.as('is_open'),
      ])
      return sql`select id, created_at, is_open from ${bugs} as found`
    },
  }
}

/** Equal ranges, so that each of them takes as long, and an even number of them, because two are read at once. */
function rangesOf({ from, to }: IdRange): IdRange[] {
  const needed = Math.max(1, Math.ceil((to - from + 1) / IDS_COUNTED_AT_ONCE))
  const parts = needed === 1 ? 1 : needed + (needed % 2)
  const width = Math.ceil((to - from + 1) / parts)
  return Array.from({ length: parts }, (_, part) => ({
    from: from + part * width,
    to: Math.min(to, from + (part + 1) * width - 1),
  }))
}

/** A status that no longer exists counts as closed, as in a bug that is read as of a time. */
function openStatuses(fields: FieldDefinitions) {
  return fields.valuesOf('bug_status').filter(({ is_open }) => is_open === 1)
}

/** Whether a recorded status is one of open bugs. */
export function isOpenName(fields: FieldDefinitions, recorded: RawBuilder<unknown>): RawBuilder<boolean> {
  return isOneOf(
    recorded,
    openStatuses(fields).map(({ name }) => name),
  )
}

/** Both engines compare with few values faster one by one than with a list of them. */
function isOneOf(value: RawBuilder<unknown>, some: readonly (string | number)[]): RawBuilder<boolean> {
  if (some.length === 0) return sql<boolean>`1 = 0`
  if (some.length > FEW_VALUES) return sql<boolean>`${value} in (${sql.join(some)})`
  return sql<boolean>`(${sql.join(
    some.map((one) => sql`${value} = ${one}`),
    sql` or `,
  )})`
}

const FEW_VALUES = 8
