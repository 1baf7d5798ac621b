import pg from 'pg'
import { connectFault, translated } from './postgres-faults.ts'
import { type PostgresStatement, runOn } from './postgres-statements.ts'
import { Turnstile } from './turnstile.ts'
import { isUnavailable, overloaded } from './unavailable.ts'

const COUNT_TYPE = 20
const MOST_CONNECTIONS = 10
/** Reads always find the rest free, however many transactions wait for each other. */
const MOST_TRANSACTIONS = 7
const LONGEST_STATEMENT_MILLISECONDS = 30_000
/** For a free connection, or for a server that does not answer. */
const LONGEST_WAIT_MILLISECONDS = 4_000
/** A change is worth a longer wait: those of the same bug or of the catalogue go one after another. */
const LONGEST_WAIT_OF_TRANSACTION_MILLISECONDS = 10_000
const MOST_WAITING = 1_000

export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    statement_timeout: LONGEST_STATEMENT_MILLISECONDS,
    connectionTimeoutMillis: LONGEST_WAIT_MILLISECONDS,
    types: {
      getTypeParser: (type, format) => (type === COUNT_TYPE ? Number : pg.types.getTypeParser(type, format as 'text')),
    },
  }
}

/** A connection, or a pool of them. */
export interface Runner {
  run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]>
}

/** Connections that are lent to one user at a time. */
export class PostgresPool implements Runner {
  private readonly pool: pg.Pool
  private readonly transactions = new Turnstile(
    {
      inside: MOST_TRANSACTIONS,
      waiting: MOST_WAITING,
      longestWaitMilliseconds: LONGEST_WAIT_OF_TRANSACTION_MILLISECONDS,
    },
    overloaded,
  )

  constructor(url: string) {
    this.pool = new pg.Pool({ ...connectionSettings(url), max: MOST_CONNECTIONS })
    // A connection that breaks is replaced by the pool, and its user gets the error; without a listener it would end the process.
    this.pool.on('error', () => {})
    this.pool.on('connect', (client) => client.on('error', () => {}))
  }

  async run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]> {
    const client = await this.connect()
    try {
      const rows = await runOn<Row>(client, statement, values)
      client.release()
      return rows
    } catch (fault) {
      client.release(isUnavailable(fault))
      throw fault
    }
  }

  /** All that `work` does on the connection, or nothing. It gets the first row of the last of the opening statements. */
  async transaction<Result, Opened>(opening: readonly string[], work: Work<Result, Opened>): Promise<Result> {
    const entering = this.transactions.enter()
    if (entering !== undefined) await entering
    try {
      return await transactionOn(await this.connect(), opening, work)
    } finally {
      this.transactions.leave()
    }
  }

  end() {
    return this.pool.end()
  }

  private async connect(): Promise<pg.PoolClient> {
    if (this.pool.waitingCount >= MOST_WAITING) throw overloaded()
    try {
      return await this.pool.connect()
    } catch (fault) {
      throw connectFault(fault)
    }
  }
}

type Work<Result, Opened> = (connection: OneConnection, opened: Opened | undefined) => Promise<Result>

async function transactionOn<Result, Opened>(
  client: pg.PoolClient,
  opening: readonly string[],
  work: Work<Result, Opened>,
): Promise<Result> {
  const connection = new OneConnection(client)
  try {
    const result = await work(connection, await connection.runAll<Opened>(['begin', ...opening]))
    await connection.runAll(['commit'])
    client.release()
    return result
  } catch (fault) {
    await connection.runAll(['rollback']).then(
      () => client.release(),
      () => client.release(true),
    )
    throw fault
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
    try {
      const results: pg.QueryResult | pg.QueryResult[] = await this.client.query(statements.join('; '))
      return [results].flat().at(-1)?.rows[0] as Row | undefined
    } catch (fault) {
      throw translated(fault)
    }
  }
}
