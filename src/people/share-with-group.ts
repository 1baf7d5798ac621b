import { isIn, type SignedIn } from '../access/caller.ts'
import type { GroupGraph } from '../access/visibility/group-graph.ts'
import type { Settings } from '../platform/config/settings.ts'
import type { Db } from '../platform/database/db.ts'
import { errors } from '../platform/errors.ts'
import { fold } from '../platform/text/fold.ts'
import { requireGroupStillExists } from './groups/group-store.ts'

/** The owner of what is shared, and the groups at the time of the request. */
interface SharingContext {
  db: Db
  owner: SignedIn
  settings: Settings
  groups: GroupGraph
}

/**
 * The id of a group to share with. Sharing needs membership in the group of the parameter querysharegroup, and in the group itself; what
 * is shared with `before` stays so.
 */
export async function groupToShare(
  { db, owner, settings, groups }: SharingContext,
  requested: string,
  before: readonly number[],
): Promise<number> {
  const key = fold(requested.trim())
  const group = [...groups.groups.values()].find(({ name }) => fold(name) === key)
  if (group !== undefined && before.includes(group.id)) return group.id
  const sharers = settings.querysharegroup
  if (sharers === '')
    throw errors.not_allowed({ need: 'the parameter querysharegroup is empty, so sharing searches is off' })
  if (!isIn(owner, sharers)) throw errors.group_required({ groups: [sharers] })
  if (group === undefined || !owner.groups.ids.has(group.id)) throw errors.group_not_yours({ ref: requested })
  await requireGroupStillExists(db, group)
  return group.id
}
