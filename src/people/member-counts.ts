import { sql } from 'kysely'
import type { GroupGraph } from '../access/visibility/group-graph.ts'
import type { LimitedDb } from '../platform/database/db.ts'

/** How many groups are counted at once, because each may have all others as sources. */
export const MOST_COUNTED_GROUPS = 100

export interface MemberCounts {
  /** In whatever way. */
  members: number
  /** Put into the group itself. */
  direct: number
  /** Only through other groups. */
  inherited: number
}

const NONE: MemberCounts = { members: 0, direct: 0, inherited: 0 }

/** Counts the members of several groups with one query. A user who is in a group in several ways counts once. */
export async function countMembers(
  db: LimitedDb,
  graph: GroupGraph,
  ids: readonly number[],
): Promise<(id: number) => MemberCounts> {
  const pairs = ids.flatMap((group_id) => [...graph.sourcesOf(group_id)].map((source_id) => ({ group_id, source_id })))
  const rows = await db.querySlowly((q, d) =>
    q
      .selectFrom(
        sql<{
          group_id: number
          source_id: number
        }>`${d.recordsIn(JSON.stringify(pairs), { group_id: 'integer', source_id: 'integer' })}`.as('pairs'),
      )
      .innerJoin('user_group_grants as grants', 'grants.group_id', 'pairs.source_id')
      .where('grants.right', '=', 'member')
      .groupBy('pairs.group_id')
      .select([
        'pairs.group_id',
        sql<number>`count(distinct grants.user_id)`.as('members'),
        sql<number>`count(distinct case when grants.group_id = pairs.group_id then grants.user_id end)`.as('own'),
        sql<number>`count(distinct case when grants.group_id = pairs.group_id and grants.source = 'direct' then grants.user_id end)`.as(
          'direct',
        ),
      ]),
  )
  const counts = new Map(
    rows.map(({ group_id, members, own, direct }) => [
      group_id,
      { members: Number(members), direct: Number(direct), inherited: Number(members) - Number(own) },
    ]),
  )
  return (id) => counts.get(id) ?? NONE
}
