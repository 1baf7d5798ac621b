import type pg from 'pg'
import { BoundedCache } from '../../bounded-cache.ts'
import type { Runnable } from '../statements/statement.ts'
import { translatePostgresFault } from './postgres-faults.ts'

/** Per connection. A statement that reads a whole bug takes PostgreSQL about 100 KB. */
const MOST_PREPARED = 256

/** Internals of a pg connection that its types do not declare. */
interface Wire {
  /** The SQL of the prepared statements, by name. */
  parsedStatements: Record<string, string>
  close(what: { type: 'S'; name: string }): void
}

/** The statements that one connection keeps prepared. An evicted one is closed, and its name is reused. */
class PreparedStatements {
  private readonly names: BoundedCache<string>
  private readonly freeNames: string[] = []
  private count = 0

  constructor(wire: Wire) {
    this.names = new BoundedCache(MOST_PREPARED, (name) => {
      // Close of the wire protocol: it is sent ahead of the next statement without waiting, and also works in a failed
      // transaction.
      wire.close({ type: 'S', name })
      delete wire.parsedStatements[name]
      this.freeNames.push(name)
    })
  }

  nameOf(text: string): string {
    return this.names.get(text) ?? this.names.set(text, this.freeNames.pop() ?? `s${++this.count}`)
  }
}

/** Connections to a pooler, behind which each transaction may get another connection, without what the last one prepared. */
const unprepared = new WeakSet<pg.ClientBase>()

export function prepareNothingOn(client: pg.ClientBase) {
  unprepared.add(client)
}

const preparedOn = new WeakMap<pg.ClientBase, PreparedStatements>()

/** The types of pg lack the timeout of a single statement. */
interface LimitedQuery extends pg.QueryConfig {
  query_timeout?: number
}

/** The part of a statement that PostgreSQL needs. */
export type PostgresStatement = Pick<Runnable, 'sql' | 'isReused' | 'writes'>

/**
 * Runs a statement on a connection that is not used otherwise at the same time. Without a limit it waits as long as it
 * takes.
 */
export async function runOn<Row>(
  client: pg.ClientBase,
  { sql, isReused }: PostgresStatement,
  values: readonly unknown[],
  longestMilliseconds?: number,
): Promise<Row[]> {
  const query: LimitedQuery = { text: sql, values: values as unknown[] }
  if (longestMilliseconds !== undefined) query.query_timeout = longestMilliseconds
  if (isReused && !unprepared.has(client)) query.name = statementsOf(client).nameOf(sql)
  try {
    return (await client.query(query)).rows as Row[]
  } catch (fault) {
    throw translatePostgresFault(fault)
  }
}

function statementsOf(client: pg.ClientBase): PreparedStatements {
  const known = preparedOn.get(client)
  if (known !== undefined) return known
  const made = new PreparedStatements((client as pg.Client).connection as unknown as Wire)
  preparedOn.set(client, made)
  return made
}
