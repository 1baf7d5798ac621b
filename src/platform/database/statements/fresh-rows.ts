import type { Db } from '../db.ts'
import type { Statement } from './statement.ts'

interface Kept {
  freshness: number
  /** Requests that need the row while it is being read wait for the same promise. */
  row: unknown
}

const MOST_KEPT = 10_000

/**
 * Rows that nearly every request reads, kept by the database for as long as nothing was written; see Db.firstCached. A row that does not
 * exist is never kept.
 */
export class FreshRows {
  private readonly db: Pick<Db, 'first'>
  private readonly kept = new Map<unknown, Map<string, Kept>>()

  constructor(db: Pick<Db, 'first'>) {
    this.db = db
  }

  first<Params extends object, Row>(
    statement: Statement<Params, Row>,
    key: string,
    params: Params,
    freshness: number,
  ): Row | Promise<Row | undefined> {
    const rows = this.rowsOf(statement)
    const known = rows.get(key)
    if (known?.freshness === freshness) return known.row as Row | Promise<Row | undefined>
    const pending = this.read(statement, params, (row) => {
      if (row === undefined) rows.delete(key)
      else rows.set(key, { freshness, row })
    })
    rows.set(key, { freshness, row: pending })
    return pending
  }

  private async read<Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
    done: (row: Row | undefined) => void,
  ): Promise<Row | undefined> {
    let row: Row | undefined
    try {
      row = await this.db.first(statement, params)
      return row
    } finally {
      done(row)
    }
  }

  private rowsOf(statement: unknown): Map<string, Kept> {
    const rows = this.kept.get(statement) ?? new Map<string, Kept>()
    if (rows.size === 0) this.kept.set(statement, rows)
    if (rows.size >= MOST_KEPT) rows.clear()
    return rows
  }
}
