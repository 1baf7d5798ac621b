import { type Caller, isIn, isSignedIn } from '../access/caller.ts'
import type { GroupGraph } from '../access/visibility/group-graph.ts'
import type { Settings } from '../platform/config/settings.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'

const directBlessing = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('user_group_grants').select('group_id').where('user_id', '=', p.userId).where('right', '=', 'bless'),
)

/**
 * The groups whose members the caller may add and remove: all for editusers, else those granted to the user or to a
 * group of theirs.
 */
export async function groupsBlessableBy(
  db: Db,
  graph: GroupGraph,
  settings: Settings,
  caller: Caller,
): Promise<ReadonlySet<number>> {
  if (!isSignedIn(caller)) return new Set()
  if (isIn(caller, 'editusers')) return graph.ids
  const direct = (await db.all(directBlessing, { userId: caller.id })).map((row) => row.group_id)
  const blessable = new Set([...direct, ...graph.reached(caller.groups.ids, 'bless')])
  return settings.usevisibilitygroups ? blessable.intersection(groupsVisibleTo(graph, caller)) : blessable
}

/** The groups whose members the caller may see while the parameter usevisibilitygroups is on. */
export function groupsVisibleTo(graph: GroupGraph, caller: Caller): Set<number> {
  return graph.reached(caller.groups.ids, 'see')
}

/**
 * The groups of which a user must be a direct member to be visible to the caller; undefined if every user is visible.
 */
export function groupsSeenThrough(
  graph: GroupGraph,
  settings: Settings,
  caller: Caller,
): ReadonlySet<number> | undefined {
  if (!settings.usevisibilitygroups || isIn(caller, 'editusers')) return undefined
  return new Set([...groupsVisibleTo(graph, caller)].flatMap((id) => [...graph.sourcesOf(id)]))
}
