import type { RawBuilder } from 'kysely'
import type { Builder, SqlValue, SqlValues } from '../database/statements/builder.ts'
import type { Database, IndexedColumn } from '../database/tables.ts'
import type { WordTerm } from '../text/word-terms.ts'

/** What differs between the two engines, named by its meaning. */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  readonly builder: Builder
  /** Column types of migrations that differ: `{id}`, `{text}` … */
  readonly columnTypes: Readonly<Record<string, string>>
  /** The elements of a JSON list as rows, for `where x in …`; the column of integers is called `id`. */
  integersIn(json: SqlValue<string>): RawBuilder<number>
  textsIn(json: SqlValue<string>): RawBuilder<string>
  /** The same for a JSON list of objects with several columns, to select from. */
  recordsIn(json: SqlValue<string>, columns: RecordColumns): RawBuilder<unknown>
  /** The values of the column `value` of a subquery, as a JSON list. */
  jsonListOf(rows: RawBuilder<unknown>): RawBuilder<string>
  /** The rows of a subquery as a JSON list of objects with these columns. */
  jsonObjectsOf(rows: RawBuilder<unknown>, columns: readonly string[]): RawBuilder<string>
  /** At the end of a select: locks the rows until the transaction ends. */
  locked(): RawBuilder<unknown>
  /** The same for rows that others may refer to meanwhile, as every row does that belongs to a user. */
  lockedBesideReferences(): RawBuilder<unknown>
  /** Whether only one transaction runs at a time, so that no rows need to be locked. */
  readonly transactionsTakeTurns: boolean
  /**
   * Makes generated ids continue after those in the table; to be selected after rows were inserted with explicit ids.
   */
  idsFollowThoseIn(table: keyof Database): RawBuilder<number>
  /** A script that makes the ids of an empty table start after a number. */
  idsBeginAfter(table: keyof Database, id: number): string
  /** A script that makes the ids of all tables start at 1, for an empty database. */
  readonly idsBeginAtOne: string
  /** The clock of the database, in the format of clock.ts. */
  now(): RawBuilder<string>
  /** The release of the engine, such as 17.2. */
  engineVersion(): RawBuilder<string>
  /** The size of the database, without files beside it. */
  databaseBytes(): RawBuilder<number>
  /** The same clock, later by a number of seconds (earlier if negative). */
  secondsFromNow(seconds: SqlValue<number>): RawBuilder<string>
  /** The whole hours from one time to a later one, both in the format of clock.ts. */
  hoursBetween(from: RawBuilder<string>, to: RawBuilder<string>): RawBuilder<number>
  /** A column in a condition for which SQLite must choose no index, because it takes every index for better than it is. */
  notByIndex(column: RawBuilder<string>): RawBuilder<string>
  /** Groups the same rows by one column, then by another: `what` (the name of the column), `value`, and the counts of each group. */
  groupedByEach(
    rows: RawBuilder<unknown>,
    columns: readonly [string, string],
    counts: RawBuilder<unknown>,
  ): RawBuilder<unknown>
  /** How many rows to read at once if there may be very many. */
  readonly rowsAtOnce: number
  /** Whether rows get their ids in the order of commits. */
  readonly idsFollowCommits: boolean
  /** Whether the column contains the text exactly; both are in the same form (see fold.ts). */
  contains(column: RawBuilder<string>, text: string): RawBuilder<boolean>
  /**
   * The pieces by which the trigram index finds a text: each bug with the text has all of them. Undefined if the index
   * cannot help.
   */
  piecesOf(text: string): readonly string[] | undefined
  /** The text by which the index is asked for all of these pieces. */
  matchOf(pieces: readonly string[]): string
  /** The bug that has a piece after so many others, as a select. */
  bugWithPiece(column: IndexedColumn, match: SqlValue<string>, after: number): RawBuilder<unknown>
  /** The ids of bugs with all of these pieces in an indexed column, as a select. */
  bugsWithPieces(column: IndexedColumn, pieces: readonly string[], range?: IdRange): RawBuilder<unknown>
  /**
   * Whether the engine reads in the requested order if only the first rows are needed, instead of sorting all of them.
   */
  readonly readsInOrder: boolean
  /** Whether the planner of the engine knows about how many rows have a value, a word or a part of a text, so that they need not be counted. */
  readonly estimatesRows: boolean
  /** The column, which SQLite then looks up in no index; PostgreSQL chooses by its statistics. */
  unindexed(column: RawBuilder<unknown>): RawBuilder<unknown>
  /** Whether a condition on the first column of an index lets the engine skip through it. */
  readonly skipsThroughIndexes: boolean
  /** Whether subqueries that are joined by `and` are planned together, which takes very long if there are many. */
  readonly plansTogether: boolean
  /**
   * Whether SQL has functions for text conditions. Otherwise JavaScript functions are called, which suits only short
   * texts.
   */
  readonly judgesTexts: boolean
  /** True for every bug, but ends a read at its time limit; undefined if the engine does so itself. */
  requireTime(bugId: RawBuilder<number>): RawBuilder<boolean> | undefined
  /** To be required of each row that a statement of `Db.allOfFewRows` tests. */
  isRowAllowed: RawBuilder<boolean>
  /** Whether a number is in a list, which is short and is found before anything else. */
  isInShortList(number: RawBuilder<unknown>, list: RawBuilder<unknown>): RawBuilder<boolean>
  /** Words as they are stored in a row of a word index. */
  keptWords(words: readonly string[]): string
  /** `keptWords` as a value in SQL, with its type where the engine cannot infer it. */
  asWords(kept: SqlValue<string>): RawBuilder<string>
  /** The ids of the bugs with the words, as a select; a bug with the words at several positions comes several times. */
  bugsWithWords(index: WordIndex, term: WordTerm, range?: IdRange): RawBuilder<unknown>
  /** The first bugs by id that have every term at one position. Frequent terms cost no more than rare ones. */
  firstBugsWithAll(index: WordIndex, terms: readonly WordTerm[], from: number, most: number): RawBuilder<unknown>
  /** The same from the other end: the last bugs by id, of those for which a condition on `bugs` holds. */
  lastBugsWithAll(
    index: WordIndex,
    terms: readonly WordTerm[],
    holds: RawBuilder<unknown>,
    most: number,
  ): RawBuilder<unknown>
  /** Whether one bug has the words. For few bugs; for many, use bugsWithWords. */
  hasWords(index: WordIndex, term: WordTerm, bugId: RawBuilder<number>): RawBuilder<boolean>
  /** The first ids of a list, for a statement that is compiled once. What is looked for is bound as `textsToFind` has it. */
  firstListed(list: TextList, params: FirstListedParams, order: ListOrder): FirstListed
  /** Whether a folded text of the bug contains a part, which is bound as `textsToFind` has it. */
  containsPart(column: RawBuilder<string>, part: SqlValue<string>): RawBuilder<boolean>
  /** A part of a text with its pieces, or a term, in the forms in which statements bind it. */
  textsToFind(sought: WordTerm | TextPart): TextsToFind
  /**
   * The SQL of a prepared statement in a form that is planned once. SQLite plans a statement with `limit ?` again for
   * every run, because the plan depends on the value: reading the comments of a bug took 225 µs instead of 41.
   */
  plannedOnce(sql: string): string
  /** The SQL with which the engine returns how it would carry out a statement, and the lines of its answer. */
  explained(sql: string): string
  planIn(rows: readonly Readonly<Record<string, unknown>>[]): string[]
  isUniqueViolation(fault: unknown): boolean
  isForeignKeyViolation(fault: unknown): boolean
}

/** The columns of records in JSON, with their types. */
export type RecordColumns = Readonly<Record<string, 'integer' | 'text'>>

/** The bugs from one id to another, both included. */
export interface IdRange {
  readonly from: number
  readonly to: number
}

/** A list of bugs that an index of texts has: those with a word, or with a part of one of the texts that have such an index. */
export type TextList = WordIndex | IndexedColumn | 'aliases'

export interface FirstListedParams extends SqlValues<TextsToFind> {
  /** The range of ids, and of their positions in an index of words. */
  readonly from: SqlValue<number>
  readonly to: SqlValue<number>
  readonly fromPlace: SqlValue<number>
  readonly toPlace: SqlValue<number>
  readonly most: SqlValue<number>
}

/** A folded text, and the pieces by which the index finds it. */
export interface TextPart {
  readonly text: string
  readonly pieces: readonly string[]
}

export interface TextsToFind {
  /** For the index. */
  readonly match: string
  /** For texts that are not in the index yet, or have none. */
  readonly part: string
}

/** By id, or in any order where that is quicker. */
export type ListOrder = 'asc' | 'desc' | 'any'

/** Selects of ids, as `value`. */
export interface FirstListed {
  /** At most `most`. */
  readonly listed: RawBuilder<unknown>
  /** They come in the order of ids. */
  readonly isOrdered: boolean
  /** Those that are not in the index yet. They are few. */
  readonly waiting?: RawBuilder<unknown>
}

/** The index for all users, and the one for insiders. */
export type WordIndex = 'bug_words' | 'private_words'
