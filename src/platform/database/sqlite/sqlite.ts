import type { Dialect } from '../../dialects/dialect.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { currentSource } from '../../queues/current-caller.ts'
import type { Db, LimitedDb, TransactionKind, WriteCheck } from '../db.ts'
import { Announcements, Signals, type SignalTopic } from '../signals.ts'
import { DbWithLimits } from '../slow-reads/limited-db.ts'
import type { ReadLimits } from '../slow-reads/read-limits.ts'
import { SlowReads } from '../slow-reads/slow-reads.ts'
import { SlowReadsThread } from '../slow-reads/slow-reads-thread.ts'
import type { Builder, Compilable } from '../statements/builder.ts'
import { FreshRows } from '../statements/fresh-rows.ts'
import { type Runnable, runnable, type Statement } from '../statements/statement.ts'
import { noteSource } from '../transactions/source-of-transaction.ts'
import { NO_KINDS, requireKind } from '../transactions/transaction-kinds.ts'
import { OtherWriters } from './other-writers.ts'
import { keepPrivate } from './private-file.ts'
import { Connection } from './sqlite-connection.ts'
import { SqliteTransaction, type TransactionWork } from './sqlite-transaction.ts'
import { Writer } from './sqlite-writer.ts'

/**
 * Writes without waiting for the disk. Such a commit survives the end of the process, but it survives a power cut only
 * after the next synced commit.
 */
export interface DeferredSync {
  /** Writers there have priority; see `Db.traffic`. */
  readonly after: SharedArrayBuffer | undefined
  /** Fills a database that no server uses: it may take memory for that, but does not map the file into it. */
  readonly isBulk?: boolean
}

/**
 * SQLite in this process. Reads and writes have separate connections: no read sees an open transaction, and no
 * transaction holds up a read. Transactions run one after another.
 */
export function openSqlite(file: string, isShared = false, deferredSync?: DeferredSync): Db {
  keepPrivate(file)
  const writer = new Connection(file)
  if (deferredSync !== undefined)
    writer.connection.exec(
      `pragma synchronous = normal; pragma wal_autocheckpoint = ${deferredSync.isBulk ? 8000 : 1000}`,
    )
  if (deferredSync?.isBulk) writer.connection.exec('pragma cache_size = -32000')
  const reader = new Connection(file)
  // Pages are read from the page cache of the system without being copied.
  reader.connection.exec(`pragma query_only = on; pragma mmap_size = ${deferredSync?.isBulk ? 0 : 17179869184}`)
  return new SqliteDb(
    reader,
    new Writer(writer, deferredSync?.after),
    new SlowReads(() => new SlowReadsThread(file)),
    isShared,
  )
}

class SqliteDb implements Db {
  readonly dialect = sqliteDialect
  private readonly reader: Connection
  private readonly writer: Writer
  private readonly slow: SlowReads
  private readonly others: OtherWriters
  private readonly isShared: boolean
  private readonly signals = new Signals()
  private readonly freshRows = new FreshRows(this)
  private refused: Error | undefined
  private check: WriteCheck | undefined

  constructor(reader: Connection, writer: Writer, slow: SlowReads, isShared: boolean) {
    this.reader = reader
    this.writer = writer
    this.slow = slow
    this.isShared = isShared
    const everyMilliseconds = isShared ? LOOK_OFTEN_EVERY_MILLISECONDS : LOOK_EVERY_MILLISECONDS
    this.others = new OtherWriters(reader, everyMilliseconds, () => this.signals.ringAll())
  }

  get traffic() {
    return this.writer.traffic.shared
  }

  freshness() {
    return this.isShared ? undefined : this.writer.commits + this.others.seen
  }

  signal(topic: SignalTopic) {
    this.signals.ring(topic)
  }

  async signalEverywhere(topic: SignalTopic) {
    this.signals.ring(topic)
  }

  listen(topic: SignalTopic, listener: () => void) {
    return this.signals.listen(topic, listener)
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    const compiled = statement.for(sqliteDialect)
    if (compiled.guard !== undefined) requireKind(compiled.guard, NO_KINDS)
    return this.rows<Row>(compiled, compiled.valuesFor(params))
  }

  async allOfFewRows<Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ): Promise<Row[] | undefined> {
    const compiled = statement.for(sqliteDialect)
    return this.reader.runOnFewRows(compiled, compiled.valuesFor(params), MOST_ROWS_TESTED) as Row[] | undefined
  }

  async first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    const compiled = statement.for(sqliteDialect)
    if (compiled.writes) return (await this.all(statement, params))[0]
    return this.reader.runForOne(compiled, compiled.valuesFor(params)) as Row | undefined
  }

  firstCached<Params extends object, Row>(
    statement: Statement<Params, Row>,
    key: string,
    params: Params,
  ): Row | Promise<Row | undefined> {
    const freshness = this.freshness()
    return freshness === undefined
      ? this.first(statement, params)
      : this.freshRows.first(statement, key, params, freshness)
  }

  async query<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    const query = build(sqliteDialect.builder, sqliteDialect).compile()
    return this.rows<Row>(runnable(query), query.parameters)
  }

  async querySlowly<Row>(
    build: (builder: Builder, dialect: Dialect) => Compilable<Row>,
    limits: ReadLimits,
  ): Promise<Row[]> {
    const query = build(sqliteDialect.builder, sqliteDialect).compile()
    return (await this.slow.rows(query.sql, query.parameters, limits)) as Row[]
  }

  within(limits: ReadLimits): LimitedDb {
    return new DbWithLimits(this, limits)
  }

  slowReads() {
    return this.slow.counts()
  }

  connections() {
    return undefined
  }

  async transaction<Result, Kind extends TransactionKind | undefined, Opened>(
    work: TransactionWork<Result, Kind, Opened>,
    kind?: Kind,
    opening?: Statement<object, Opened>,
  ): Promise<Result> {
    if (this.refused !== undefined && kind !== 'migration') throw this.refused
    const announcements = new Announcements()
    const source = currentSource()
    const result = await this.writer.enqueue((connection, open) => {
      const checked = kind === 'migration' ? undefined : this.requireAllowed(connection)
      const transaction = new SqliteTransaction(connection, announcements, open)
      noteSource(transaction, source)
      if (opening === undefined || opening !== this.check?.statement)
        return transaction.transaction(work, kind, opening)
      return transaction.go(work, kind, checked as Opened | undefined)
    })
    announcements.ringIn(this.signals)
    return result
  }

  refuseWrites(error: Error | undefined) {
    this.refused = error
  }

  checkWrites<Row>(check: WriteCheck<Row>) {
    this.check = check as WriteCheck
  }

  script(sql: string) {
    return this.writer.enqueue(async (connection) => connection.connection.exec(sql))
  }

  async close() {
    this.others.close()
    await this.slow.close()
    await this.writer.close()
    this.reader.connection.close()
  }

  private rows<Row>(statement: Runnable, values: readonly unknown[]): Promise<Row[]> | Row[] {
    if (!statement.writes) return this.reader.run(statement, values) as Row[]
    if (this.refused !== undefined) throw this.refused
    return this.writer.enqueue(async (connection) => {
      this.requireAllowed(connection)
      return connection.run(statement, values) as Row[]
    })
  }

  /** No other process can write before the transaction ends. Returns the row that was read. */
  private requireAllowed(connection: Connection): unknown {
    if (this.check === undefined) return undefined
    const row = connection.runForOne(this.check.statement.for(sqliteDialect), [])
    const refusal = this.check.refusal(row)
    if (refusal !== undefined) throw refusal
    return row
  }
}

/** A thousand rows take about a millisecond. */
const MOST_ROWS_TESTED = 1000

const LOOK_EVERY_MILLISECONDS = 500
/**
 * With several writing processes, each learns of the others' changes only by polling, which takes some microseconds.
 */
const LOOK_OFTEN_EVERY_MILLISECONDS = 100
