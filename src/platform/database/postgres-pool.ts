import pg from 'pg'
import { type PostgresStatement, runOn } from './postgres-statements.ts'

const COUNT_TYPE = 20
const MOST_CONNECTIONS = 10
const LONGEST_STATEMENT_MILLISECONDS = 30_000
/** For a free connection, or for a server that does not answer. */
const LONGEST_WAIT_MILLISECONDS = 10_000

/** A connection, or a pool of them. */
export interface Runner {
  run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]>
}

/** Connections that are lent to one user at a time. */
export class PostgresPool implements Runner {
  private readonly pool: pg.Pool

  constructor(url: string) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: MOST_CONNECTIONS,
      statement_timeout: LONGEST_STATEMENT_MILLISECONDS,
      connectionTimeoutMillis: LONGEST_WAIT_MILLISECONDS,
      types: {
        getTypeParser: (type, format) =>
          type === COUNT_TYPE ? Number : pg.types.getTypeParser(type, format as 'text'),
      },
    })
    // A connection that breaks is replaced by the pool, and its user gets the error; without a listener it would end the process.
    this.pool.on('error', () => {})
    this.pool.on('connect', (client) => client.on('error', () => {}))
  }

  async run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]> {
    const client = await this.pool.connect()
    try {
      const rows = await runOn<Row>(client, statement, values)
      client.release()
      return rows
    } catch (fault) {
      client.release(isBroken(fault))
      throw fault
    }
  }

  /** For a transaction. It must be released. */
  connect(): Promise<pg.PoolClient> {
    return this.pool.connect()
  }

  end() {
    return this.pool.end()
  }
}

/** The connection of a transaction. */
export class OneConnection implements Runner {
  private readonly client: pg.ClientBase

  constructor(client: pg.ClientBase) {
    this.client = client
  }

  run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]> {
    return runOn(this.client, statement, values)
  }

  /**
   * Runs statements without parameters in one round trip, and returns the first row of the last one. That sees also what was committed
   * while the others waited for a lock.
   */
  async runAll<Row>(statements: readonly string[]): Promise<Row | undefined> {
    if (statements.length === 0) return undefined
    const results: pg.QueryResult | pg.QueryResult[] = await this.client.query(statements.join('; '))
    return [results].flat().at(-1)?.rows[0] as Row | undefined
  }
}

/** Not an answer of PostgreSQL to the statement alone: the connection itself has ended, or is about to. */
function isBroken(fault: unknown) {
  return !(fault instanceof pg.DatabaseError) || fault.severity !== 'ERROR'
}
