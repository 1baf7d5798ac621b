import type { Dialect } from '../dialects/dialect.ts'
import type { Builder, Compilable } from './builder.ts'
import type { ReadLimits } from './read-limits.ts'
import type { Topic } from './signals.ts'
import type { SlowReadCounts } from './slow-read.ts'
import type { Statement } from './statement.ts'

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
  /** All that `work` writes, or nothing. `alone` keeps every other transaction of that kind out until this one ends. */
  transaction<Result>(work: (tx: Db) => Promise<Result>, alone?: Alone): Promise<Result>
  /** How busy slow reads are at this moment. */
  slowReads(): SlowReadCounts
  /** A number that moves with every write; undefined where only a query could tell whether another process has written. */
  freshness(): number | undefined
  /** Shows other threads whether somebody writes here, so that they can wait; undefined where nobody waits for anybody. */
  readonly traffic: SharedArrayBuffer | undefined
  /** Wakes whoever listens in this process, after the transaction has committed. Costs nothing. */
  tell(topic: Topic): void
  /** The same in every process on this database, where the engine can; elsewhere they notice by themselves after a moment. */
  tellEverywhere(topic: Topic): Promise<void>
  /** Is woken by both, and whenever something may have been missed. Answers how to stop. */
  listen(topic: Topic, listener: () => void): () => void
  /** Runs the statements of a migration. */
  script(sql: string): Promise<void>
  close(): Promise<void>
}

/** A database with the limits for slow reads of one request. Functions that read slowly take this instead of a Db. */
export interface LimitedDb extends Db {
  readonly limits: ReadLimits
  querySlowly<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]>
}

/** Kinds of transactions that happen one after another, so that what they check stays true until they commit. */
export type Alone = 'configuration' | 'migration' | 'login' | 'links' | 'events'
