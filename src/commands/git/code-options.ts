/** What the commands of a repository know of the tracker: options, or settings of git with the prefix lacewing. */
export interface CodeOptions {
  url?: string
  secretFile?: string
  repository?: string
  branch?: string
  commitAddress?: string
}

/** What the check of a message needs. */
export interface MessageOptions {
  server?: string
  keyFile?: string
  words: string
}
