import type { Db } from '../../src/platform/database/db.ts'
import { isInTransaction } from '../../src/platform/database/transactions/transaction-watch.ts'

const STATEMENTS = [
  'all',
  'first',
  'allOfFewRows',
  'query',
  'querySlowly',
  'script',
  'signalEverywhere',
  'transaction',
] as const

/**
 * Fails every statement that code inside a transaction runs outside of it, also reads: the server itself refuses only writes. On PostgreSQL
 * a read needs a second connection while the transaction keeps the first one: as many transactions as there are connections then wait for
 * each other until they time out. Returns the failed statements, for code that catches errors.
 */
export function forbidStatementsPastTransactions(db: Db): readonly string[] {
  const noticed: string[] = []
  const watched = db as Db & Record<string, unknown>
  for (const name of STATEMENTS) {
    const original = watched[name] as (...args: unknown[]) => unknown
    watched[name] = (async (...args: unknown[]) => {
      if (isInTransaction()) {
        const fault = new Error(`${name} was called on the database inside a transaction`)
        noticed.push(fault.stack ?? fault.message)
        throw fault
      }
      return original.apply(db, args)
    }) as never
  }
  return noticed
}
