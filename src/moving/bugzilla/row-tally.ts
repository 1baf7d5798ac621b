import type { StagedRow } from './staging/staging.ts'

/** What became of the rows of a table. */
export interface ImportCounts {
  made: number
  joined: number
  /** How many were left out, by the reason. */
  leftOut: Record<string, number>
}

/** A line of the report. */
export interface ImportNote {
  table: string
  key: string
  note: string
  row: string | null
}

/** Counts and lines of one part of the import, which a thread sends to another. */
export interface Tallied {
  counts: Record<string, ImportCounts>
  notes: ImportNote[]
}

/** Counts what becomes of the rows of the dump, and collects the lines of the report. */
export class RowTally {
  /** The time that stands for impossible ones. */
  readonly begunAt: string
  readonly counts: Record<string, ImportCounts>
  protected notes: ImportNote[] = []

  constructor(begunAt: string, counts: Record<string, ImportCounts> = {}) {
    this.begunAt = begunAt
    this.counts = counts
  }

  /** Counts rows that were taken over. */
  made(table: string, rows = 1) {
    this.countsOf(table).made += rows
  }

  /** Counts rows that became part of another row. */
  joined(table: string, rows = 1) {
    this.countsOf(table).joined += rows
  }

  /** Counts rows that have no place here, without a line for each. */
  leftOut(table: string, why: string, rows = 1) {
    if (rows === 0) return
    const { leftOut } = this.countsOf(table)
    leftOut[why] = (leftOut[why] ?? 0) + rows
  }

  /** Counts a row that cannot be taken over, with a line in the report. */
  refuse(table: string, key: string | number, why: string, row?: StagedRow) {
    this.leftOut(table, why.replaceAll(PARTICULARS, '').replaceAll('  ', ' ').trim())
    this.notes.push({ table, key: String(key), note: `left out: ${why}`, row: row === undefined ? null : jsonOf(row) })
  }

  /** A line in the report about a row that was taken over with a change. */
  note(table: string, key: string | number, note: string) {
    this.notes.push({ table, key: String(key), note, row: null })
  }

  get tallied(): Tallied {
    return { counts: this.counts, notes: this.notes }
  }

  /** Adds what was counted elsewhere. */
  add({ counts, notes }: Tallied) {
    for (const [table, { made, joined, leftOut }] of Object.entries(counts)) {
      this.made(table, made)
      this.joined(table, joined)
      for (const [why, rows] of Object.entries(leftOut)) this.leftOut(table, why, rows)
    }
    for (const note of notes) this.notes.push(note)
  }

  /** The counts of a table; undefined if it has none. Tables of a dump can have any name, also `constructor`. */
  countsFor(table: string): ImportCounts | undefined {
    return Object.hasOwn(this.counts, table) ? this.counts[table] : undefined
  }

  private countsOf(table: string): ImportCounts {
    this.counts[table] ??= { made: 0, joined: 0, leftOut: {} }
    return this.counts[table]
  }
}

/** Numbers and names, which are only in the line: in the table of counts, rows are left out for few reasons. */
const PARTICULARS = / ?"(?:[^"\\]|\\.)*"| -?\d+(?![\w.])/g

export function jsonOf(row: StagedRow) {
  return JSON.stringify(row, (_, value) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
  )
}
