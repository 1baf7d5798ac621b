import type { Database } from '../../../platform/database/tables.ts'
import type { WordIndex } from '../../../platform/dialects/dialect.ts'
import type { Tallied } from '../row-tally.ts'
import type { Addresses } from './addresses.ts'
import type { ContentTarget } from './bug-attachments.ts'
import type { BugLookup } from './bug-lookup.ts'

/** What the parts of the bugs are made of, besides the staged rows. */
export interface PartSource extends ContentTarget {
  readonly lookup: BugLookup
  readonly addresses: Addresses
  /** The aliases that earlier bugs have, folded. */
  readonly aliases: Set<string>
  /** Comments that the dump does not have get numbers above this one. */
  readonly freeCommentId: number
  /** Words as the engine keeps them. */
  keptWords(words: readonly string[]): string
}

type Values = readonly (string | number | null)[]

/** New rows of a table, with the values of all rows in one list. */
export interface PreparedRows {
  readonly table: keyof Database
  readonly columns: readonly string[]
  readonly values: Values
}

/** Some hundreds of bugs with everything that belongs to them, ready to be written. It can be sent to a thread. */
export interface PreparedPart {
  /** The last bug of the part, or `done`. */
  readonly next: number | 'done'
  /** How many rows of bugs it was made of. */
  readonly bugs: number
  /** In the order in which they refer to each other. */
  readonly tables: readonly PreparedRows[]
  /** Positions and words. */
  readonly words: Readonly<Record<WordIndex, Values>>
  /** The contents that were stored for it. */
  readonly digests: readonly string[]
  readonly tallied: Tallied
}
