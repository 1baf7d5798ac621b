import type { FieldKind } from './bug-field.ts'

const isOneOf =
  (...kinds: readonly FieldKind[]) =>
  (kind: FieldKind | undefined) =>
    kind !== undefined && kinds.includes(kind)

/** The values are login names. */
export const hasUsers = isOneOf('user', 'users')

/** The values are numbers of bugs. */
export const hasBugs = isOneOf('bug', 'bugs')

/** A bug can have several values. A change lists those that were added and removed, separated by commas. */
export const hasSeveral = isOneOf('users', 'keywords', 'names', 'groups', 'bugs', 'links')
