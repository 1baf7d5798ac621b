import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../../src/platform/database/db.ts'

interface OpenTransaction {
  isOpen: boolean
}

const around = new AsyncLocalStorage<OpenTransaction>()

/** Whether the current code runs inside a transaction of a watched database. */
export function isInTransaction() {
  return around.getStore()?.isOpen === true
}

const STATEMENTS = ['all', 'first', 'query', 'querySlowly', 'script', 'signalEverywhere'] as const

/**
 * Fails every statement that code inside a transaction runs outside of it. On PostgreSQL such a statement needs a second connection while the
 * transaction keeps the first one: as many transactions as there are connections then wait for each other until they time out.
 * Returns the failed statements, for code that catches errors.
 */
export function forbidStatementsPastTransactions(db: Db): readonly string[] {
  const noticed: string[] = []
  const requireOutside = (what: string) => {
    if (!isInTransaction()) return
    const fault = new Error(`${what} was called on the database inside a transaction`)
    noticed.push(fault.stack ?? fault.message)
    throw fault
  }
  const watched = db as Db & Record<string, unknown>
  for (const name of STATEMENTS) {
    const original = watched[name] as (...args: unknown[]) => unknown
    watched[name] = (async (...args: unknown[]) => {
      requireOutside(name)
      return original.apply(db, args)
    }) as never
  }
  const { transaction } = db
  watched.transaction = (async (work: (...given: unknown[]) => Promise<unknown>, ...more: never[]) => {
    requireOutside('transaction')
    return transaction.call(db, (...given: unknown[]) => followed(() => work(...given)), ...more)
  }) as Db['transaction']
  return noticed
}

async function followed<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = { isOpen: true }
  try {
    return await around.run(mine, work)
  } finally {
    mine.isOpen = false
  }
}
