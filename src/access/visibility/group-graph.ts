import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** The groups that a user is in, directly or through other groups. */
export interface Membership {
  readonly ids: ReadonlySet<number>
  readonly names: ReadonlySet<string>
  /** Ordered by id. */
  readonly list: readonly GroupSummary[]
}

/**
 * The grants between groups: whose members are members of, may bless, or may see which groups. It is small, so it is
 * read whole.
 */
export interface GroupGraph {
  readonly groups: ReadonlyMap<number, GroupSummary>
  readonly ids: ReadonlySet<number>
  /** The groups that members of these belong to, including these. Cycles are allowed. */
  membership(direct: readonly number[]): Membership
  /** Groups that members of any of these may bless or see, by a grant to one of these groups. */
  reached(from: ReadonlySet<number>, right: 'bless' | 'see'): Set<number>
  /** The groups that members of this one belong to, including this one. Nothing is kept, unlike for `membership`. */
  targetsOf(group: number): Set<number>
  /** The groups whose members are all members of this one, including this one. */
  sourcesOf(group: number): Set<number>
}

export interface GroupSummary {
  id: number
  name: string
  description: string
}

interface Grant {
  member_group_id: number
  group_id: number
  right: 'member' | 'bless' | 'see'
}

const allGroups = statement<object>()((q) => q.selectFrom('groups').select(['id', 'name', 'description']))
const allGrants = statement<object>()((q) => q.selectFrom('group_grants').selectAll())

export async function readGroupGraph(db: Db): Promise<GroupGraph> {
  const groups = await db.all(allGroups, {})
  return graphOf(new Map(groups.map((group) => [group.id, group])), await db.all(allGrants, {}))
}

export function graphOf(groups: ReadonlyMap<number, GroupSummary>, grants: readonly Grant[]): GroupGraph {
  const known = new Map<string, Membership>()
  const membershipGrants = grants.filter(({ right }) => right === 'member')
  const belongsTo = Map.groupBy(membershipGrants, (it) => it.member_group_id)
  const hasMembersOf = Map.groupBy(membershipGrants, (it) => it.group_id)

  const targetsOf = (direct: readonly number[]) =>
    reachableFrom(direct, (id) => (belongsTo.get(id) ?? []).map((it) => it.group_id))

  const membershipOf = (direct: readonly number[]): Membership => {
    const ids = targetsOf(direct)
    const list = [...ids].sort((a, b) => a - b).flatMap((id) => groups.get(id) ?? [])
    return { ids, names: new Set(list.map((group) => group.name)), list }
  }

  return {
    groups,
    ids: new Set(groups.keys()),
    membership(direct) {
      const key = direct.join()
      const found = known.get(key) ?? membershipOf(direct)
      known.set(key, found)
      return found
    },
    reached: (from, right) =>
      new Set(grants.filter((it) => it.right === right && from.has(it.member_group_id)).map((it) => it.group_id)),
    targetsOf: (group) => targetsOf([group]),
    sourcesOf: (group) => reachableFrom([group], (id) => (hasMembersOf.get(id) ?? []).map((it) => it.member_group_id)),
  }
}

/** All nodes reachable from `start`, including `start`. */
function reachableFrom(start: readonly number[], next: (id: number) => number[]): Set<number> {
  const seen = new Set(start)
  for (const id of seen) for (const further of next(id)) seen.add(further)
  return seen
}
