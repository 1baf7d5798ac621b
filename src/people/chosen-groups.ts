/** A change to a list of groups, by id: the whole list, or groups to add and groups to remove. */
export type GroupListChange = { set: readonly number[] } | { add: readonly number[]; remove: readonly number[] }

/**
 * `set` replaces the groups that the caller may change and keeps the others. Without it, a group that is both added and
 * removed is added.
 */
export function chosenGroups(
  before: ReadonlySet<number>,
  requested: GroupListChange,
  mayBeDecided: (group: number) => boolean,
): { added: number[]; removed: number[] } {
  const isKept = (group: number) => ('set' in requested ? !mayBeDecided(group) : !requested.remove.includes(group))
  const after = new Set([...[...before].filter(isKept), ...('set' in requested ? requested.set : requested.add)])
  return { added: [...after.difference(before)], removed: [...before.difference(after)] }
}
