import { Type } from '@sinclair/typebox'
import { MEMBER_GROUPS } from '../access/authentication/authenticated-request.ts'
import type { GroupGraph, Membership } from '../access/visibility/group-graph.ts'
import type { Settings } from '../platform/config/settings.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'

/**
 * Why members of a group do not see what its owner shares with them: the owner is not in the group, or not in the group of the parameter
 * querysharegroup. It is computed when it is read, so that a share holds again when its owner may make it again.
 */
export type PauseReason = 'owner_not_in_group' | 'owner_may_not_share'

export type PauseOf = (share: { ownerId: number; groupId: number }) => PauseReason | undefined

interface Shared {
  owner_id: number
  groupIds: readonly number[]
}

/** As the owner reads it; other users get an empty list. */
export const PausedShares = Type.Array(
  Type.Object(
    {
      group: Type.String({ description: 'Name of a group in shared_with.' }),
      reason: Type.String({ description: 'owner_not_in_group or owner_may_not_share.' }),
    },
    { title: 'PausedShare', additionalProperties: false },
  ),
  { description: 'Groups whose members do not see it at present, because its owner could not share it with them now.' },
)

/** Reads with one query which of these shares are paused. */
export async function readPauses(
  db: Db,
  { settings, groups }: { settings: Settings; groups: GroupGraph },
  shared: readonly Shared[],
): Promise<PauseOf> {
  const ids = new Set(shared.flatMap((it) => (it.groupIds.length === 0 ? [] : it.owner_id)))
  if (ids.size === 0) return () => undefined
  const owners = new Map<number, Membership>()
  for (const { id, group_ids } of await db.all(membersOf, { ids: JSON.stringify([...ids]) }))
    owners.set(id, groups.membership(JSON.parse(group_ids) as number[]))
  return ({ ownerId, groupId }) => {
    const owner = owners.get(ownerId)
    if (!owner?.ids.has(groupId)) return 'owner_not_in_group'
    return owner.names.has(settings.querysharegroup) ? undefined : 'owner_may_not_share'
  }
}

const membersOf = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('users')
    .select(['id', d.jsonListOf(MEMBER_GROUPS).as('group_ids')])
    .where('id', 'in', d.integersIn(p.ids)),
)

/** The shares as their owner reads them: the names of all groups, and which of them are paused. */
export function presentShares(
  { owner_id: ownerId, groupIds }: Shared,
  pauseOf: PauseOf,
  reader: { id: number | null; groups: { ids: ReadonlySet<number> } },
  groups: GroupGraph,
) {
  const isOwn = ownerId === reader.id
  const named = groupIds.flatMap((groupId) => {
    const group = groups.groups.get(groupId)?.name
    const reason = pauseOf({ ownerId, groupId })
    // The names of other groups than those of the reader are the owner's business.
    const isShown = isOwn || (reason === undefined && reader.groups.ids.has(groupId))
    return group === undefined || !isShown ? [] : [{ group, reason }]
  })
  named.sort((one, other) => (one.group < other.group ? -1 : 1))
  return {
    shared_with: named.map(({ group }) => group),
    paused_shares: named.flatMap(({ group, reason }) => (reason === undefined ? [] : [{ group, reason }])),
  }
}

/** Whether it is shared with a group of the reader, and not paused there. */
export function isSharedWith(
  { owner_id: ownerId, groupIds }: Shared,
  pauseOf: PauseOf,
  { groups }: { groups: { ids: ReadonlySet<number> } },
): boolean {
  return groupIds.some((groupId) => groups.ids.has(groupId) && pauseOf({ ownerId, groupId }) === undefined)
}
