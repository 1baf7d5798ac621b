import type { Dialect } from '../../dialects/dialect.ts'
import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import { errors } from '../../errors.ts'
import type { Db, LimitedDb, TransactionKind, TransactionOf, WriteCheck } from '../db.ts'
import { Announcements, Signals, type SignalTopic } from '../signals.ts'
import { DbWithLimits } from '../slow-reads/limited-db.ts'
import type { ReadLimits } from '../slow-reads/read-limits.ts'
import { NO_SLOW_READS } from '../slow-reads/slow-read.ts'
import { SlowReads } from '../slow-reads/slow-reads.ts'
import { SlowReadsConnection } from '../slow-reads/slow-reads-connection.ts'
import { type QueueSizes, USUAL_SIZES } from '../slow-reads/slow-reads-queue.ts'
import type { Builder, Compilable } from '../statements/builder.ts'
import { runnable, type Statement } from '../statements/statement.ts'
import { NO_KINDS, requireKind } from '../transactions/transaction-kinds.ts'
import type { TransactionWatch } from '../transactions/transaction-watch.ts'
import { overloaded } from '../unavailable.ts'
import { isCancelled, isEndedForAnother } from './postgres-faults.ts'
import { notification, notify, PostgresListener } from './postgres-listener.ts'
import { beginOf, locksOf } from './postgres-locks.ts'
import { type OneConnection, PostgresPool, type Runner } from './postgres-pool.ts'
import type { PostgresStatement } from './postgres-statements.ts'

/** PostgreSQL, for several servers on one database. */
export function openPostgres(url: string, watch?: TransactionWatch): Db {
  return new PostgresDb(new PostgresPool(url, watch), url)
}

type Build<Row> = (builder: Builder, dialect: Dialect) => Compilable<Row>

abstract class PostgresStatements {
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

class PostgresDb extends PostgresStatements implements Db {
  private readonly pool: PostgresPool
  private readonly slow: SlowReads
  private readonly url: string
  private readonly signals = new Signals()
  private listener: PostgresListener | undefined
  private refused: Error | undefined
  private check: WriteCheck | undefined

  constructor(pool: PostgresPool, url: string) {
    super(pool)
    this.pool = pool
    this.url = url
    this.slow = new SlowReads(() => new SlowReadsConnection(url), SLOW_READS)
  }

  signal(topic: SignalTopic) {
    this.signals.ring(topic)
  }

  async signalEverywhere(topic: SignalTopic) {
    await this.runner.run(notify, notification(topic))
  }

  listen(topic: SignalTopic, listener: () => void) {
    this.listener ??= new PostgresListener(this.url, this.signals)
    return this.signals.listen(topic, listener)
  }

  async transaction<Result, Kind extends TransactionKind | undefined, Opened>(
    work: Work<Result, Kind, Opened>,
    kind?: Kind,
    opening?: Statement<object, Opened>,
  ): Promise<Result> {
    return this.repeatedly(work, kind, opening)
  }

  /** A single statement that writes is a transaction too. */
  protected override run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]> {
    if (!statement.writes) return super.run(statement, values)
    return this.repeatedly((tx) => (tx as PostgresTransaction).run<Row>(statement, values), undefined, undefined)
  }

  private async repeatedly<Result, Kind extends TransactionKind | undefined, Opened>(
    work: Work<Result, Kind, Opened>,
    kind: Kind | undefined,
    opening: Statement<object, Opened> | undefined,
  ): Promise<Result> {
    if (this.refused !== undefined && kind !== 'migration') throw this.refused
    for (let tries = 1; ; tries++) {
      try {
        return await this.attempt(work, kind, opening)
      } catch (fault) {
        if (!isEndedForAnother(fault)) throw fault
        if (tries === MOST_TRIES) throw overloaded(fault)
      }
    }
  }

  async querySlowly<Row>(build: Build<Row>, limits: ReadLimits): Promise<Row[]> {
    const query = build(postgresDialect.builder, postgresDialect).compile()
    return (await this.slow.rows(query.sql, query.parameters, limits)) as Row[]
  }

  refuseWrites(error: Error | undefined) {
    this.refused = error
  }

  checkWrites<Row>(check: WriteCheck<Row>) {
    this.check = check as WriteCheck
  }

  slowReads() {
    return this.slow.counts()
  }

  connections() {
    return this.pool.counts()
  }

  within(limits: ReadLimits): LimitedDb {
    return new DbWithLimits(this, limits)
  }

  async close() {
    await this.listener?.close()
    await this.slow.close()
    await this.pool.end()
  }

  private async attempt<Result, Kind extends TransactionKind | undefined, Opened>(
    work: Work<Result, Kind, Opened>,
    kind: Kind | undefined,
    opening: Statement<object, Opened> | undefined,
  ): Promise<Result> {
    const announcements = new Announcements()
    const check = kind === 'migration' ? undefined : this.check
    const isSame = opening === undefined || opening === check?.statement
    const result = await this.pool.transaction(
      [...beginOf(kind), ...sqlOf(check?.statement), ...(isSame ? [] : sqlOf(opening))],
      (connection, rows) => {
        const refusal = check?.refusal(rows.at(isSame ? -1 : -2))
        if (refusal !== undefined) throw refusal
        const opened = opening === undefined ? undefined : (rows.at(-1) as Opened | undefined)
        return new PostgresTransaction(connection, announcements).go(work, kind, opened)
      },
    )
    announcements.ringIn(this.signals)
    return result
  }
}

class PostgresTransaction extends PostgresStatements implements Db {
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

type Work<Result, Kind extends TransactionKind | undefined, Opened> = (
  tx: TransactionOf<Kind>,
  opened: Opened | undefined,
) => Promise<Result>

/** More than on SQLite, because these reads use the processor of the database server. */
const SLOW_READS: QueueSizes = { ...USUAL_SIZES, threads: 6, threadsOfCaller: 4, threadsOfLong: 4 }

function sqlOf(opening: Statement<object, unknown> | undefined) {
  return opening === undefined ? [] : [opening.for(postgresDialect).sql]
}

const MOST_TRIES = 5
