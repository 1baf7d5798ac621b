/** A change to a list of groups, by id: the whole list, or groups to add and groups to remove. */
export type GroupChange = { set: readonly number[] } | { add: readonly number[]; remove: readonly number[] }

/**
 * `set` replaces the groups that the caller may change and keeps the others. Without it, a group that is both added and
 * removed is added.
 */
export function chosenGroups(
  before: ReadonlySet<number>,
  wanted: GroupChange,
  mayBeDecided: (group: number) => boolean,
): { added: number[]; removed: number[] } {
  const isKept = (group: number) => ('set' in wanted ? !mayBeDecided(group) : !wanted.remove.includes(group))
  const after = new Set([...[...before].filter(isKept), ...('set' in wanted ? wanted.set : wanted.add)])
  return { added: [...after.difference(before)], removed: [...before.difference(after)] }
}
