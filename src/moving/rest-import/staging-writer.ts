import type { DumpValue } from '../bugzilla/dump/dump-value.ts'
import { SOURCE_TABLES, type SourceTable } from '../bugzilla/staging/source-tables.ts'
import type { Staging } from '../bugzilla/staging/staging.ts'

type Cell = null | number | string | Uint8Array

/** Writes rows in the form of a dump of Bugzilla, so that one place makes an installation of both. */
export class StagingWriter {
  private readonly staging: Staging
  private readonly columns = new Map<string, readonly string[]>()
  private readonly missing = new Map<string, Readonly<Record<string, Cell>>>()

  constructor(staging: Staging) {
    this.staging = staging
  }

  /** One of Bugzilla's tables, with further columns for custom fields. */
  sourceTable(name: SourceTable, more: readonly string[] = []) {
    this.missing.set(name, SOURCE_TABLES[name])
    this.table(name, [...Object.keys(SOURCE_TABLES[name]), ...more])
  }

  table(name: string, columns: readonly string[]) {
    this.columns.set(name, columns)
    this.staging.add({ kind: 'table', table: name, columns: columns.map((column) => ({ name: column, type: '' })) })
  }

  /** Columns that are not given have the value that the import takes for a missing column. */
  row(table: string, cells: Readonly<Record<string, Cell>>) {
    const columns = this.columns.get(table) ?? []
    const missing = this.missing.get(table)
    const values = columns.map((column): DumpValue => {
      const cell = Object.hasOwn(cells, column) ? cells[column] : missing?.[column]
      return cell instanceof Uint8Array ? { bytes: Buffer.from(cell), isBinary: true } : (cell ?? null)
    })
    this.staging.add({ kind: 'row', table, columns, values })
  }

  /** A line in the report. */
  note(table: string, key: string | number, note: string) {
    this.staging.addNote(table, String(key), note)
  }
}
