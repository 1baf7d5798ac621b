import { sql } from 'kysely'
import type { GroupGraph } from '../access/visibility/group-graph.ts'
import type { Db, LimitedDb } from '../platform/database/db.ts'
import type { Builder } from '../platform/database/statements/builder.ts'
import type { Dialect } from '../platform/dialects/dialect.ts'
import { mapInSlices } from '../platform/monitoring/event-loop.ts'

/** How many groups a call counts at once. */
export const MOST_COUNTED_GROUPS = 100

export interface MemberCounts {
  /** In whatever way. */
  members: number
  /** Put into the group itself. */
  direct: number
  /** Only through other groups. */
  inherited: number
}

/** Returns the number of members of one of the groups. A user who is in a group in several ways counts once. */
export type CountOf = (id: number) => MemberCounts

const NONE: MemberCounts = { members: 0, direct: 0, inherited: 0 }

/** Counts the members of several groups with one query, in a transaction. */
export async function countMembers(tx: Db, graph: GroupGraph, ids: readonly number[]): Promise<CountOf> {
  const sources = allSourcesOf(graph, ids)
  return countsIn(await tx.query((q, d) => combinations(q, d, sources)), graph, ids)
}

/** The same for a request, whose limits end it. */
export async function countMembersSlowly(db: LimitedDb, graph: GroupGraph, ids: readonly number[]): Promise<CountOf> {
  const sources = allSourcesOf(graph, ids)
  return countsIn(await db.querySlowly((q, d) => combinations(q, d, sources)), graph, ids)
}

function allSourcesOf(graph: GroupGraph, ids: readonly number[]) {
  const sources = new Set<number>()
  for (const id of ids) if (!sources.has(id)) for (const source of graph.sourcesOf(id)) sources.add(source)
  return JSON.stringify([...sources])
}

/** Users who are in the same groups by themselves. */
interface Combination {
  /** Ids of the groups as JSON: negative where the user was not put into it, but matched. */
  given: string
  users: number
}

/**
 * How many users have each combination of groups. There are far fewer than users, and what follows from the graph is known without
 * the database: counting each group with its sources takes seconds for a hundred groups within each other.
 */
function combinations(q: Builder, d: Dialect, sources: string) {
  // All groups of each user, found by the key: to look each of them up in a long list would take longer than all else.
  const given = d.jsonListOf(sql`select case when source = 'direct' then group_id else -group_id end as value
    from user_group_grants where user_id = counted.user_id and "right" = 'member' order by 1`)
  const counted = sql`select distinct user_id from user_group_grants
    where "right" = 'member' and group_id in ${d.integersIn(sources)}`
  return q
    .selectFrom(sql<{ given: string }>`(select ${given} as given from (${counted}) as counted)`.as('users_given'))
    .select(['given', sql<number>`count(*)`.as('users')])
    .groupBy('given')
}

async function countsIn(rows: readonly Combination[], graph: GroupGraph, ids: readonly number[]): Promise<CountOf> {
  const counts = new Map<number, MemberCounts>(ids.map((id) => [id, { ...NONE }]))
  const reached = new Map<number, readonly number[]>()
  const reachedFrom = (id: number) => {
    const known = reached.get(id) ?? [...graph.targetsOf(id)].filter((it) => counts.has(it))
    reached.set(id, known)
    return known
  }
  await mapInSlices(rows, ({ given, users }) => {
    const values = JSON.parse(given) as number[]
    const [direct, own] = [new Set(values), new Set(values.map(Math.abs))]
    for (const id of new Set([...own].flatMap(reachedFrom))) {
      const count = counts.get(id)
      if (count === undefined) continue
      count.members += Number(users)
      if (direct.has(id)) count.direct += Number(users)
      if (!own.has(id)) count.inherited += Number(users)
    }
  })
  return (id) => counts.get(id) ?? NONE
}
