import { rmSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Prepared, preparedFrom } from '../../../platform/database/sqlite/sqlite-connection.ts'
import { type DumpColumn, type DumpEvent, UnreadableDump } from '../dump/dump-value.ts'
import { PASSING_TABLES } from './passing-tables.ts'
import { SOURCE_TABLES, type SourceColumns } from './source-tables.ts'
import { StagedTable, type StagedValue } from './staged-table.ts'
import { INDEXES, keyOf, UNIQUE } from './staging-indexes.ts'
import { viewOf } from './staging-views.ts'

export type { StagedValue }

export type StagedRow = Record<string, StagedValue>

/** Memory for pages. Rows are read in the order of an index, mostly once. */
const [STAGING_KILOBYTES, READING_KILOBYTES] = [32_000, 8_000]

/** What is known about the dump once all of it is staged. */
export interface DumpFacts {
  /** Identifies the dump, so that a resumed import continues with the same one. */
  readonly identity: string
  readonly name: string
  readonly hasEndMarker: boolean
}

/**
 * The rows of a dump in a temporary SQLite file, because tables come in any order and are needed in another. Each table
 * of the dump is `dump_…`; views with the plain names have exactly the columns of source-tables.ts, so that all
 * releases read alike.
 */
export class Staging {
  readonly file: string
  private readonly db: DatabaseSync
  private readonly tables = new Map<string, StagedTable>()
  private readonly skipped = new Map<string, number>()

  constructor(file: string, readOnly = false) {
    this.file = file
    // The defensive mode of Node ignores that there is to be no journal.
    this.db = new DatabaseSync(file, { readOnly, defensive: false })
    this.db.exec(`pragma cache_size = -${readOnly ? READING_KILOBYTES : STAGING_KILOBYTES}`)
    if (readOnly) return
    // Nothing here is worth keeping after a power cut: the dump is then staged again.
    this.db.exec('pragma journal_mode = off; pragma synchronous = off')
    this.db.exec('create table if not exists facts (name text primary key, value text not null)')
  }

  /** Opens a completely staged dump once more, for another thread. */
  static openToRead(file: string): Staging {
    const staging = new Staging(file, true)
    staging.prepareReading()
    return staging
  }

  /** The facts of a completely staged dump; undefined if staging was not finished. */
  facts(): DumpFacts | undefined {
    const row = this.db.prepare(`select value from facts where name = 'dump'`).get()
    return row === undefined ? undefined : (JSON.parse(row.value as string) as DumpFacts)
  }

  begin() {
    this.db.exec('create table notes (source text not null, key text not null, note text not null); begin')
  }

  add(event: DumpEvent) {
    const name = event.table.toLowerCase()
    if (Object.hasOwn(PASSING_TABLES, name)) {
      if (event.kind === 'row') this.skipped.set(name, (this.skipped.get(name) ?? 0) + 1)
    } else if (event.kind === 'table') this.addTable(name, event.columns)
    else this.tableFor(name, event.columns).insert(event.columns, event.values)
  }

  /** A line for the report. */
  addNote(source: string, key: string, note: string) {
    this.db.prepare('insert into notes (source, key, note) values (?, ?, ?)').run(source, key, note)
  }

  private addTable(name: string, columns: readonly DumpColumn[]) {
    const known = this.tables.get(name)
    if (known?.hasRows)
      throw new UnreadableDump(
        `The dump defines the table ${name} twice. It seems to have several databases, or to be several dumps in one file. Make a dump of the database of Bugzilla alone. Nothing was imported.`,
      )
    known?.drop()
    this.tables.set(name, new StagedTable(this.db, name, columns, keyOf(name)))
  }

  private tableFor(name: string, columns: readonly string[] | undefined): StagedTable {
    const known = this.tables.get(name)
    if (known) return known
    if (columns === undefined)
      throw new UnreadableDump(
        `The dump does not say which columns the table ${name} has. Make it with the table definitions, or with --complete-insert.`,
      )
    const made = new StagedTable(
      this.db,
      name,
      columns.map((column) => ({ name: column, type: '' })),
      keyOf(name),
    )
    this.tables.set(name, made)
    return made
  }

  /** Ends staging: indexes for the order in which rows are read, and the views. */
  finish(facts: DumpFacts) {
    for (const [name, count] of this.skipped)
      this.db.prepare('insert into facts (name, value) values (?, ?)').run(`skipped ${name}`, String(count))
    this.db.exec('commit')
    for (const [table, key] of UNIQUE) this.removeDoubles(table, key)
    for (const [table, columns] of INDEXES) this.createIndex(table, columns)
    this.db.prepare(`insert into facts (name, value) values ('dump', ?)`).run(JSON.stringify(facts))
  }

  /** To be called before reading, also in a resumed import. */
  prepareReading() {
    this.db.exec(`pragma cache_size = -${READING_KILOBYTES}; pragma shrink_memory`)
    const present = this.dumpTables()
    for (const [name, columns] of Object.entries<SourceColumns>(SOURCE_TABLES)) {
      const own = present.get(name)
      this.db.exec(`create temp view if not exists "${name}" as ${viewOf(name, columns, own, present)}`)
    }
  }

  /** The tables in the dump with their columns, by name. */
  dumpTables(): ReadonlyMap<string, readonly string[]> {
    const names = this.db
      .prepare(`select name from sqlite_schema where type = 'table' and name like 'dump\\_%' escape '\\'`)
      .all()
    return new Map(
      names.map(({ name }) => [
        (name as string).slice('dump_'.length),
        this.db
          .prepare(`select name from pragma_table_info(?) order by cid`)
          .all(name as string)
          .map((row) => row.name as string),
      ]),
    )
  }

  /** Tables that were counted and not staged. */
  skippedTables(): ReadonlyMap<string, number> {
    const rows = this.db.prepare(`select name, value from facts where name like 'skipped %'`).all()
    return new Map(rows.map(({ name, value }) => [(name as string).slice('skipped '.length), Number(value)]))
  }

  all<Row extends object = StagedRow>(sql: string, ...params: SQLInputValue[]): Row[] {
    const { statement, rowOf } = this.prepared(sql)
    return statement.all(...params).map(rowOf) as Row[]
  }

  first<Row extends object = StagedRow>(sql: string, ...params: SQLInputValue[]): Row | undefined {
    const { statement, rowOf } = this.prepared(sql)
    const found = statement.get(...params)
    return found === undefined ? undefined : (rowOf(found) as Row)
  }

  iterate<Row extends object = StagedRow>(sql: string, ...params: SQLInputValue[]): IterableIterator<Row> {
    return this.db.prepare(sql).iterate(...params) as IterableIterator<Row>
  }

  count(table: string): number {
    return this.first<{ n: number }>(`select count(*) as n from ${table}`)?.n ?? 0
  }

  exec(sql: string) {
    this.db.exec(sql)
  }

  close() {
    this.db.close()
  }

  /** Closes and deletes it. */
  remove() {
    this.close()
    Staging.removeFile(this.file)
  }

  /** Also deletes the journal of an earlier release, which would be applied to the next file of this name. */
  static removeFile(file: string) {
    for (const suffix of ['', '-journal']) rmSync(`${file}${suffix}`, { force: true })
  }

  private createIndex(table: string, columns: string) {
    const present = columns.split(', ').filter((column) => this.tables.get(table)?.names.includes(column))
    if (present.length > 0) this.db.exec(`create index "by_${table}" on "dump_${table}" (${present.join(', ')})`)
  }

  /** Only a damaged dump has two rows with one number. The first one stays. */
  private removeDoubles(table: string, key: string) {
    const staged = this.tables.get(table)
    if (staged === undefined || !key.split(', ').every((column) => staged.names.includes(column))) return
    if (staged.isAscending) return
    const isDouble = this.db.prepare(`select 1 from "dump_${table}" group by ${key} having count(*) > 1 limit 1`)
    if (isDouble.get() === undefined) return
    const others = `from "dump_${table}" where rowid not in (select min(rowid) from "dump_${table}" group by ${key})`
    this.db.exec(`insert into notes select '${table}', concat_ws(' ', ${key}), 'left out: it is there twice' ${others}`)
    this.db.exec(`delete ${others}`)
  }

  private readonly statements = new Map<string, Prepared>()

  private prepared(sql: string): Prepared {
    const known = this.statements.get(sql)
    if (known) return known
    const made = preparedFrom(this.db.prepare(sql), true)
    this.statements.set(sql, made)
    return made
  }
}
