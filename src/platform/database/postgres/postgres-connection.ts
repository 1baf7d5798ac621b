import pg from 'pg'
import { connectionTarget } from './postgres-address.ts'

const COUNT_TYPE = 20
const LONGEST_STATEMENT_MILLISECONDS = 30_000
/** For a free connection, or for a server that does not respond. */
export const LONGEST_WAIT_MILLISECONDS = 4_000
export const LONGEST_WAIT_FOR_LOCK_MILLISECONDS = 15_000
/**
 * PostgreSQL ends a transaction that is idle for longer than TransactionWatch allows, in case this process is frozen or
 * cut off.
 */
const LONGEST_IDLE_MILLISECONDS = 120_000

const LIMITS = {
  statement_timeout: LONGEST_STATEMENT_MILLISECONDS,
  lock_timeout: LONGEST_WAIT_FOR_LOCK_MILLISECONDS,
  idle_in_transaction_session_timeout: LONGEST_IDLE_MILLISECONDS,
}

/** How connections to a database are opened, and how transactions begin on them. */
export interface PostgresTarget {
  readonly url: string
  readonly config: pg.ClientConfig
  /** Behind a pooler in transaction mode each transaction may get another connection. */
  readonly isPooled: boolean
}

export function directTarget(url: string): PostgresTarget {
  return { url, config: connectionSettings(url), isPooled: false }
}

/** A pooler refuses settings of a connection: they would hold for the next client, too. */
export function pooledTarget(url: string): PostgresTarget {
  return { url, config: commonSettings(url), isPooled: true }
}

/** The settings of a connection to PostgreSQL itself. */
export function connectionSettings(url: string): pg.ClientConfig {
  // Compiling a search takes longer than running it.
  return { ...commonSettings(url), ...LIMITS, options: '-c jit=off' }
}

function commonSettings(url: string): pg.ClientConfig {
  return {
    ...connectionTarget(url),
    connectionTimeoutMillis: LONGEST_WAIT_MILLISECONDS,
    types: {
      getTypeParser: (type, format) => (type === COUNT_TYPE ? Number : pg.types.getTypeParser(type, format as 'text')),
    },
  }
}

/** The same settings for one transaction, in one statement. */
const LIMITS_OF_TRANSACTION = `select ${Object.entries({ ...LIMITS, jit: 'off' })
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ')}`

/** The statements that begin a transaction, of which the first is `begin`. */
export function beginOn({ isPooled }: PostgresTarget, [begin = 'begin', ...more]: readonly string[]) {
  return isPooled ? [begin, LIMITS_OF_TRANSACTION, ...more] : [begin, ...more]
}
