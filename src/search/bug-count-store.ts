import { type RawBuilder, sql } from 'kysely'
import { isVisible, viewerOf } from '../access/visible-bugs.ts'
import { compile } from './compile.ts'
import { type Condition, not } from './conditions.ts'
import type { Query } from './query.ts'
import type { SearchScene } from './search-scene.ts'

/** What bugs are told apart by when they are counted. */
export interface Division {
  /** The id that a bug has there. */
  readonly id: RawBuilder<number | null>
  /** Where a bug has several, each of which it is counted under: rows to be joined, one for each. */
  readonly rows?: RawBuilder<unknown>
}

/** How many bugs have these ids, in the order of the divisions. */
export interface Counted {
  readonly ids: readonly (number | null)[]
  readonly bugs: number
}

/** How many of the bugs that the caller may see answer a question. */
export async function countBugs(scene: SearchScene, query: Query): Promise<number> {
  const [all] = await countBugsBy(scene, query, [], 1)
  return all?.bugs ?? 0
}

/**
 * The same, divided, and no more parts than `most`.
 *
 * Whether a bug is visible is dear to ask a million times, and most bugs are visible to everybody. So all that answer are counted, by
 * indexes alone where that is possible, and those that the caller may not see, which can only be bugs that are restricted to a group, are
 * taken off again: in one statement, so that nobody ever sees the one without the other.
 */
export async function countBugsBy(
  scene: SearchScene,
  query: Query,
  divisions: readonly Division[],
  most: number,
): Promise<Counted[]> {
  const condition = await compile(scene, query)
  const names = divisions.map((_, place) => `part${place}`)
  const { db, settings, caller } = scene
  const rows = await db.querySlowly((q, dialect) => {
    const isHidden = not(isVisible(dialect, settings, viewerOf(caller)))
    const restricted: Condition = sql`(bugs.id in (select bug_groups.bug_id from bug_groups) and ${isHidden})`
    const parts = sql`${sql.join(
      names.map((name) => sql`${sql.ref(name)}, `),
      sql``,
    )}`
    const grouped = names.length === 0 ? sql`` : sql`group by ${sql.join(names.map((name) => sql.ref(name)))}`
    const counted = (sign: RawBuilder<unknown>, where: Condition) =>
      sql`select ${selected(divisions, names)} ${sign}count(*) as bugs from bugs ${joined(divisions)} where ${where} ${grouped}`
    return {
      compile: () =>
        sql<Record<string, number | null>>`select ${parts} sum(bugs) as bugs from (${counted(sql``, condition)}
          union all ${counted(sql`-`, sql`${restricted} and ${condition}`)}) as counted
          ${grouped} having sum(bugs) > 0 limit ${most}`.compile(q),
    }
  })
  return rows.map((row) => ({ ids: names.map((name) => row[name] ?? null), bugs: Number(row.bugs) }))
}

function selected(divisions: readonly Division[], names: readonly string[]) {
  return sql.join(
    divisions.map(({ id }, place) => sql`${id} as ${sql.ref(names[place] as string)}, `),
    sql``,
  )
}

function joined(divisions: readonly Division[]) {
  return sql.join(
    divisions.flatMap(({ rows }) => (rows === undefined ? [] : [sql`left join ${rows} `])),
    sql``,
  )
}
