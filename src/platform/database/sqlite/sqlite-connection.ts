import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { BoundedCache } from '../../bounded-cache.ts'
import { addTextFunctions } from '../../dialects/sqlite-text-functions.ts'
import { RETURNING_ID, type Runnable } from '../statements/statement.ts'
import { translateSqliteFault } from './sqlite-faults.ts'

type Value = string | number | null

const MOST_STATEMENTS = 500
const TRY_AGAIN_AFTER_MILLISECONDS = 5
const MOST_TRIES = 3000

/** A connection to a SQLite file, with its prepared statements. */
export class Connection {
  readonly connection: DatabaseSync
  private readonly prepared = new BoundedCache<Prepared>(MOST_STATEMENTS)
  /** How many rows the running statement may still test. */
  private rowsLeft = Number.POSITIVE_INFINITY

  constructor(file: string) {
    this.connection = new DatabaseSync(file, { enableForeignKeyConstraints: true })
    // The low-priority writer does checkpoints (see openSqlite). This connection does one only if that writer falls
    // behind.
    this.connection.exec(
      'pragma busy_timeout = 5000; pragma synchronous = full; pragma cache_size = -16000; pragma wal_autocheckpoint = 20000',
    )
    this.keepJournalBeside()
    const always = () => true
    addTextFunctions(this.connection, always, () => {
      if (--this.rowsLeft < 0) throw TOO_MANY_ROWS
    })
  }

  /** SQLite does not wait for processes that open the same new file at the same moment, so this retries. */
  private keepJournalBeside() {
    for (let tries = 0; ; tries++) {
      try {
        return this.connection.exec('pragma journal_mode = wal')
      } catch (fault) {
        if (!isBusy(fault) || tries > MOST_TRIES) throw fault
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_AGAIN_AFTER_MILLISECONDS)
      }
    }
  }

  run(statement: Runnable, values: readonly unknown[]): unknown[] {
    try {
      const prepared = this.prepare(statement)
      if (statement.givesId) return [{ id: Number(prepared.statement.run(...(values as Value[])).lastInsertRowid) }]
      if (!statement.returns) {
        prepared.statement.run(...(values as Value[]))
        return []
      }
      return prepared.statement.all(...(values as Value[])).map(prepared.rowOf)
    } catch (fault) {
      throw translateSqliteFault(fault)
    }
  }

  /** The rows; undefined if the statement would test more than `most`. */
  runOnFewRows(statement: Runnable, values: readonly unknown[], most: number): unknown[] | undefined {
    this.rowsLeft = most
    try {
      return this.run(statement, values)
    } catch (fault) {
      if (fault === TOO_MANY_ROWS) return undefined
      throw fault
    } finally {
      this.rowsLeft = Number.POSITIVE_INFINITY
    }
  }

  runForOne(statement: Runnable, values: readonly unknown[]): unknown {
    try {
      const prepared = this.prepare(statement)
      const found = prepared.statement.get(...(values as Value[]))
      return found === undefined ? undefined : prepared.rowOf(found)
    } catch (fault) {
      throw translateSqliteFault(fault)
    }
  }

  private prepare({ sql, returns, givesId }: Runnable): Prepared {
    const known = this.prepared.get(sql)
    if (known) return known
    // SQLite returns the id of a new row anyway; a RETURNING clause makes the statement half as long again.
    const prepared = givesId
      ? preparedFrom(this.connection.prepare(sql.slice(0, -RETURNING_ID.length)), false)
      : preparedFrom(this.connection.prepare(sql), returns)
    return this.prepared.set(sql, prepared)
  }
}

const TOO_MANY_ROWS = new Error('The statement tests too many rows')

export interface Prepared {
  statement: StatementSync
  rowOf(values: unknown): unknown
}

/** Rows come as arrays and get their names here, which is faster than creating each object by name. */
export function preparedFrom(statement: StatementSync, returns: boolean): Prepared {
  const names = returns ? statement.columns().map(({ name }) => name) : []
  if (returns) statement.setReturnArrays(true)
  return { statement, rowOf: rowMaker(names) }
}

/** Generates a function for the columns of a statement: creating objects with fixed fields is many times faster. */
function rowMaker(names: readonly string[]): Prepared['rowOf'] {
  const fields = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  return new Function('values', `return { ${fields.join(', ')} }`) as Prepared['rowOf']
}

export function isBusy(fault: unknown) {
  return ((fault as { errcode?: number }).errcode ?? 0) % 256 === 5
}
