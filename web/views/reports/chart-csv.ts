import { csvText } from '../../../shared/text/csv-text.ts'

/** What the table of a chart needs of it; see ChartData. */
interface ChartTable {
  rowTitle: string
  rows: readonly string[]
  series: readonly { name: string; values: readonly number[] }[]
  totals: readonly number[] | undefined
  sums: readonly number[] | undefined
  all: number | undefined
}

/** The table as CSV. */
export function csvOf({ rowTitle, rows, series, totals, sums, all }: ChartTable): string {
  const lines = [
    [rowTitle, ...series.map(({ name }) => name), ...(totals ? ['All'] : [])],
    ...rows.map((row, at) => [
      row,
      ...series.map(({ values }) => values[at] ?? 0),
      ...(totals ? [totals[at] ?? 0] : []),
    ]),
    ...(sums ? [['All', ...sums, ...(totals ? [all ?? 0] : [])]] : []),
  ]
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: string | number) {
  return typeof value === 'number' ? String(value) : csvText(value)
}
