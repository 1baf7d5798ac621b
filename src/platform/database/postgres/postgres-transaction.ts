import type { Dialect } from '../../dialects/dialect.ts'
import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import { errors } from '../../errors.ts'
import type { Db, LimitedDb, TransactionKind, TransactionOf } from '../db.ts'
import type { Announcements, SignalTopic } from '../signals.ts'
import { DbWithLimits } from '../slow-reads/limited-db.ts'
import type { ReadLimits } from '../slow-reads/read-limits.ts'
import { NO_SLOW_READS } from '../slow-reads/slow-read.ts'
import type { Builder, Compilable } from '../statements/builder.ts'
import { runnable, type Statement } from '../statements/statement.ts'
import { NO_KINDS, requireKind } from '../transactions/transaction-kinds.ts'
import { isCancelled } from './postgres-faults.ts'
import { notification, notify } from './postgres-listener.ts'
import { locksOf } from './postgres-locks.ts'
import type { OneConnection, Runner } from './postgres-pool.ts'
import type { PostgresStatement } from './postgres-statements.ts'

export type Build<Row> = (builder: Builder, dialect: Dialect) => Compilable<Row>

/** Statements on a connection or a pool. */
export abstract class PostgresStatements {
  readonly dialect = postgresDialect
  readonly traffic = undefined
  protected readonly runner: Runner
  /** The kinds of the transaction; empty outside of one. */
  protected readonly kinds: ReadonlySet<TransactionKind> = NO_KINDS

  constructor(runner: Runner) {
    this.runner = runner
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    const compiled = statement.for(postgresDialect)
    if (compiled.guard !== undefined) requireKind(compiled.guard, this.kinds)
    return this.run<Row>(compiled, compiled.valuesFor(params))
  }

  allOfFewRows<Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
    _limits: ReadLimits,
  ): Promise<Row[] | undefined> {
    return this.all(statement, params)
  }

  async first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return (await this.all(statement, params))[0]
  }

  firstCached<Params extends object, Row>(statement: Statement<Params, Row>, _key: string, params: Params) {
    return this.first(statement, params)
  }

  async query<Row>(build: Build<Row>): Promise<Row[]> {
    const query = build(postgresDialect.builder, postgresDialect).compile()
    const compiled = runnable(query)
    return this.run<Row>(compiled, query.parameters)
  }

  protected run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.runner.run<Row>(statement, values)
  }

  freshness() {
    return undefined
  }

  async script(sql: string) {
    await this.runner.run({ sql, isReused: false, writes: true }, [])
  }
}

export class PostgresTransaction extends PostgresStatements implements Db {
  protected override readonly kinds = new Set<TransactionKind>()
  private readonly connection: OneConnection
  private readonly announcements: Announcements

  constructor(connection: OneConnection, announcements: Announcements) {
    super(connection)
    this.connection = connection
    this.announcements = announcements
  }

  signal(topic: SignalTopic) {
    this.announcements.add(topic)
  }

  async signalEverywhere(topic: SignalTopic) {
    await this.runner.run(notify, notification(topic))
  }

  listen(): never {
    throw new Error('A transaction has no listeners: call listen on the database')
  }

  /** A nested transaction takes its locks too, and holds them until the outer one ends. */
  async transaction<Result, Kind extends TransactionKind | undefined, Opened>(
    work: Work<Result, Kind, Opened>,
    kind?: Kind,
    opening?: Statement<object, Opened>,
  ): Promise<Result> {
    const rows = await this.connection.runAll([...locksOf(kind), ...sqlOf(opening)])
    return this.go(work, kind, rows.at(-1) as Opened | undefined)
  }

  /** Runs the work when the locks are held. */
  go<Result, Kind extends TransactionKind | undefined, Opened>(
    work: Work<Result, Kind, Opened>,
    kind: Kind | undefined,
    opened: Opened | undefined,
  ): Promise<Result> {
    if (kind !== undefined) this.kinds.add(kind)
    this.connection.open.kind ??= kind
    return work(this as unknown as TransactionOf<Kind>, opened)
  }

  async querySlowly<Row>(build: Build<Row>, { deadline, signal }: ReadLimits): Promise<Row[]> {
    if (signal.aborted) throw errors.client_left()
    if (performance.now() >= deadline) throw errors.search_too_slow()
    try {
      return await this.query(build)
    } catch (fault) {
      throw isCancelled(fault) ? errors.search_too_slow() : fault
    }
  }

  /** A transaction that has begun goes on. */
  refuseWrites() {}

  checkWrites() {}

  override run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]> {
    return super.run(statement, values)
  }

  slowReads() {
    return NO_SLOW_READS
  }

  connections() {
    return undefined
  }

  within(limits: ReadLimits): LimitedDb {
    return new DbWithLimits(this, limits)
  }

  async close() {}
}

export type Work<Result, Kind extends TransactionKind | undefined, Opened> = (
  tx: TransactionOf<Kind>,
  opened: Opened | undefined,
) => Promise<Result>

export function sqlOf(opening: Statement<object, unknown> | undefined) {
  return opening === undefined ? [] : [opening.for(postgresDialect).sql]
}
