import { sql } from 'kysely'
import type { Dialect, WordIndex } from '../dialects/dialect.ts'
import type { Db } from './db.ts'
import { Statement } from './statements/statement.ts'
import type { Database } from './tables.ts'

type Value = string | number | null
type Row = readonly Value[]

/** SQLite runs a statement at once; for PostgreSQL each is a round trip. */
const VALUES_AT_ONCE = { sqlite: 500, postgres: 6000 } as const

/**
 * Inserts many rows with prepared statements of many rows each. Rows are lists in the order of `columns`. For programs
 * that fill an installation; it must be called in a transaction that may write the table.
 */
export async function insertRows<Table extends keyof Database>(
  tx: Db,
  table: Table,
  columns: readonly (keyof Database[Table] & string)[],
  rows: readonly Row[],
) {
  const most = Math.max(1, Math.floor(VALUES_AT_ONCE[tx.dialect.engine] / columns.length))
  for (let at = 0; at < rows.length; ) {
    const count = sizeWithin(rows.length - at, most)
    await tx.all(statementFor(table, columns, count), { values: rows.slice(at, at + count).flat() })
    at += count
  }
}

/** Few different sizes, so that few statements are prepared: the largest, its half, a quarter and so on. */
function sizeWithin(rows: number, most: number): number {
  let size = most
  while (size > rows) size = Math.floor(size / 2)
  return size
}

interface Values {
  values: readonly Value[]
}

/** An insert of a fixed number of rows, whose parameters are the values in their order. */
class RowsStatement extends Statement<Values, object> {
  private readonly known = new Map<Dialect, ReturnType<Statement<Values, object>['for']>>()

  override for(dialect: Dialect) {
    const known = this.known.get(dialect)
    if (known) return known
    const made = { ...super.for(dialect), valuesFor: (params: object) => (params as Values).values as unknown[] }
    this.known.set(dialect, made)
    return made
  }
}

const statements = new Map<string, RowsStatement>()

function statementFor(table: keyof Database, columns: readonly string[], rows: number): RowsStatement {
  const key = `${table} ${rows} ${columns.join()}`
  const known = statements.get(key)
  if (known) return known
  const row = Object.fromEntries(columns.map((column) => [column, 0]))
  const made = new RowsStatement((q) => q.insertInto(table).values(Array.from({ length: rows }, () => row) as never[]))
  statements.set(key, made)
  return made
}

/** A row of a word index. */
export interface NewWords {
  place: number
  words: readonly string[]
}

const WORDS_AT_ONCE = 64

/** Adds texts that are not in the word index yet, without waiting for more as single changes do. */
export async function insertWords(tx: Db, index: WordIndex, rows: readonly NewWords[]) {
  const kept = rows.filter(({ words }) => words.length > 0)
  for (let at = 0; at < kept.length; at += WORDS_AT_ONCE) await add(tx, index, kept.slice(at, at + WORDS_AT_ONCE))
}

function add(tx: Db, index: WordIndex, rows: readonly NewWords[]) {
  return tx.query((q, d) => ({
    compile: () => {
      const table =
        d.engine === 'sqlite'
          ? sql`${sql.table(`${index}_index`)} (rowid, words)`
          : sql`${sql.table(index)} (place, words, replaces)`
      const values = rows.map(({ place, words }) =>
        d.engine === 'sqlite'
          ? sql`(${place}, ${d.keptWords(words)})`
          : sql`(${place}, ${d.asWords(d.keptWords(words))}, 0)`,
      )
      return sql<object>`insert into ${table} values ${sql.join(values)}`.compile(q)
    },
  }))
}
