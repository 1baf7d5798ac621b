import { type GroupGraph, type GroupSummary, readGroupGraph } from '../access/visibility/group-graph.ts'
import type { Settings } from '../platform/config/settings.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'
import { fold } from '../platform/text/fold.ts'

/**
 * The user who makes a change, with the rights that they can give to others. It is read in the transaction of the change, because the
 * user's own rights may have changed since the request began.
 */
export interface Grantor {
  id: number
  isAdministrator: boolean
  graph: GroupGraph
  /** The groups that the user is in or could join. */
  reach: ReadonlySet<number>
  /** Is in editusers. */
  isAccountManager: boolean
  /** The groups that the user may bless, and those whose members the user may see while usevisibilitygroups is on. */
  blessed: ReadonlySet<number>
  seen: ReadonlySet<number>
}

export async function readGrantor(tx: Db, userId: number): Promise<Grantor> {
  const graph = await readGroupGraph(tx)
  const { member, bless } = await directGrants(tx, userId)
  const { ids, names } = graph.membership(member)
  return {
    id: userId,
    isAdministrator: names.has('admin'),
    graph,
    reach: reachOf(graph, member, bless),
    isAccountManager: names.has('editusers'),
    blessed: new Set([...bless, ...graph.reached(ids, 'bless')]),
    seen: graph.reached(ids, 'see'),
  }
}

export function mayGrant({ isAdministrator, reach }: Grantor, groupId: number) {
  return isAdministrator || reach.has(groupId)
}

/** By id and by name. A name can look like an id of another group; the group that comes first in the list is meant. */
function groupsByRef(graph: GroupGraph): ReadonlyMap<string, GroupSummary> {
  const known = byRef.get(graph)
  if (known !== undefined) return known
  const groups = new Map<string, GroupSummary>()
  for (const group of graph.groups.values())
    for (const ref of [String(group.id), fold(group.name)]) if (!groups.has(ref)) groups.set(ref, group)
  byRef.set(graph, groups)
  return groups
}

const byRef = new WeakMap<GroupGraph, ReadonlyMap<string, GroupSummary>>()

/** The group with this id or name. Throws 304 if the user may not give it, and also if there is none. */
export function getGrantable(grantor: Grantor, ref: string): GroupSummary {
  const group = groupsByRef(grantor.graph).get(fold(ref.trim()))
  if (!group || !mayGrant(grantor, group.id)) throw errors.group_not_blessable({ ref })
  return group
}

/** Whether the user may choose the members of the group: members of editusers as in accounts, others if they may bless it. */
export function mayChooseMembers(grantor: Grantor, groupId: number, { usevisibilitygroups }: Settings) {
  if (grantor.isAccountManager) return mayGrant(grantor, groupId)
  return grantor.blessed.has(groupId) && (!usevisibilitygroups || grantor.seen.has(groupId))
}

/** Throws 304 unless the user may decide who has the rights of the group. */
export function requireMayGrant(grantor: Grantor, group: { id: number; name: string }) {
  if (!mayGrant(grantor, group.id))
    throw errors.not_allowed({
      need: `you are not in the group ${group.name} and may not bless it, so deciding who has its rights needs membership in admin`,
    })
}

/** Throws 304 if a login name matches the user_regexp of groups whose rights the user may not give. */
export function requireMayGrantAll(grantor: Grantor, groupIds: readonly number[]) {
  for (const id of groupIds) requireMayGrant(grantor, grantor.graph.groups.get(id) ?? { id, name: String(id) })
}

/**
 * Throws 304 if the other user has rights that the user could not get otherwise: a user who sets the password or the address of an
 * account can use its rights.
 */
export async function requireNotStronger(tx: Db, grantor: Grantor, other: { id: number; login: string }) {
  if (grantor.isAdministrator || grantor.id === other.id) return
  const { member, bless } = await directGrants(tx, other.id)
  const reach = reachOf(grantor.graph, member, bless)
  if (!reach.isSubsetOf(grantor.reach))
    throw errors.not_allowed({
      need: `${other.login} has rights that you do not have, so changing the login, the password or the state of this account needs membership in admin`,
    })
}

/** The groups that a user is in or could join: members of one group may be allowed to bless the next. */
function reachOf(graph: GroupGraph, member: readonly number[], bless: readonly number[]): ReadonlySet<number> {
  let reach = graph.membership([...member, ...bless]).ids
  for (;;) {
    const more = graph.membership([...reach, ...graph.reached(reach, 'bless')]).ids
    if (more.size === reach.size) return reach
    reach = more
  }
}

const grantsOf = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('user_group_grants').select(['group_id', 'right']).where('user_id', '=', p.userId),
)

async function directGrants(tx: Db, userId: number) {
  const rows = await tx.all(grantsOf, { userId })
  const idsOf = (right: string) => rows.filter((row) => row.right === right).map((row) => row.group_id)
  return { member: idsOf('member'), bless: idsOf('bless') }
}
