import { type Insertable, sql } from 'kysely'
import type { Dialect, WordIndex } from '../dialects/dialect.ts'
import type { Db } from './db.ts'
import { Statement } from './statements/statement.ts'
import type { Database } from './tables.ts'

type Value = string | number | null
type Row = readonly Value[]

/** SQLite runs a statement at once; for PostgreSQL each is a round trip. */
const VALUES_AT_ONCE = { sqlite: 500, postgres: 6000 } as const

/** A row to be inserted. All rows of one call have the same columns. */
export type NewRow<Table extends keyof Database> = Readonly<Insertable<Database[Table]>>

/**
 * Inserts many rows with prepared statements of many rows each. For programs that fill an installation; it must be
 * called in a transaction that may write the table.
 */
export function insertRows<Table extends keyof Database>(tx: Db, table: Table, rows: readonly NewRow<Table>[]) {
  const { columns, values } = columnsAndValues(rows)
  return insertValues(tx, table, columns, values)
}

/** The columns of the first row, which the others have too, and the values of all rows in one list. */
export function columnsAndValues(rows: readonly object[]): { columns: string[]; values: Value[] } {
  const columns = Object.keys(rows[0] ?? {})
  const values: Value[] = []
  for (const row of rows as Readonly<Record<string, Value>>[]) {
    if (Object.keys(row).length !== columns.length) throw new Error(`A row has other columns than ${columns.join()}.`)
    for (const column of columns) values.push(row[column] as Value)
  }
  return { columns, values }
}

/** The same, with the values of all rows in one list. */
export async function insertValues(tx: Db, table: keyof Database, columns: readonly string[], values: Row) {
  const width = columns.length
  const most = Math.max(1, Math.floor(VALUES_AT_ONCE[tx.dialect.engine] / width))
  for (let at = 0; at < values.length; ) {
    const count = sizeWithin((values.length - at) / width, most)
    await tx.all(statementFor(table, columns, count), { values: values.slice(at, at + count * width) })
    at += count * width
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

/** Adds texts that are not in the word index yet, without waiting for more as single changes do. */
export function insertWords(tx: Db, index: WordIndex, rows: readonly NewWords[]) {
  const { keptWords } = tx.dialect
  return insertEncodedWords(
    tx,
    index,
    rows.flatMap(({ place, words }) => (words.length === 0 ? [] : [place, keptWords(words)])),
  )
}

const TEXTS_AT_ONCE = 64

/** The same, with positions and words as the engine keeps them, in one list: position, words, position, words. */
export async function insertEncodedWords(tx: Db, index: WordIndex, values: Row) {
  for (let at = 0; at < values.length; ) {
    const count = sizeWithin((values.length - at) / 2, TEXTS_AT_ONCE)
    await tx.all(wordsStatementFor(index, count), { values: values.slice(at, at + count * 2) })
    at += count * 2
  }
}

function wordsStatementFor(index: WordIndex, texts: number): RowsStatement {
  const key = `${index} ${texts} texts`
  const known = statements.get(key)
  if (known) return known
  const made = new RowsStatement((q, _, d) => ({
    compile: () => {
      const isSqlite = d.engine === 'sqlite'
      const table = isSqlite
        ? sql`${sql.table(`${index}_index`)} (rowid, words)`
        : sql`${sql.table(index)} (place, words, replaces)`
      const row = isSqlite ? sql`(${0}, ${''})` : sql`(${0}, ${d.asWords('')}, 0)`
      const rows = sql.join(Array.from({ length: texts }, () => row))
      return sql<object>`insert into ${table} values ${rows}`.compile(q)
    },
  }))
  statements.set(key, made)
  return made
}
