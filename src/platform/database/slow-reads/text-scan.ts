import type { TextTree } from '../../dialects/text-tests.ts'
import type { SlowRead } from './slow-read.ts'

/** SQL with its values. */
export interface Bound {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** Stands for the ids that a read is limited to, as JSON, until they are known; see `withIds`. */
export const IDS = Symbol('ids')

/**
 * A value in the SQL of a slow read that is computed before the SQL runs: the ids, as JSON, of all rows whose texts
 * match. The rows have an id first and then the texts. SQLite has no such functions, and those added from JavaScript
 * keep every text in memory until the statement ends. So the texts are read one by one.
 */
export class TextScan {
  readonly rows: Bound
  readonly tree: TextTree

  constructor(rows: Bound, tree: TextTree) {
    this.rows = rows
    this.tree = tree
  }
}

/** The same limited to these ids. */
export function withIds({ sql, values }: Bound, ids: readonly number[]): Bound {
  const json = JSON.stringify(ids)
  const fill = (items: readonly unknown[]) => items.map((value) => (value === IDS ? json : value))
  return {
    sql,
    values: fill(values).map((value) =>
      value instanceof TextScan ? new TextScan({ ...value.rows, values: fill(value.rows.values) }, value.tree) : value,
    ),
  }
}

/** Conditions on the same rows, which are read once for all of them. */
export interface ScannedRows extends Bound {
  readonly trees: readonly TextTree[]
}

/** A read as a thread gets it: values that are a ScanResult are computed first. */
export interface ThreadRead extends SlowRead {
  readonly scans: readonly ScannedRows[]
}

/** Marks where the result of a condition belongs among the values of a read. */
export interface ScanResult {
  readonly scan: number
  readonly tree: number
}

/** Splits the values of a read into the scans that they need and the other values. */
export function scansIn(values: readonly unknown[]): { values: readonly unknown[]; scans: readonly ScannedRows[] } {
  if (!values.some((value) => value instanceof TextScan)) return { values, scans: [] }
  const scans: { rows: Bound; trees: TextTree[] }[] = []
  const placed = values.map((value) => {
    if (!(value instanceof TextScan)) return value
    const known = scans.findIndex(({ rows }) => isSame(rows, value.rows))
    const scan = known === -1 ? scans.push({ rows: value.rows, trees: [] }) - 1 : known
    return { scan, tree: (scans[scan] as (typeof scans)[number]).trees.push(value.tree) - 1 } satisfies ScanResult
  })
  return { values: placed, scans: scans.map(({ rows, trees }) => ({ ...rows, trees })) }
}

/** The ids are the same string in all conditions of a read, so that comparing them takes no time. */
function isSame(one: Bound, other: Bound) {
  return (
    one.sql === other.sql &&
    one.values.length === other.values.length &&
    one.values.every((it, at) => it === other.values[at])
  )
}
