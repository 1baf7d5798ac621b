import { type RawBuilder, sql } from 'kysely'
import { isVisible, possiblyHiddenBugs, viewerOf } from '../../access/visibility/visible-bugs.ts'
import { fieldNameOf } from '../../catalogue/fields/field-names.ts'
import { indexDriven } from '../conditions/candidates.ts'
import type { Condition } from '../conditions/condition.ts'
import { allOf, not } from '../conditions/conditions.ts'
import { scanStateOf } from '../conditions/text-conditions.ts'
import { criteriaIn, type Query } from '../parsing/query.ts'
import { planCount } from '../plan-search.ts'
import type { SearchContext } from '../search-context.ts'
import { idsScanned, isAmong } from './scan-texts.ts'

/** What bugs are told apart by when they are counted. */
export interface CountDivision {
  /** The id that a bug has there. */
  readonly id: RawBuilder<number | null>
  /** Where a bug has several, each of which it is counted under: rows to be joined, one for each. */
  readonly rows?: RawBuilder<unknown>
}

/** How many bugs have these ids, in the order of the divisions. */
export interface BugCount {
  readonly ids: readonly (number | null)[]
  readonly bugs: number
}

/** How many of the bugs that the caller may see answer a question. */
export async function countBugs(context: SearchContext, query: Query): Promise<number> {
  const [all] = await countBugsBy(context, query, [], 1)
  return all?.bugs ?? 0
}

/** The same, divided, and no more parts than `most`. */
export async function countBugsBy(
  context: SearchContext,
  query: Query,
  divisions: readonly CountDivision[],
  most: number,
): Promise<BugCount[]> {
  const plan = await planCount(context, query)
  context.onPlan?.(plan)
  const condition = await withTextsTested(context, plan.condition)
  const names = divisions.map((_, place) => `part${place}`)
  const { db, settings, caller } = context
  const rows = await db.querySlowly((q, dialect) => {
    const viewer = viewerOf(caller)
    const seen = isVisible(dialect, settings, viewer)
    const perhapsHidden: Condition = sql`bugs.id in (${possiblyHiddenBugs(dialect, settings, viewer)})`
    const parts = names.map((name) => sql`${sql.ref(name)}, `)
    const grouped = names.length === 0 ? sql`` : sql`group by ${sql.join(names.map((name) => sql.ref(name)))}`
    const counted = (sign: RawBuilder<unknown>, conditions: readonly Condition[]) =>
      sql`select ${selected(divisions, names)} ${sign}count(*) as bugs from bugs ${joined(divisions)}
        where ${allOf(conditions)} ${grouped}`
    const pieces = isCountedByIndex(query)
      ? [counted(sql``, [condition, ...everyProduct(query)]), counted(sql`-`, [perhapsHidden, not(seen), condition])]
      : [counted(sql``, [seen, condition])]
    return {
      compile: () =>
        sql<Record<string, number | null>>`select ${sql.join(parts, sql``)} sum(bugs) as bugs
          from (${sql.join(pieces, sql` union all `)}) as counted ${grouped} having sum(bugs) > 0 limit ${most}`.compile(
          q,
        ),
    }
  })
  return rows.map((row) => ({ ids: names.map((name) => row[name] ?? null), bugs: Number(row.bugs) }))
}

/** Texts that are judged outside SQL are read first; what is left is a list of bugs. */
async function withTextsTested(context: SearchContext, condition: Condition): Promise<Condition> {
  const scan = scanStateOf(condition)
  return scan ? isAmong(context.db.dialect, await idsScanned(context, scan)) : indexDriven(condition)
}

/**
 * Whether a bug is visible is dear to ask a million times, and most bugs are visible to everybody. So where what is asked costs next to
 * nothing, all that answer are counted, by an index alone, and those that the caller may not see, which can only be bugs that are
 * restricted to a group, are taken off again: in one statement, so that nobody ever sees the one without the other.
 */
function isCountedByIndex(query: Query) {
  return criteriaIn(query).every(
    ({ field, operator }) => INDEXED_FIELDS.has(fieldNameOf(field)) && !operator.includes('changed'),
  )
}

const INDEXED_FIELDS: ReadonlySet<string> = new Set([
  'product',
  'component',
  'version',
  'target_milestone',
  'bug_status',
  'resolution',
  'priority',
  'bug_severity',
  'op_sys',
  'rep_platform',
  'assigned_to',
  'reporter',
  'qa_contact',
  'creation_ts',
  'delta_ts',
])

/** True of every bug, but said aloud it lets SQLite skip through the index of products and statuses instead of reading all of it. */
function everyProduct(query: Query): Condition[] {
  const isAboutStatus = criteriaIn(query).every(({ field }) => fieldNameOf(field) === 'bug_status')
  return isAboutStatus ? [sql`bugs.product_id in (select products.id from products)`] : []
}

function selected(divisions: readonly CountDivision[], names: readonly string[]) {
  return sql.join(
    divisions.map(({ id }, place) => sql`${id} as ${sql.ref(names[place] as string)}, `),
    sql``,
  )
}

function joined(divisions: readonly CountDivision[]) {
  return sql.join(
    divisions.flatMap(({ rows }) => (rows === undefined ? [] : [sql`left join ${rows} `])),
    sql``,
  )
}
