import { type RawBuilder, sql } from 'kysely'
import { bugsVisibleTo, type ViewerParams, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import type { LimitedDb } from '../../../platform/database/db.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'

/** A kind of link between bugs. */
export type GraphLinkKind = 'depends_on' | 'blocks' | 'duplicates'

/** The numbers of at most `most` bugs that the viewer sees and that are one step away from one of these bugs. */
export async function listNeighbours(
  db: LimitedDb,
  rules: VisibilityRules,
  viewer: ViewerParams,
  { kind, from, most }: { kind: GraphLinkKind; from: readonly number[]; most: number },
): Promise<number[]> {
  const rows = await db.querySlowly((q, d) =>
    bugsVisibleTo(q, d, rules, viewer)
      .select('bugs.id')
      .where(sql<boolean>`bugs.id in (${NEIGHBOURS[kind](d, JSON.stringify(from))})`)
      .orderBy('bugs.id')
      .limit(most),
  )
  return rows.map(({ id }) => id)
}

const NEIGHBOURS: Readonly<Record<GraphLinkKind, (dialect: Dialect, from: string) => RawBuilder<unknown>>> = {
  depends_on: (d, from) => sql`select depends_on_id from bug_dependencies where blocked_id in ${d.integersIn(from)}`,
  blocks: (d, from) => sql`select blocked_id from bug_dependencies where depends_on_id in ${d.integersIn(from)}`,
  duplicates: (
    d,
    from,
  ) => sql`select dupe_of_id from bugs as one where one.id in ${d.integersIn(from)} and dupe_of_id is not null
    union select other.id from bugs as other where other.dupe_of_id in ${d.integersIn(from)}`,
}

export interface GraphLink {
  from: number
  to: number
}

/** The links among these bugs: `from` depends on, or duplicates, `to`. Both are bugs that the viewer sees. */
export function listLinks(
  db: LimitedDb,
  rules: VisibilityRules,
  viewer: ViewerParams,
  {
    relationship,
    among,
    most,
  }: { relationship: 'dependencies' | 'duplicates'; among: readonly number[]; most: number },
): Promise<GraphLink[]> {
  const json = JSON.stringify(among)
  return db.querySlowly((q, d) => {
    const bugs = bugsVisibleTo(q, d, rules, viewer).where('bugs.id', 'in', d.integersIn(json))
    return relationship === 'dependencies'
      ? bugs
          .innerJoin('bug_dependencies', 'bug_dependencies.blocked_id', 'bugs.id')
          .select(['bugs.id as from', 'bug_dependencies.depends_on_id as to'])
          .where('bug_dependencies.depends_on_id', 'in', d.integersIn(json))
          .orderBy('bugs.id')
          .orderBy('bug_dependencies.depends_on_id')
          .limit(most)
      : bugs
          .select(['bugs.id as from', 'bugs.dupe_of_id as to'])
          .where('bugs.dupe_of_id', 'in', d.integersIn(json))
          .orderBy('bugs.id')
          .limit(most)
          .$castTo<GraphLink>()
  })
}

export interface GraphBug {
  id: number
  summary: string
  status_id: number
  resolution_id: number
}

export function listGraphBugs(
  db: LimitedDb,
  rules: VisibilityRules,
  viewer: ViewerParams,
  ids: readonly number[],
): Promise<GraphBug[]> {
  return db.querySlowly((q, d) =>
    bugsVisibleTo(q, d, rules, viewer)
      .select(['bugs.id', 'bugs.summary', 'bugs.status_id', 'bugs.resolution_id'])
      .where('bugs.id', 'in', d.integersIn(JSON.stringify(ids)))
      .orderBy('bugs.id'),
  )
}
