import type { RawBuilder } from 'kysely'
import type { Builder, SqlValue } from '../database/statements/builder.ts'
import type { Database } from '../database/tables.ts'
import type { WordTerm } from '../text/word-terms.ts'

/** What the two engines say differently, each under the name of what is meant. */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  readonly builder: Builder
  /** Words of a migration that differ: `{id}`, `{text}` … */
  readonly columnTypes: Readonly<Record<string, string>>
  /** The rows of a list that was given as JSON text, for `where x in …`; those of integers are called `id`. */
  integersIn(json: SqlValue<string>): RawBuilder<number>
  textsIn(json: SqlValue<string>): RawBuilder<string>
  /** The same for rows with several columns, given as a JSON list of objects: something to select from. */
  recordsIn(json: SqlValue<string>, columns: RecordColumns): RawBuilder<unknown>
  /** The values that a subquery yields in its column `value`, gathered as JSON text. */
  jsonListOf(rows: RawBuilder<unknown>): RawBuilder<string>
  /** The rows of a subquery as a JSON list of objects, with the named columns. */
  jsonObjectsOf(rows: RawBuilder<unknown>, columns: readonly string[]): RawBuilder<string>
  /** Put at the end of a select: the rows stay as they are until the transaction ends. */
  locked(): RawBuilder<unknown>
  /** Only one transaction is under way at a time, so that nothing needs to be held. */
  readonly transactionsTakeTurns: boolean
  /** Lets the ids that the engine makes go on after those in the table; to be selected once rows came with ids of their own. */
  idsFollowThoseIn(table: keyof Database): RawBuilder<number>
  /** A script that lets the ids of an empty table begin after a number. */
  idsBeginAfter(table: keyof Database, id: number): string
  /** A script that lets the ids of all tables begin at 1, for a database that is still empty. */
  readonly idsBeginAtOne: string
  /** The database's own clock, as clock.ts writes times. */
  now(): RawBuilder<string>
  /** The same clock, later (or, below zero, earlier) by a number of seconds. */
  secondsFromNow(seconds: SqlValue<number>): RawBuilder<string>
  /** How many rows are read at once where there may be very many. */
  readonly rowsAtOnce: number
  /** Whether rows get their ids in the order in which they are committed. */
  readonly idsFollowCommits: boolean
  /** Whether the text of a column has the other in it, letter by letter: both are given in the same form (see fold.ts). */
  contains(column: RawBuilder<string>, text: string): RawBuilder<boolean>
  /** What the index of parts finds a text by: any of them leads to all that have it. Undefined when the index is no help. */
  piecesOf(text: string): readonly string[] | undefined
  /** The bugs with all of these pieces in a column with an index of its parts: a select of ids. */
  bugsWithPieces(column: 'summary' | 'whiteboard', pieces: readonly string[], range?: IdRange): RawBuilder<unknown>
  /** Whether the engine reads in the order that is wanted when only the first few rows are, and not all that there are to sort them. */
  readonly readsInOrder: boolean
  /** Whether subqueries that must all hold are planned together, which takes very long when they are many. */
  readonly plansTogether: boolean
  /** Whether SQL has functions for what is asked of texts. Else those of JavaScript are called, which is only good for short texts. */
  readonly judgesTexts: boolean
  /** Holds for every bug, and ends a read that takes too long; undefined where the engine does so by itself. */
  requireTime(bugId: RawBuilder<number>): RawBuilder<boolean> | undefined
  /** What a row of an index of words holds. */
  keptWords(words: readonly string[]): string
  /** The same text where the engine could not tell what it is. */
  asWords(kept: SqlValue<string>): RawBuilder<string>
  /** The ids of the bugs with the words, as a select; one with several places that have them comes several times. */
  bugsWithWords(index: WordIndex, term: WordTerm, range?: IdRange): RawBuilder<unknown>
  /** The first bugs of all, by id, with every term in one place. Terms that many bugs have cost no more than others. */
  firstBugsWithAll(index: WordIndex, terms: readonly WordTerm[], from: number, most: number): RawBuilder<unknown>
  /** From so many places on, it is quicker to ask a few bugs whether they have a word than to gather all that do. */
  readonly mostToGather: number
  /** So many are counted one by one; from them it is concluded how many there are. */
  readonly mostToCount: number
  /** Whether one bug has the words. For few bugs; for many, ask for those that have them. */
  hasWords(index: WordIndex, term: WordTerm, bugId: RawBuilder<number>): RawBuilder<boolean>
  /**
   * The SQL of a statement that is prepared once and run often, in a form that is planned once. SQLite plans a statement with `limit ?`
   * again for every run, because the plan depends on the value: reading the comments of a bug took 225 µs instead of 41.
   */
  plannedOnce(sql: string): string
  isUniqueViolation(fault: unknown): boolean
  isForeignKeyViolation(fault: unknown): boolean
}

/** The columns of rows that come as JSON, each with what it holds. */
export type RecordColumns = Readonly<Record<string, 'integer' | 'text'>>

/** The bugs from one number to another, both included. */
export interface IdRange {
  readonly from: number
  readonly to: number
}

/** What anybody finds, and what only insiders do. */
export type WordIndex = 'bug_words' | 'private_words'
