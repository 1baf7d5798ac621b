import { Readable } from 'node:stream'
import { errors } from '../../platform/errors.ts'
import { csvLine } from '../../platform/wire/formats/csv.ts'
import { FileAnswer } from '../../platform/wire/http/answer.ts'
import type { Report } from './make-report.ts'

/** Empty cells are written too, so that there may be more of them than the report has. */
const MOST_CELLS = 20_000

/** The report as CSV: a line for each value of y and z, a column for each value of x. */
export function tableOf(report: Report): FileAnswer {
  const text = linesOf(report).join('')
  return new FileAnswer({
    size: undefined,
    etag: '',
    headers: {
      'Content-Type': 'text/csv; charset=UTF-8',
      'Content-Disposition': 'attachment; filename="report.csv"',
      'Cache-Control': 'private, no-cache',
    },
    open: async () => Readable.from([text]),
  })
}

function linesOf({ x_axis_field: x, y_axis_field: y, z_axis_field: z, x_values, counts }: Report): string[] {
  const columns = x === null ? ['bug_count'] : x_values
  const lines = Map.groupBy(counts, (cell) => JSON.stringify([cell.z, cell.y]))
  if (lines.size * columns.length > MOST_CELLS) throw errors.report_too_large({ most: MOST_CELLS })
  const named = (one: string, other: string) => [...(z === null ? [] : [one]), ...(y === null ? [] : [other])]
  const body = [...lines.values()].map((cells) => {
    const bugs = new Map(cells.map(({ x: value = 'bug_count', bug_count }) => [value, bug_count]))
    return csvLine([...named(cells[0]?.z ?? '', cells[0]?.y ?? ''), ...columns.map((value) => bugs.get(value) ?? 0)])
  })
  return [csvLine([...named(z ?? '', y ?? ''), ...columns]), ...body]
}
