/** The options of every command that decide what it prints. */
export interface OutputOptions {
  /** One JSON document on standard output instead of sentences. */
  readonly json?: boolean
  /** Only errors, and what was asked for. */
  readonly quiet?: boolean
}
