import { median, medianSpeed, type Speed } from './turns.ts'

export type Engine = 'SQLite' | 'PostgreSQL'

/** A call next to a baseline that was measured in turns with it. */
export interface Comparison {
  call: string
  engine: Engine
  bugs: number
  baseline: 'bare node:http' | 'bare statements'
  ours: readonly Speed[]
  bare: readonly Speed[]
  /** The share of the rate of the baseline that is wanted. */
  wanted: number
  /** The same call with fewer bugs. */
  fewer?: { bugs: number; ours: readonly Speed[] }
  /** Responses per second of a Bugzilla with the same bugs. */
  bugzilla?: number
}

const TITLES = [
  'call',
  'engine',
  'bugs',
  'baseline',
  'ours/s',
  'bare/s',
  'ratio',
  'spread',
  'wanted',
  'CPU µs',
  'CPU ratio',
  'growth',
  'Bugzilla/s',
]

/** The table at the end of a run. `ratio` is of rates and `CPU ratio` of processor time; both are shares of what the baseline reaches. */
export function rowsOf(comparisons: readonly Comparison[]): string[][] {
  return [TITLES, ...comparisons.map(rowOf)]
}

function rowOf({ call, engine, bugs, baseline, ours, bare, wanted, fewer, bugzilla }: Comparison): string[] {
  const [mine, theirs] = [medianSpeed(ours), medianSpeed(bare)]
  const shares = ours.map(({ rate }, round) => rate / (bare[round]?.rate ?? Number.NaN)).sort((a, b) => a - b)
  return [
    ...[call, engine, bugs === 0 ? '' : String(bugs), baseline],
    ...[mine.rate.toFixed(0), theirs.rate.toFixed(0), median(shares).toFixed(2)],
    ...[`${shares[0]?.toFixed(2)}–${shares.at(-1)?.toFixed(2)}`, wanted.toFixed(2)],
    ...[mine.processor.toFixed(0), (theirs.processor / mine.processor).toFixed(2)],
    fewer === undefined ? '' : growthOf(mine, fewer),
    bugzilla === undefined ? '' : bugzilla.toFixed(1),
  ]
}

/** How many times the processor time with fewer bugs. */
function growthOf(mine: Speed, fewer: NonNullable<Comparison['fewer']>) {
  return `${(mine.processor / medianSpeed(fewer.ours).processor).toFixed(2)} from ${fewer.bugs}`
}

/** For a terminal. */
export function alignedTable([titles = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
  return [titles, ...rows].map((row) => line(row).join('  ').trimEnd()).join('\n')
}

export function markdownTable([titles = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`
  const marks = titles.map((_, column) => (isText(column) ? '---' : '--:'))
  return [line(titles), `|${marks.join('|')}|`, ...rows.map(line)].join('\n')
}

/** Only the first column of every table is a name. */
function isText(column: number) {
  return column === 0
}
