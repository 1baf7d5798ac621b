import type { Db } from './db.ts'
import type { Statement } from './statement.ts'

interface Kept<Row> {
  freshness: number
  row: Row
}

const MOST_KEPT = 10_000

/**
 * The rows of a statement that nearly every request runs, kept for as long as nothing was written. Where only a query could tell whether
 * something was (several processes, PostgreSQL), nothing is kept and every request asks. What was not found is never kept.
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
    return db.first(this.statement, params).then((row) => {
      if (row !== undefined) rows.set(key, { freshness, row })
      return row
    })
  }

  private rowsOf(db: Db): Map<string, Kept<Row>> {
    const rows = this.kept.get(db) ?? new Map<string, Kept<Row>>()
    if (rows.size === 0) this.kept.set(db, rows)
    if (rows.size >= MOST_KEPT) rows.clear()
    return rows
  }
}
