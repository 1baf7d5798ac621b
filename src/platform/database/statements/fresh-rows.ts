import type { Db } from '../db.ts'
import type { Statement } from './statement.ts'

interface Kept<Row> {
  freshness: number
  /** While the row is being read, other callers wait for the same promise. */
  row: Row | Promise<Row | undefined>
}

const MOST_KEPT = 10_000

/**
 * Caches the rows of a statement that nearly every request runs, as long as nothing was written. If only a query could
 * detect writes (several processes, PostgreSQL), nothing is cached. A missing row is never cached.
 */
export class FreshRows<Params extends object, Row> {
  private readonly statement: Statement<Params, Row>
  private readonly kept = new WeakMap<Db, Map<string, Kept<Row>>>()

  constructor(statement: Statement<Params, Row>) {
    this.statement = statement
  }

  first(db: Db, key: string, params: Params): Row | Promise<Row | undefined> {
    const freshness = db.freshness()
    if (freshness === undefined) return db.first(this.statement, params)
    const rows = this.rowsOf(db)
    const known = rows.get(key)
    if (known?.freshness === freshness) return known.row
    const pending = this.read(db, params, (row) => {
      if (row === undefined) rows.delete(key)
      else rows.set(key, { freshness, row })
    })
    rows.set(key, { freshness, row: pending })
    return pending
  }

  private async read(db: Db, params: Params, done: (row: Row | undefined) => void): Promise<Row | undefined> {
    let row: Row | undefined
    try {
      row = await db.first(this.statement, params)
      return row
    } finally {
      done(row)
    }
  }

  private rowsOf(db: Db): Map<string, Kept<Row>> {
    const rows = this.kept.get(db) ?? new Map<string, Kept<Row>>()
    if (rows.size === 0) this.kept.set(db, rows)
    if (rows.size >= MOST_KEPT) rows.clear()
    return rows
  }
}
