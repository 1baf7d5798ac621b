import type { Dialect } from '../dialects/dialect.ts'
import { postgresDialect } from '../dialects/postgres-dialect.ts'
import { errors } from '../errors.ts'
import type { Builder, Compilable } from './builder.ts'
import type { Alone, Db, LimitedDb, TransactionOf } from './db.ts'
import { DbWithin } from './limited-db.ts'
import { notification, notify, PostgresListener } from './postgres-listener.ts'
import { locksOf } from './postgres-locks.ts'
import { OneConnection, PostgresPool, type Runner } from './postgres-pool.ts'
import type { ReadLimits } from './read-limits.ts'
import { Announcements, Signals, type Topic } from './signals.ts'
import { NO_SLOW_READS } from './slow-read.ts'
import { runnable, type Statement } from './statement.ts'
import { NO_KINDS, requireKind } from './transaction-kinds.ts'

/** PostgreSQL, for several servers on one database. */
export function openPostgres(url: string): Db {
  return new PostgresDb(new PostgresPool(url), url)
}

abstract class PostgresStatements {
  readonly dialect = postgresDialect
  readonly traffic = undefined
  protected readonly runner: Runner
  /** Of the transaction; none outside of one. */
  protected readonly kinds: ReadonlySet<Alone> = NO_KINDS

  constructor(runner: Runner) {
    this.runner = runner
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    const compiled = statement.for(postgresDialect)
    if (compiled.guard !== undefined) requireKind(compiled.guard, this.kinds)
    return this.runner.run<Row>(compiled, compiled.valuesFor(params))
  }

  async first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return (await this.all(statement, params))[0]
  }

  async query<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    const query = build(postgresDialect.builder, postgresDialect).compile()
    return this.runner.run<Row>(runnable(query), query.parameters)
  }

  async querySlowly<Row>(
    build: (builder: Builder, dialect: Dialect) => Compilable<Row>,
    { deadline, signal }: ReadLimits,
  ): Promise<Row[]> {
    if (signal.aborted) throw errors.client_left()
    if (performance.now() >= deadline) throw errors.search_too_slow()
    try {
      return await this.query(build)
    } catch (fault) {
      throw codeOf(fault) === STATEMENT_TIMEOUT ? errors.search_too_slow() : fault
    }
  }

  slowReads() {
    return NO_SLOW_READS
  }

  freshness() {
    return undefined
  }

  async script(sql: string) {
    await this.runner.run({ sql, isReused: false }, [])
  }
}

class PostgresDb extends PostgresStatements implements Db {
  private readonly pool: PostgresPool
  private readonly url: string
  private readonly signals = new Signals()
  private listener: PostgresListener | undefined

  constructor(pool: PostgresPool, url: string) {
    super(pool)
    this.pool = pool
    this.url = url
  }

  tell(topic: Topic) {
    this.signals.ring(topic)
  }

  async tellEverywhere(topic: Topic) {
    await this.runner.run(notify, notification(topic))
  }

  listen(topic: Topic, listener: () => void) {
    this.listener ??= new PostgresListener(this.url, this.signals)
    return this.signals.listen(topic, listener)
  }

  async transaction<Result, Kind extends Alone | undefined, Opened>(
    work: Work<Result, Kind, Opened>,
    alone?: Kind,
    opening?: Statement<object, Opened>,
  ): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.attempt(work, alone, opening)
      } catch (fault) {
        if (!isWorthRetrying(fault) || tries === MOST_TRIES) throw fault
      }
    }
  }

  within(limits: ReadLimits): LimitedDb {
    return new DbWithin(this, limits)
  }

  async close() {
    await this.listener?.close()
    await this.pool.end()
  }

  private async attempt<Result, Kind extends Alone | undefined, Opened>(
    work: Work<Result, Kind, Opened>,
    alone: Kind | undefined,
    opening: Statement<object, Opened> | undefined,
  ): Promise<Result> {
    const client = await this.pool.connect()
    try {
      const connection = new OneConnection(client)
      const opened = await connection.runAll<Opened>(['begin', ...locksOf(alone), ...sqlOf(opening)])
      const announcements = new Announcements()
      const tx = new PostgresTransaction(connection, announcements)
      const result = await tx.go(work, alone, opened)
      await client.query('commit')
      client.release()
      announcements.ringIn(this.signals)
      return result
    } catch (fault) {
      await client.query('rollback').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      )
      throw fault
    }
  }
}

class PostgresTransaction extends PostgresStatements implements Db {
  protected override readonly kinds = new Set<Alone>()
  private readonly connection: OneConnection
  private readonly announcements: Announcements

  constructor(connection: OneConnection, announcements: Announcements) {
    super(connection)
    this.connection = connection
    this.announcements = announcements
  }

  tell(topic: Topic) {
    this.announcements.add(topic)
  }

  async tellEverywhere(topic: Topic) {
    await this.runner.run(notify, notification(topic))
  }

  listen(): never {
    throw new Error('Nobody listens to a transaction')
  }

  /** What is part of a larger transaction keeps others out all the same, until the whole ends. */
  async transaction<Result, Kind extends Alone | undefined, Opened>(
    work: Work<Result, Kind, Opened>,
    alone?: Kind,
    opening?: Statement<object, Opened>,
  ): Promise<Result> {
    return this.go(work, alone, await this.connection.runAll<Opened>([...locksOf(alone), ...sqlOf(opening)]))
  }

  /** Goes on with locks that are held. */
  go<Result, Kind extends Alone | undefined, Opened>(
    work: Work<Result, Kind, Opened>,
    alone: Kind | undefined,
    opened: Opened | undefined,
  ): Promise<Result> {
    if (alone !== undefined) this.kinds.add(alone)
    return work(this as unknown as TransactionOf<Kind>, opened)
  }

  within(limits: ReadLimits): LimitedDb {
    return new DbWithin(this, limits)
  }

  async close() {}
}

type Work<Result, Kind extends Alone | undefined, Opened> = (
  tx: TransactionOf<Kind>,
  opened: Opened | undefined,
) => Promise<Result>

function sqlOf(opening: Statement<object, unknown> | undefined) {
  return opening === undefined ? [] : [opening.for(postgresDialect).sql]
}

const MOST_TRIES = 5
const DEADLOCK = '40P01'
const SERIALIZATION_FAILURE = '40001'

const STATEMENT_TIMEOUT = '57014'

function isWorthRetrying(fault: unknown) {
  return [DEADLOCK, SERIALIZATION_FAILURE].includes(codeOf(fault))
}

function codeOf(fault: unknown) {
  return (fault as { code?: string }).code ?? ''
}
