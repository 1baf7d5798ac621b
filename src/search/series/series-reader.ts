import { anonymous, type Caller } from '../../access/caller.ts'
import type { GroupGraph, Membership } from '../../access/visibility/group-graph.ts'
import { listUsersByIds } from '../../people/users/user-store.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Series } from './series.ts'
import { mandatoryGroupsOf } from './series-view-store.ts'

/**
 * The caller with whose rights a series is counted: its creator, or, for a public series, an anonymous caller with the groups that all its
 * readers have, because they have very different rights. Undefined if the creator is gone or disabled.
 */
export async function seriesReader(
  db: Db,
  settings: Settings,
  groups: GroupGraph,
  series: Pick<Series, 'product_id' | 'creator_id' | 'is_public'>,
): Promise<Caller | undefined> {
  if (series.is_public === 1) {
    const mandatory = series.product_id === null ? [] : await mandatoryGroupsOf(db, series.product_id)
    return { ...anonymous, groups: certainGroups(groups, settings, mandatory) }
  }
  if (series.creator_id === null) return undefined
  const [creator] = await listUsersByIds(db, [series.creator_id])
  if (creator === undefined || creator.disabled_text !== '') return undefined
  return {
    ...anonymous,
    id: creator.id,
    login: creator.login,
    realName: creator.real_name,
    groups: groups.membership(JSON.parse(creator.group_ids) as number[]),
  }
}

/** The groups of all users who may search in a product: all its mandatory groups, or with or_groups those that any one of them gives. */
function certainGroups(groups: GroupGraph, settings: Settings, mandatory: readonly number[]): Membership {
  if (!settings.or_groups || mandatory.length < 2) return groups.membership(mandatory)
  const [first, ...others] = mandatory.map((id) => groups.membership([id]).ids)
  const shared = others.reduce((ids, more) => ids.intersection(more), new Set(first))
  return groups.membership([...shared])
}
