/** The users and groups that were imported, to check what refers to them. */
export interface UserLookup {
  readonly users: ReadonlySet<number>
  readonly groups: ReadonlySet<number>
  /** Groups whose user_regexp cannot be used here. */
  readonly groupsWithoutRegexp: ReadonlySet<number>
  /** The user that stands for users without a usable number; undefined if no row needs it. */
  readonly unknownUser: number | undefined
}

/** The users with numbers after `after`, up to `last`. */
export interface PartOfUsers {
  after: number
  last: number
}
