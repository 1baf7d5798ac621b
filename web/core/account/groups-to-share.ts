import { reasonWithoutFunction, SYSTEM_GROUP_NAMES } from '../../../shared/system-group-names.ts'
import { me } from './session.ts'

/** From this number on, groups are found by typing. */
export const MANY_GROUPS = 20

export interface GroupsToShare {
  /** Teams and products, which are what one shares with. */
  own: readonly string[]
  /** Those that give rights. */
  system: readonly string[]
}

/** The groups of the reader, and those that it is shared with already, each part by name. */
export function groupsToShare(before: readonly string[]): GroupsToShare {
  const all = [...new Set([...before, ...(me.value?.groups ?? [])])].sort((one, other) => one.localeCompare(other))
  return {
    own: all.filter((name) => !isSystem(name)),
    system: all.filter((name) => isSystem(name) && (before.includes(name) || !reasonWithoutFunction(name))),
  }
}

/** Groups of the installation first: they are what one looks for most. */
export function ownGroupsFirst(names: readonly string[]): readonly string[] {
  return names.toSorted((one, other) => Number(isSystem(one)) - Number(isSystem(other)))
}

function isSystem(name: string) {
  return SYSTEM_GROUP_NAMES.some((system) => system === name)
}
