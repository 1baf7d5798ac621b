/** The reader's value, and the value that another user has saved before. */
export interface Conflict {
  label: string
  theirs: string
  mine: string
  /** Login name. */
  who: string | undefined
  setMine(): void
  /** Called when the reader keeps the other value. */
  keepTheirs?(): void
}
