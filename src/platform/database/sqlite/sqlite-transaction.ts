import type { Dialect } from '../../dialects/dialect.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { Slice } from '../../monitoring/event-loop.ts'
import type { Db, LimitedDb, TransactionKind, TransactionOf } from '../db.ts'
import type { Announcements, SignalTopic } from '../signals.ts'
import { DbWithLimits } from '../slow-reads/limited-db.ts'
import type { ReadLimits } from '../slow-reads/read-limits.ts'
import { NO_SLOW_READS } from '../slow-reads/slow-read.ts'
import type { Builder, Compilable } from '../statements/builder.ts'
import { runnable, type Statement } from '../statements/statement.ts'
import { requireKind } from '../transactions/transaction-kinds.ts'
import type { OpenTransaction } from '../transactions/transaction-watch.ts'
import type { Connection } from './sqlite-connection.ts'

export type TransactionWork<Result, Kind extends TransactionKind | undefined, Opened> = (
  tx: TransactionOf<Kind>,
  opened: Opened | undefined,
) => Promise<Result>

export class SqliteTransaction implements Db {
  readonly dialect = sqliteDialect
  readonly traffic = undefined
  private readonly kinds = new Set<TransactionKind>()
  private readonly connection: Connection
  private readonly announcements: Announcements
  /** Statements are synchronous, so a transaction with many of them would block everything else. */
  private readonly slice = new Slice()
  private readonly open: OpenTransaction

  constructor(connection: Connection, announcements: Announcements, open: OpenTransaction) {
    this.connection = connection
    this.announcements = announcements
    this.open = open
  }

  signal(topic: SignalTopic) {
    this.announcements.add(topic)
  }

  async signalEverywhere(topic: SignalTopic) {
    this.announcements.add(topic)
  }

  listen(): never {
    throw new Error('A transaction has no listeners: call listen on the database')
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    if (this.slice.isOver()) await this.slice.next()
    const compiled = statement.for(sqliteDialect)
    if (compiled.guard !== undefined) requireKind(compiled.guard, this.kinds)
    this.open.count(compiled.sql)
    return this.connection.run(compiled, compiled.valuesFor(params)) as Row[]
  }

  allOfFewRows<Params extends object, Row>(statement: Statement<Params, Row>, params: Params) {
    return this.all(statement, params)
  }

  async first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return (await this.all(statement, params))[0]
  }

  firstCached<Params extends object, Row>(statement: Statement<Params, Row>, _key: string, params: Params) {
    return this.first(statement, params)
  }

  async query<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    if (this.slice.isOver()) await this.slice.next()
    const query = build(sqliteDialect.builder, sqliteDialect).compile()
    this.open.count(query.sql)
    return this.connection.run(runnable(query), query.parameters) as Row[]
  }

  querySlowly<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    return this.query(build)
  }

  within(limits: ReadLimits): LimitedDb {
    return new DbWithLimits(this, limits)
  }

  /** A transaction that has begun goes on. */
  refuseWrites() {}

  checkWrites() {}

  slowReads() {
    return NO_SLOW_READS
  }

  connections() {
    return undefined
  }

  transaction<Result, Kind extends TransactionKind | undefined, Opened>(
    work: TransactionWork<Result, Kind, Opened>,
    kind?: Kind,
    opening?: Statement<object, Opened>,
  ): Promise<Result> {
    const opened = opening && this.connection.runForOne(opening.for(sqliteDialect), [])
    return this.go(work, kind, opened as Opened | undefined)
  }

  go<Result, Kind extends TransactionKind | undefined, Opened>(
    work: TransactionWork<Result, Kind, Opened>,
    kind: Kind | undefined,
    opened: Opened | undefined,
  ): Promise<Result> {
    if (kind !== undefined) this.kinds.add(kind)
    this.open.kind ??= kind
    return work(this as unknown as TransactionOf<Kind>, opened)
  }

  freshness() {
    return undefined
  }

  async script(sql: string) {
    this.open.count(sql)
    this.connection.connection.exec(sql)
  }

  async close() {}
}
