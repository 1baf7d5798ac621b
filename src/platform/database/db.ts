import type { Dialect } from '../dialects/dialect.ts'
import type { ConnectionCounts } from './postgres/connection-counts.ts'
import type { SignalTopic } from './signals.ts'
import type { ReadLimits } from './slow-reads/read-limits.ts'
import type { SlowReadCounts } from './slow-reads/slow-read.ts'
import type { Builder, Compilable } from './statements/builder.ts'
import type { Statement } from './statements/statement.ts'
import type { Alone } from './transactions/transaction-kinds.ts'

export type { Alone }

/**
 * A database, or a transaction on it. Functions take it as their first argument and do not know which of the two it is;
 * whoever decides the unit of work opens the transaction.
 */
export interface Db {
  readonly dialect: Dialect
  /** Runs a statement that was written once. */
  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>
  first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined>
  /** Runs a query whose text depends on what was asked. */
  query<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]>
  /** The same for reads that may take long: they do not block other requests, and the limits end them. */
  querySlowly<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>, limits: ReadLimits): Promise<Row[]>
  /** The same database for one request, whose slow reads all have these limits. */
  within(limits: ReadLimits): LimitedDb
  /**
   * All that `work` writes, or nothing. `alone` takes the locks of that kind of transaction first. `opening` is a statement without
   * parameters, run as soon as the locks are held; `work` gets its first row.
   */
  transaction<Result, Kind extends Alone | undefined = undefined, Opened = undefined>(
    work: (tx: TransactionOf<Kind>, opened: Opened | undefined) => Promise<Result>,
    alone?: Kind,
    opening?: Statement<object, Opened>,
  ): Promise<Result>
  /** How busy slow reads are at this moment. */
  slowReads(): SlowReadCounts
  /** How many connections are in use at this moment; undefined where there is no database server. */
  connections(): ConnectionCounts | undefined
  /** A number that moves with every write; undefined where only a query could tell whether another process has written. */
  freshness(): number | undefined
  /** Shows other threads whether somebody writes here, so that they can wait; undefined where nobody waits for anybody. */
  readonly traffic: SharedArrayBuffer | undefined
  /** Wakes whoever listens in this process, after the transaction has committed. Costs nothing. */
  tell(topic: SignalTopic): void
  /** The same in every process on this database, where the engine can; elsewhere they notice by themselves after a moment. */
  tellEverywhere(topic: SignalTopic): Promise<void>
  /** Is woken by both, and whenever something may have been missed. Answers how to stop. */
  listen(topic: SignalTopic, listener: () => void): () => void
  /** Runs the statements of a migration. */
  script(sql: string): Promise<void>
  close(): Promise<void>
}

/** A database with the limits for slow reads of one request. Functions that read slowly take this instead of a Db. */
export interface LimitedDb extends Db {
  readonly limits: ReadLimits
  querySlowly<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]>
}

/** A transaction that may change the configuration: no bug is written before it ends, except by itself. */
export interface ConfigurationTransaction extends BugTransaction {
  readonly [excludes]: 'bug writes'
}

/**
 * A transaction that may write bugs: the configuration that it was decided on stays as it is until the transaction ends. Opened by
 * writeBugs in access/write-bugs.ts only; a `ConfigurationTransaction` is one too.
 */
export interface BugTransaction extends Db {
  readonly [mayWrite]: 'bugs'
}

declare const mayWrite: unique symbol
declare const excludes: unique symbol

export type TransactionOf<Kind extends Alone | undefined> = [Kind] extends ['configuration' | 'migration']
  ? ConfigurationTransaction
  : Db
