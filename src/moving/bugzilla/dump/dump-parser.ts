import { ByteWindow, NEED_MORE } from './byte-window.ts'
import { readCopyLine } from './copy-lines.ts'
import { type DumpEvent, type DumpKind, type DumpValue, UnreadableDump } from './dump-value.ts'
import { skipStatement, skipTo } from './skip-statement.ts'
import { readName, readValue, readWord, skipLine, skipSpace, unreadable } from './sql-tokens.ts'
import { columnsIn } from './table-definition.ts'

/** Longer than any statement or row that a database accepts; more means that a quote is missing. */
const LONGEST_ROW_BYTES = 1_200_000_000

/** Where rows come from: the statement that is being read. */
interface OpenRows {
  table: string
  columns: readonly string[] | undefined
  isCopy: boolean
}

/**
 * Parses a dump of MySQL, MariaDB or PostgreSQL as it arrives. Its memory depends on the longest row, not on the dump.
 */
export class DumpParser {
  kind: DumpKind = 'mysql'
  /** Whether the comments at the beginning and at the end were found. */
  hasHeader = false
  hasEnd = false
  private readonly window = new ByteWindow()
  private open: OpenRows | undefined
  private delimiter = ';'

  /** Parses what has arrived with this chunk. `found` is called for each table and row. */
  push(chunk: Buffer, found: (event: DumpEvent) => void) {
    this.window.push(chunk)
    if (this.window.isWorthParsing()) this.parse(found)
  }

  /** Parses the rest. Throws if the dump ends within a statement or without the end that its header promises. */
  end(found: (event: DumpEvent) => void) {
    this.window.isEnded = true
    this.parse(found)
    if (this.open !== undefined || this.window.left > 0) throw cutShort('it ends within a statement')
    if (this.hasHeader && !this.hasEnd) throw cutShort('the line that marks its end is missing')
  }

  private parse(found: (event: DumpEvent) => void) {
    const { window } = this
    window.refill()
    for (;;) {
      const start = window.position
      try {
        if (!this.step(found)) return
      } catch (fault) {
        if (fault !== NEED_MORE) throw fault
        if (window.isEnded) throw cutShort('it ends within a statement')
        window.position = start
        if (window.left > LONGEST_ROW_BYTES) throw unreadable(window, 'a row is longer than a database accepts')
        return
      }
    }
  }

  /** Parses one statement or one row. Returns false at the end of the dump. */
  private step(found: (event: DumpEvent) => void): boolean {
    const { window } = this
    if (this.open?.isCopy) return this.copyLine(this.open, found)
    if (this.open !== undefined) return this.row(this.open, found)
    skipSpace(window, (comment) => this.noteComment(comment))
    const byte = window.peek()
    if (byte === -1) return false
    if (byte === 0x5c) skipLine(window)
    else this.statement(found)
    return true
  }

  private noteComment(comment: string) {
    if (/^-- (PostgreSQL database dump complete)/.test(comment)) this.hasEnd = true
    else if (/^-- Dump completed|SQL_NOTES ?= ?@OLD_SQL_NOTES/.test(comment)) this.hasEnd = true
    else if (/^-- PostgreSQL database dump/.test(comment)) {
      this.kind = 'postgres'
      this.hasHeader = true
    } else if (/^-- (MySQL|MariaDB) dump|^\/\*!\d+ SET @OLD_SQL_NOTES/.test(comment)) this.hasHeader = true
  }

  private statement(found: (event: DumpEvent) => void) {
    const { window } = this
    const word = readWord(window).toUpperCase()
    if (word === 'DELIMITER') return this.readDelimiter()
    // Only triggers and routines are written with another one. They can have statements and comments in them.
    if (this.delimiter !== ';') return skipTo(window, this.delimiter)
    if (word === 'INSERT' || word === 'REPLACE') return this.insert()
    if (word === 'COPY') return this.copy()
    if (word === 'CREATE' && this.isTable()) return this.createTable(found)
    if (word === 'SET') this.noteSetting()
    if (word === '' && window.peek() !== this.delimiter.charCodeAt(0) && window.peek() !== 0x28)
      throw unreadable(window, 'it is not SQL')
    skipStatement(window, this.delimiter, this.kind)
  }

  /** Only pg_dump sets this. */
  private noteSetting() {
    skipSpace(this.window)
    if (readWord(this.window).toLowerCase() === 'standard_conforming_strings') this.kind = 'postgres'
  }

  private readDelimiter() {
    skipLine(this.window, (line) => {
      this.delimiter = line.trim() || ';'
    })
  }

  private isTable(): boolean {
    const { window } = this
    for (;;) {
      skipSpace(window)
      const word = readWord(window).toUpperCase()
      if (word === 'TABLE') return true
      if (!['TEMPORARY', 'UNLOGGED', 'GLOBAL', 'LOCAL'].includes(word)) return false
    }
  }

  private insert() {
    const { window } = this
    for (;;) {
      skipSpace(window)
      const start = window.position
      const word = readWord(window).toUpperCase()
      if (word === 'INTO') break
      if (!['IGNORE', 'LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY'].includes(word)) {
        window.position = start
        break
      }
    }
    const table = readName(window)
    skipSpace(window)
    const columns = window.peek() === 0x28 ? this.names() : undefined
    for (;;) {
      skipSpace(window)
      const word = readWord(window).toUpperCase()
      if (word === 'VALUES' || word === 'VALUE') break
      // OVERRIDING SYSTEM VALUE, from pg_dump.
      if (!['OVERRIDING', 'SYSTEM'].includes(word)) return skipStatement(window, this.delimiter, this.kind)
      if (word === 'SYSTEM') {
        skipSpace(window)
        readWord(window)
      }
    }
    this.open = { table, columns, isCopy: false }
  }

  private names(): string[] {
    const { window } = this
    const names: string[] = []
    window.position++
    for (;;) {
      names.push(readName(window))
      skipSpace(window)
      const byte = window.peek()
      window.position++
      if (byte === 0x29) return names
      if (byte !== 0x2c) throw unreadable(window, 'a list of columns is damaged')
    }
  }

  private row({ table, columns }: OpenRows, found: (event: DumpEvent) => void): boolean {
    const { window } = this
    skipSpace(window)
    if (window.peek() === 0x2c) {
      window.position++
      skipSpace(window)
    }
    if (window.peek() !== 0x28) {
      skipStatement(window, this.delimiter, this.kind)
      this.open = undefined
      return true
    }
    window.position++
    const values: DumpValue[] = []
    for (;;) {
      values.push(readValue(window, this.kind))
      skipSpace(window)
      if (window.peek() === 0x3a) this.skipCast()
      const byte = window.peek()
      window.position++
      if (byte === 0x29) break
      if (byte !== 0x2c) throw unreadable(window, `a row of the table ${table} is damaged`)
    }
    found({ kind: 'row', table, columns, values })
    return true
  }

  /** `::bytea` after a value. */
  private skipCast() {
    while (this.window.peek() === 0x3a) this.window.position++
    readWord(this.window)
    skipSpace(this.window)
  }

  private copy() {
    const { window } = this
    const table = readName(window)
    skipSpace(window)
    const columns = window.peek() === 0x28 ? this.names() : undefined
    skipSpace(window)
    const from = readWord(window).toLowerCase()
    skipSpace(window)
    const source = readWord(window).toLowerCase()
    skipStatement(window, ';', 'postgres')
    if (from !== 'from' || source !== 'stdin') return
    skipLine(window)
    this.kind = 'postgres'
    this.open = { table, columns, isCopy: true }
  }

  private copyLine({ table, columns }: OpenRows, found: (event: DumpEvent) => void): boolean {
    const values = readCopyLine(this.window)
    if (values === undefined) this.open = undefined
    else found({ kind: 'row', table, columns, values })
    return true
  }

  private createTable(found: (event: DumpEvent) => void) {
    const { window } = this
    skipSpace(window)
    const start = window.position
    if (readWord(window).toUpperCase() === 'IF') {
      for (const _ of ['NOT', 'EXISTS']) {
        skipSpace(window)
        readWord(window)
      }
    } else window.position = start
    const table = readName(window)
    skipSpace(window)
    if (window.peek() !== 0x28) return skipStatement(window, this.delimiter, this.kind)
    const from = window.position + 1
    skipStatement(window, this.delimiter, this.kind)
    found({ kind: 'table', table, columns: columnsIn(window.bytes.toString('utf8', from, window.position)) })
  }
}

function cutShort(how: string) {
  return new UnreadableDump(`The dump is cut short: ${how}. Nothing was imported.`)
}
