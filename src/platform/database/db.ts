import type { Dialect } from '../dialects/dialect.ts'
import type { ConnectionCounts } from './postgres/connection-counts.ts'
import type { SignalTopic } from './signals.ts'
import type { ReadLimits } from './slow-reads/read-limits.ts'
import type { SlowReadCounts } from './slow-reads/slow-read.ts'
import type { Builder, Compilable } from './statements/builder.ts'
import type { Statement } from './statements/statement.ts'
import type { TransactionKind } from './transactions/transaction-kinds.ts'

export type { TransactionKind }

/**
 * A database, or a transaction on it. Functions take it as their first argument and need not know which it is. The
 * function that decides the unit of work opens the transaction.
 */
export interface Db {
  readonly dialect: Dialect
  /** Runs a statement that is compiled once. */
  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>
  first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined>
  /**
   * The same, without a query if the row was read before under this key and nothing was written since. Where only a query could tell
   * whether something was written (several processes, PostgreSQL, a transaction), it is read each time.
   */
  firstCached<Params extends object, Row>(
    statement: Statement<Params, Row>,
    key: string,
    params: Params,
  ): Row | Promise<Row | undefined>
  /**
   * The same for a read that tests few rows as a rule, and many if it is unlucky. Where it would delay other requests, it ends after
   * `MOST_ROWS_TESTED` rows and returns undefined; elsewhere the limits end it. It tests rows with `Dialect.isRowAllowed`.
   */
  allOfFewRows<Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
    limits: ReadLimits,
  ): Promise<Row[] | undefined>
  /** Runs a query whose SQL depends on the request. */
  query<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]>
  /** The same for reads that may be slow: they do not block other requests, and the limits end them. */
  querySlowly<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>, limits: ReadLimits): Promise<Row[]>
  /** The same database for one request, whose slow reads share these limits. */
  within(limits: ReadLimits): LimitedDb
  /**
   * Commits everything that `work` writes, or nothing. `kind` is the kind of transaction, whose locks are taken
   * first. `opening` is a statement without parameters that runs as soon as the locks are held; `work` gets its first
   * row.
   */
  transaction<Result, Kind extends TransactionKind | undefined = undefined, Opened = undefined>(
    work: (tx: TransactionOf<Kind>, opened: Opened | undefined) => Promise<Result>,
    kind?: Kind,
    opening?: Statement<object, Opened>,
  ): Promise<Result>
  /** From now on, everything that writes fails with this error, except migrations; undefined to allow it again. */
  refuseWrites(error: Error | undefined): void
  /** From now on, everything that writes, except migrations, is refused if this row says so when it begins. */
  checkWrites<Row>(check: WriteCheck<Row>): void
  /** The current load of slow reads. */
  slowReads(): SlowReadCounts
  /** The connections in use; undefined without a database server. */
  connections(): ConnectionCounts | undefined
  /**
   * A number that changes with every write; undefined if only a query could tell whether another process has written.
   */
  freshness(): number | undefined
  /** Shows other threads whether this one is writing, so that they can wait; undefined if they need not wait. */
  readonly traffic: SharedArrayBuffer | undefined
  /** Wakes the listeners in this process after the transaction has committed. Costs nothing. */
  signal(topic: SignalTopic): void
  /** Wakes the listeners in every process on this database, if the engine can; otherwise they poll. */
  signalEverywhere(topic: SignalTopic): Promise<void>
  /** `listener` is called for both, and whenever a signal may have been missed. Returns a function that stops it. */
  listen(topic: SignalTopic, listener: () => void): () => void
  /** Runs the statements of a migration. */
  script(sql: string): Promise<void>
  close(): Promise<void>
}

/** A row that is read as soon as a transaction holds its locks; what it says holds until the transaction ends. */
export interface WriteCheck<Row = unknown> {
  readonly statement: Statement<object, Row>
  refusal(row: Row | undefined): Error | undefined
}

/** A database with the slow-read limits of one request. Functions that read slowly take this instead of a Db. */
export interface LimitedDb extends Db {
  readonly limits: ReadLimits
  querySlowly<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]>
  allOfFewRows<Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ): Promise<Row[] | undefined>
}

/** A transaction that may change the configuration: no other transaction writes bugs before it ends. */
export interface ConfigurationTransaction extends BugTransaction {
  readonly [excludes]: 'bug writes'
}

/**
 * A transaction that may write bugs: the configuration that decisions are based on does not change until it ends. Only
 * writeBugs in access/write-bugs.ts opens it; a `ConfigurationTransaction` is one too.
 */
export interface BugTransaction extends Db {
  readonly [mayWrite]: 'bugs'
}

declare const mayWrite: unique symbol
declare const excludes: unique symbol

export type TransactionOf<Kind extends TransactionKind | undefined> = [Kind] extends ['configuration' | 'migration']
  ? ConfigurationTransaction
  : Db
