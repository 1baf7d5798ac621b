import { type RawBuilder, sql } from 'kysely'
import type { FieldKind } from '../../../shared/bug-fields/bug-field.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { isVisible, possiblyHiddenBugs, viewerOf } from '../../access/visibility/visible-bugs.ts'
import { indexDriven } from '../conditions/candidates.ts'
import { always, type Condition } from '../conditions/condition.ts'
import { allOf, not } from '../conditions/conditions.ts'
import { scanStateOf } from '../conditions/text-conditions.ts'
import { criteriaIn, type Query } from '../parsing/query.ts'
import { planCount } from '../plan-search.ts'
import type { SearchContext } from '../search-context.ts'
import { idsScanned, isAmongIds } from './scan-texts.ts'

/** One of the things by which counted bugs are divided. */
export interface CountDivision {
  /** The id by which a bug is counted, or a text that stands for it. */
  readonly id: RawBuilder<number | string | null>
  /** Where a bug has several ids, and is counted under each: the rows to join, one for each id. */
  readonly rows?: RawBuilder<unknown>
}

/** The number of bugs with these ids, which are in the order of the divisions. */
export interface BugCount {
  readonly ids: readonly (number | string | null)[]
  readonly bugs: number
}

/** The number of bugs that match a query and that the caller may see. */
export async function countBugs(context: SearchContext, query: Query, among?: Condition): Promise<number> {
  const [all] = await countBugsBy(context, query, [], 1, among)
  return all?.bugs ?? 0
}

/** The same, divided; at most `most` parts. With a condition, only of the bugs for which it holds. */
export async function countBugsBy(
  context: SearchContext,
  query: Query,
  divisions: readonly CountDivision[],
  most: number,
  among: Condition = always,
): Promise<BugCount[]> {
  const plan = await planCount(context, query)
  context.onPlan?.(plan)
  const condition = allOf([await withTextsTested(context, plan.condition), among])
  const names = divisions.map((_, index) => `part${index}`)
  const { db, settings, caller } = context
  const rows = await db.querySlowly((q, dialect) => {
    const viewer = viewerOf(caller)
    const seen = isVisible(dialect, settings, viewer)
    const perhapsHidden: Condition = sql`bugs.id in (${possiblyHiddenBugs(dialect, viewer)})`
    const parts = names.map((name) => sql`${sql.ref(name)}, `)
    const grouped = names.length === 0 ? sql`` : sql`group by ${sql.join(names.map((name) => sql.ref(name)))}`
    const counted = (sign: RawBuilder<unknown>, conditions: readonly Condition[]) =>
      sql`select ${selected(divisions, names)} ${sign}count(*) as bugs from bugs ${joined(divisions)}
        where ${allOf(conditions)} ${grouped}`
    const pieces = isCountedByIndex(query)
      ? [
          counted(sql``, [condition, ...(dialect.skipsThroughIndexes ? everyProduct(query) : [])]),
          counted(sql`-`, [perhapsHidden, not(seen), condition]),
        ]
      : [counted(sql``, [seen, condition])]
    return {
      compile: () =>
        sql<Record<string, number | string | null>>`select ${sql.join(parts, sql``)} sum(bugs) as bugs
          from (${sql.join(pieces, sql` union all `)}) as counted ${grouped} having sum(bugs) > 0 limit ${most}`.compile(
          q,
        ),
    }
  })
  return rows.map((row) => ({ ids: names.map((name) => row[name] ?? null), bugs: Number(row.bugs) }))
}

/** Texts that are tested outside SQL are read first. The result is a list of ids. */
export async function withTextsTested(context: SearchContext, condition: Condition): Promise<Condition> {
  const scan = scanStateOf(condition)
  return scan ? isAmongIds(context.db.dialect, await idsScanned(context, scan)) : indexDriven(condition)
}

/**
 * Testing a million bugs for visibility is slow, and most bugs are public. Where an index alone can count the matches, all of them are
 * counted, and the hidden ones, which are all restricted to a group, are subtracted. One statement does both.
 */
function isCountedByIndex(query: Query) {
  return criteriaIn(query).every(
    ({ field, operator }) => INDEXED_FIELDS.has(fieldNameOf(field)) && !operator.includes('changed'),
  )
}

/** Of columns that have an index of their own. */
const INDEXED_KINDS: ReadonlySet<FieldKind> = new Set(['place', 'choice', 'user', 'time'])

const INDEXED_FIELDS: ReadonlySet<string> = new Set(
  bugFields
    .filter(({ kind, column }) => column !== undefined && INDEXED_KINDS.has(kind))
    .map(({ name, searchName }) => searchName ?? name),
)

/** True for every bug. It lets SQLite skip through the index of products and statuses instead of reading all of it. */
function everyProduct(query: Query): Condition[] {
  const isAboutStatus = criteriaIn(query).every(({ field }) => fieldNameOf(field) === 'bug_status')
  return isAboutStatus ? [sql`bugs.product_id in (select products.id from products)`] : []
}

function selected(divisions: readonly CountDivision[], names: readonly string[]) {
  return sql.join(
    divisions.map(({ id }, index) => sql`${id} as ${sql.ref(names[index] as string)}, `),
    sql``,
  )
}

function joined(divisions: readonly CountDivision[]) {
  return sql.join(
    divisions.flatMap(({ rows }) => (rows === undefined ? [] : [sql`left join ${rows} `])),
    sql``,
  )
}
