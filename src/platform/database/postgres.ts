import pg from 'pg'
import type { Dialect } from '../dialects/dialect.ts'
import { postgresDialect } from '../dialects/postgres-dialect.ts'
import { errors } from '../errors.ts'
import type { Builder, Compilable } from './builder.ts'
import type { Alone, Db, LimitedDb } from './db.ts'
import { DbWithin } from './limited-db.ts'
import { notification, PostgresListener } from './postgres-listener.ts'
import type { ReadLimits } from './read-limits.ts'
import { Announcements, Signals, type Topic } from './signals.ts'
import { type Runnable, runnable, type Statement } from './statement.ts'

const COUNT_TYPE = 20
const MOST_CONNECTIONS = 10
const LONGEST_STATEMENT_MILLISECONDS = 30_000
/** For a free connection, or for a server that does not answer. */
const LONGEST_WAIT_MILLISECONDS = 10_000

/** PostgreSQL, for several servers on one database. */
export function openPostgres(url: string): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    statement_timeout: LONGEST_STATEMENT_MILLISECONDS,
    connectionTimeoutMillis: LONGEST_WAIT_MILLISECONDS,
    types: {
      getTypeParser: (type, format) => (type === COUNT_TYPE ? Number : pg.types.getTypeParser(type, format as 'text')),
    },
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  return new PostgresDb(pool, url)
}

interface Connection {
  query(query: { text: string; values: unknown[]; name?: string }): Promise<pg.QueryResult>
}

abstract class PostgresStatements {
  readonly dialect = postgresDialect
  readonly traffic = undefined
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    const compiled = statement.for(postgresDialect)
    return this.rows(compiled, compiled.valuesFor(params))
  }

  async first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return (await this.all(statement, params))[0]
  }

  async query<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    const query = build(postgresDialect.builder, postgresDialect).compile()
    return this.rows(runnable(query), [...query.parameters])
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

  freshness() {
    return undefined
  }

  async script(sql: string) {
    await this.connection.query({ text: sql, values: [] })
  }

  private async rows<Row>(statement: Runnable, values: unknown[]): Promise<Row[]> {
    const query = { text: statement.sql, values, ...(statement.name && { name: statement.name }) }
    return (await this.connection.query(query)).rows as Row[]
  }
}

class PostgresDb extends PostgresStatements implements Db {
  private readonly pool: pg.Pool
  private readonly url: string
  private readonly signals = new Signals()
  private listener: PostgresListener | undefined

  constructor(pool: pg.Pool, url: string) {
    super(pool)
    this.pool = pool
    this.url = url
  }

  tell(topic: Topic) {
    this.signals.ring(topic)
  }

  async tellEverywhere(topic: Topic) {
    await this.connection.query(notification(topic))
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
      if (alone) await client.query('select pg_advisory_xact_lock($1)', [LOCKS[alone]])
      const announcements = new Announcements()
      const result = await work(new PostgresTransaction(client, announcements))
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

  constructor(connection: Connection, announcements: Announcements) {
    super(connection)
    this.announcements = announcements
  }

  tell(topic: Topic) {
    this.announcements.add(topic)
  }

  async tellEverywhere(topic: Topic) {
    await this.connection.query(notification(topic))
  }

  listen(): never {
    throw new Error('Nobody listens to a transaction')
  }

  /** What is part of a larger transaction keeps others out all the same, until the whole ends. */
  async transaction<Result>(work: (tx: Db) => Promise<Result>, alone?: Alone): Promise<Result> {
    if (alone) await this.connection.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCKS[alone]] })
    return work(this)
  }

  within(limits: ReadLimits): LimitedDb {
    return new DbWithin(this, limits)
  }

  async close() {}
}

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
