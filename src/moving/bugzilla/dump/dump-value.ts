/**
 * A value as a dump has it: text and blobs are bytes whose meaning depends on the column. Bytes that are all ASCII come
 * as a text.
 */
export type DumpValue = null | number | Bytes | string

/** The bytes of a quoted text, or of a hexadecimal one, which is always binary. */
export interface Bytes {
  readonly bytes: Buffer
  readonly isBinary: boolean
}

export interface DumpColumn {
  readonly name: string
  /** The type in the CREATE TABLE statement, in lower case; empty if the dump has none. */
  readonly type: string
}

/** What the parser finds in a dump, in its order. */
export type DumpEvent =
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly DumpColumn[] }
  | {
      readonly kind: 'row'
      readonly table: string
      /** The columns that the statement names; undefined if it has those of the table. */
      readonly columns: readonly string[] | undefined
      readonly values: readonly DumpValue[]
    }

/** The kind of SQL in the dump. */
export type DumpKind = 'mysql' | 'postgres'

/** The dump is not what a database program writes. The message is a sentence for the operator. */
export class UnreadableDump extends Error {}
