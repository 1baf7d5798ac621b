import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import { currentSource } from '../../queues/current-caller.ts'
import type { Db, LimitedDb, TransactionKind, WriteCheck } from '../db.ts'
import { Announcements, Signals, type SignalTopic } from '../signals.ts'
import { DbWithLimits } from '../slow-reads/limited-db.ts'
import type { ReadLimits } from '../slow-reads/read-limits.ts'
import { SlowReads } from '../slow-reads/slow-reads.ts'
import { SlowReadsConnection } from '../slow-reads/slow-reads-connection.ts'
import { type QueueSizes, USUAL_SIZES } from '../slow-reads/slow-reads-queue.ts'
import type { Statement } from '../statements/statement.ts'
import { noteSource } from '../transactions/source-of-transaction.ts'
import type { TransactionWatch } from '../transactions/transaction-watch.ts'
import { overloaded } from '../unavailable.ts'
import { beginOn, directTarget, pooledTarget } from './postgres-connection.ts'
import { isEndedForAnother } from './postgres-faults.ts'
import { notification, notify, PostgresListener } from './postgres-listener.ts'
import { beginOf } from './postgres-locks.ts'
import { PostgresPool } from './postgres-pool.ts'
import type { PostgresStatement } from './postgres-statements.ts'
import { type Build, PostgresStatements, PostgresTransaction, sqlOf, type Work } from './postgres-transaction.ts'

/** PostgreSQL, for several servers on one database. */
export function openPostgres(url: string, { watch, poolerUrl }: PostgresOptions = {}): Db {
  const target = poolerUrl === undefined ? directTarget(url) : pooledTarget(poolerUrl)
  return new PostgresDb(new PostgresPool(target, watch), url)
}

interface PostgresOptions {
  readonly watch?: TransactionWatch | undefined
  /** A pooler in transaction mode, through which everything goes that needs no connection of its own. */
  readonly poolerUrl?: string | undefined
}

class PostgresDb extends PostgresStatements implements Db {
  private readonly pool: PostgresPool
  private readonly slow: SlowReads
  /** Of PostgreSQL itself: a pooler in transaction mode passes no notifications on. */
  private readonly url: string
  private readonly signals = new Signals()
  private listener: PostgresListener | undefined
  private refused: Error | undefined
  private check: WriteCheck | undefined

  constructor(pool: PostgresPool, url: string) {
    super(pool)
    this.pool = pool
    this.url = url
    this.slow = new SlowReads(() => new SlowReadsConnection(pool.target), SLOW_READS)
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

  override async allOfFewRows<Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
    limits: ReadLimits,
  ): Promise<Row[]> {
    const compiled = statement.for(postgresDialect)
    const use = compiled.isReused ? 'reused' : undefined
    return (await this.slow.rows(compiled.sql, compiled.valuesFor(params), limits, use)) as Row[]
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
    const source = currentSource()
    const check = kind === 'migration' ? undefined : this.check
    const isSame = opening === undefined || opening === check?.statement
    const result = await this.pool.transaction(
      [...beginOn(this.pool.target, beginOf(kind)), ...sqlOf(check?.statement), ...(isSame ? [] : sqlOf(opening))],
      (connection, rows) => {
        const refusal = check?.refusal(rows.at(isSame ? -1 : -2))
        if (refusal !== undefined) throw refusal
        const opened = opening === undefined ? undefined : (rows.at(-1) as Opened | undefined)
        const transaction = new PostgresTransaction(connection, announcements)
        noteSource(transaction, source)
        return transaction.go(work, kind, opened)
      },
    )
    announcements.ringIn(this.signals)
    return result
  }
}

/** More than on SQLite, because these reads use the processor of the database server. */
const SLOW_READS: QueueSizes = { ...USUAL_SIZES, threads: 6, threadsOfCaller: 4, threadsOfLong: 4 }

const MOST_TRIES = 5
