import type { Dialect } from '../dialects/dialect.ts'
import { postgresDialect } from '../dialects/postgres-dialect.ts'
import { errors } from '../errors.ts'
import type { Builder, Compilable } from './builder.ts'
import type { Alone, Db, LimitedDb } from './db.ts'
import { DbWithin } from './limited-db.ts'
import { notification, notify, PostgresListener } from './postgres-listener.ts'
import { OneConnection, PostgresPool, type Runner } from './postgres-pool.ts'
import type { ReadLimits } from './read-limits.ts'
import { Announcements, Signals, type Topic } from './signals.ts'
import { NO_SLOW_READS } from './slow-read.ts'
import { runnable, type Statement } from './statement.ts'

/** PostgreSQL, for several servers on one database. */
export function openPostgres(url: string): Db {
  return new PostgresDb(new PostgresPool(url), url)
}

abstract class PostgresStatements {
  readonly dialect = postgresDialect
  readonly traffic = undefined
  protected readonly runner: Runner

  constructor(runner: Runner) {
    this.runner = runner
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    const compiled = statement.for(postgresDialect)
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

  async transaction<Result>(work: (tx: Db) => Promise<Result>, alone?: Alone): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.attempt(work, alone)
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

  private async attempt<Result>(work: (tx: Db) => Promise<Result>, alone?: Alone): Promise<Result> {
    const client = await this.pool.connect()
    try {
      await client.query('begin')
      const announcements = new Announcements()
      const tx = new PostgresTransaction(new OneConnection(client), announcements)
      const result = await tx.transaction(work, alone)
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
  private readonly announcements: Announcements

  constructor(connection: OneConnection, announcements: Announcements) {
    super(connection)
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
  async transaction<Result>(work: (tx: Db) => Promise<Result>, alone?: Alone): Promise<Result> {
    if (alone) await this.runner.run(lock, [LOCKS[alone]])
    return work(this)
  }

  within(limits: ReadLimits): LimitedDb {
    return new DbWithin(this, limits)
  }

  async close() {}
}

const lock = { sql: 'select pg_advisory_xact_lock($1)', isReused: true }

/** Any numbers will do, so long as no other program locks the same ones in this database. */
const LOCKS: Record<Alone, number> = {
  configuration: 5_261_001,
  migration: 5_261_002,
  login: 5_261_003,
  links: 5_261_004,
  events: 5_261_005,
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
