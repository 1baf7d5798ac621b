import pg from 'pg'
import { currentCaller } from '../../queues/current-caller.ts'
import { type OpenTransaction, StuckTransaction, TransactionWatch } from '../transactions/transaction-watch.ts'
import { isUnavailable, overloaded } from '../unavailable.ts'
import { BoundedSemaphore } from './bounded-semaphore.ts'
import type { ConnectionCounts } from './connection-counts.ts'
import { LONGEST_WAIT_MILLISECONDS, type PostgresTarget } from './postgres-connection.ts'
import { connectFault, translatePostgresFault } from './postgres-faults.ts'
import { type PostgresStatement, prepareNothingOn, runOn } from './postgres-statements.ts'

const MOST_CONNECTIONS = 10
/** The last one stays free for others, however long the statements of one caller take. */
const MOST_CONNECTIONS_OF_ONE_CALLER = 9
/** The other connections stay free for reads, however many transactions wait for each other. */
const MOST_TRANSACTIONS = 7
const MOST_TRANSACTIONS_OF_ONE_CALLER = 6
/** PostgreSQL has ended the statement by then, unless it is frozen or the network lost the response. */
const LONGEST_ANSWER_MILLISECONDS = 35_000
/** Longer for transactions, because changes of one bug or of the catalogue run one after another. */
const LONGEST_WAIT_OF_TRANSACTION_MILLISECONDS = 10_000
const WAITING = { waiting: 1_000, waitingOfOneCaller: 500 }

/** A connection, or a pool of them. */
export interface Runner {
  run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]>
}

/** A pool of connections. */
export class PostgresPool implements Runner {
  readonly target: PostgresTarget
  private readonly pool: pg.Pool
  private readonly watch: TransactionWatch
  /** The pool itself serves those that wait in their order, without regard to callers. So it gets no more than it has connections. */
  private readonly connections = new BoundedSemaphore(
    {
      ...WAITING,
      inside: MOST_CONNECTIONS,
      insideOfOneCaller: MOST_CONNECTIONS_OF_ONE_CALLER,
      longestWaitMilliseconds: LONGEST_WAIT_MILLISECONDS,
    },
    overloaded,
  )
  private readonly transactions = new BoundedSemaphore(
    {
      ...WAITING,
      inside: MOST_TRANSACTIONS,
      insideOfOneCaller: MOST_TRANSACTIONS_OF_ONE_CALLER,
      longestWaitMilliseconds: LONGEST_WAIT_OF_TRANSACTION_MILLISECONDS,
    },
    overloaded,
  )

  constructor(target: PostgresTarget, watch = new TransactionWatch()) {
    this.watch = watch
    this.target = target
    this.pool = new pg.Pool({ ...target.config, max: MOST_CONNECTIONS })
    // The pool replaces a broken connection, and its user gets the error. Without a listener the error would end the
    // process.
    this.pool.on('error', () => {})
    this.pool.on('connect', (client) => {
      client.on('error', () => {})
      if (target.isPooled) prepareNothingOn(client)
    })
  }

  async run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]> {
    if (statement.writes) this.watch.requireOutside('A write was begun')
    const caller = currentCaller()
    const entering = this.connections.enter(caller)
    if (entering !== undefined) await entering
    let client: pg.PoolClient | undefined
    try {
      client = await this.connect()
      const rows = await runOn<Row>(client, statement, values, LONGEST_ANSWER_MILLISECONDS)
      client.release()
      return rows
    } catch (fault) {
      client?.release(isUnavailable(fault))
      throw fault
    } finally {
      this.connections.leave(caller)
    }
  }

  /**
   * Commits all that `work` does on the connection, or nothing. `work` gets the first row of each opening statement, of
   * which the first begins the transaction.
   */
  async transaction<Result>(opening: readonly string[], work: Work<Result>): Promise<Result> {
    this.watch.requireOutside('A transaction was begun')
    const caller = currentCaller()
    const entering = this.transactions.enter(caller)
    if (entering !== undefined) await entering
    try {
      const connecting = this.connections.enter(caller)
      if (connecting !== undefined) await connecting
      try {
        return await transactionOn(await this.connect(), this.watch, opening, work)
      } finally {
        this.connections.leave(caller)
      }
    } finally {
      this.transactions.leave(caller)
    }
  }

  counts(): ConnectionCounts {
    const { totalCount, idleCount } = this.pool
    const waiting = this.connections.waitingCount + this.transactions.waitingCount
    const { waitMilliseconds } = this.connections
    return { inUse: totalCount - idleCount, idle: idleCount, waiting, waitMilliseconds, limit: MOST_CONNECTIONS }
  }

  end() {
    this.watch.close()
    return this.pool.end()
  }

  private async connect(): Promise<pg.PoolClient> {
    try {
      return await this.pool.connect()
    } catch (fault) {
      throw connectFault(fault)
    }
  }
}

type Work<Result> = (connection: OneConnection, opened: readonly unknown[]) => Promise<Result>

async function transactionOn<Result>(
  client: pg.PoolClient,
  watch: TransactionWatch,
  opening: readonly string[],
  work: Work<Result>,
): Promise<Result> {
  try {
    const result = await watch.over(async (open) => {
      const connection = new OneConnection(client, open)
      const result = await work(connection, await connection.runAll(opening))
      await connection.runAll(['commit'])
      return result
    })
    client.release()
    return result
  } catch (fault) {
    client.release(isUnusable(fault) || !(await isRolledBack(client)))
    throw fault
  }
}

/** Closing the connection also ends the transaction. A rollback would wait for a response that may never come. */
function isUnusable(fault: unknown) {
  return fault instanceof StuckTransaction || isUnavailable(fault)
}

function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  return runOn(client, { sql: 'rollback', isReused: false, writes: true }, [], LONGEST_ANSWER_MILLISECONDS).then(
    () => true,
    () => false,
  )
}

/** The connection of a transaction. */
export class OneConnection implements Runner {
  readonly open: OpenTransaction
  private readonly client: pg.ClientBase
  /** The statement that runs, and those that wait for it; undefined if none does. */
  private running: Promise<unknown> | undefined

  constructor(client: pg.ClientBase, open: OpenTransaction) {
    this.client = client
    this.open = open
  }

  run<Row>(statement: PostgresStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.inTurn(() => {
      this.open.count(statement.sql)
      return runOn<Row>(this.client, statement, values)
    })
  }

  /** Code may ask for several things at once, but a connection runs one statement at a time, and pg 9 refuses a second one. */
  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const own = this.running === undefined ? work() : this.running.then(work)
    const ended = own.then(
      () => {},
      () => {},
    )
    this.running = ended
    try {
      return await own
    } finally {
      if (this.running === ended) this.running = undefined
    }
  }

  /**
   * Runs statements without parameters in one round trip, and returns the first row of each. The last one also sees
   * what was committed while the others waited for a lock.
   */
  async runAll(statements: readonly string[]): Promise<unknown[]> {
    if (statements.length === 0) return []
    const sql = statements.join('; ')
    this.open.count(sql)
    try {
      const results: pg.QueryResult | pg.QueryResult[] = await this.inTurn(() => this.client.query(sql))
      return [results].flat().map(({ rows }) => rows[0])
    } catch (fault) {
      throw translatePostgresFault(fault)
    }
  }
}
