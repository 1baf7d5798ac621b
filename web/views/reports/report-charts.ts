// What the calls for reports answer, as charts and tables.
import type { AnswerAt } from '../../../client/call-types.ts'
import type { addressWith } from '../../../shared/rest-address.ts'
import { hrefOf } from '../../core/router.ts'
import { addCondition, bugsWith, type ChartData } from './chart-data.ts'
import { KINDS, kindIn, type ReportKind, searchIn } from './report-kinds.ts'

export type LabelOf = (field: string) => string
export type OverTime = AnswerAt<ReturnType<typeof addressWith<'/report/over_time'>>>

export function timeChart(query: URLSearchParams, { points, bug_count, interval }: OverTime): ChartData {
  const kind = kindIn(query)
  const series = (name: string, countOf: (point: OverTime['points'][number]) => number) => ({
    name,
    values: points.map(countOf),
  })
  const lines =
    kind === 'flow'
      ? [series('Created', ({ created }) => created), series('Resolved', ({ resolved }) => resolved)]
      : kind === 'burn_up'
        ? [series('Closed', ({ closed }) => closed), series('All', ({ open, closed }) => open + closed)]
        : [series('Open', ({ open }) => open), series('Closed', ({ closed }) => closed)]
  return {
    title: KINDS.find(({ value }) => value === kind)?.name ?? '',
    note: noteOver(kind, points),
    rowTitle: interval === 'day' ? 'Day' : interval === 'week' ? 'Week until' : 'Month until',
    rows: points.map(({ date }) => date),
    series: lines,
    totals: undefined,
    sums: kind === 'flow' ? lines.map(({ values }) => values.reduce((sum, value) => sum + value, 0)) : undefined,
    all: bug_count,
    shape: query.get('chart') === 'line' ? 'line' : kind === 'flow' ? 'columns' : 'area',
  }
}

const MONTH_MILLISECONDS = 30 * 86_400_000

/** What the last point says, and how it differs from a month before. */
function noteOver(kind: ReportKind, points: OverTime['points']): string {
  const last = points.at(-1)
  if (last === undefined) return ''
  if (kind === 'burn_up')
    return `${last.closed.toLocaleString()} of ${(last.open + last.closed).toLocaleString()} closed`
  if (kind === 'flow') return ''
  const before = points.findLast(({ date }) => Date.parse(last.date) - Date.parse(date) >= MONTH_MILLISECONDS)
  if (before === undefined) return last.open.toLocaleString()
  const more = last.open - before.open
  const change = more === 0 ? 'as many as' : `${Math.abs(more).toLocaleString()} ${more > 0 ? 'more' : 'fewer'} than`
  return `${last.open.toLocaleString()}, ${change} a month before`
}

interface Times {
  groups: readonly { up_to_days: number | null; bug_count: number }[]
  hours: { p50: number | null; p90: number | null }
  bug_count: number
}

const GROUP_NAMES = ['a day', 'a week', 'a month', '3 months', '6 months', 'a year', 'longer']

export function timesChart(
  title: string,
  { groups, hours, bug_count }: Times,
  linkTo?: ChartData['linkTo'],
): ChartData {
  const note =
    hours.p50 === null ? '' : `half within ${inWords(hours.p50)}, nine tenths within ${inWords(hours.p90 ?? 0)}`
  const values = groups.map((group) => group.bug_count)
  return {
    title,
    note,
    rowTitle: 'Up to',
    rows: GROUP_NAMES.slice(0, groups.length),
    series: [{ name: 'Bugs', values }],
    totals: undefined,
    sums: [bug_count],
    all: bug_count,
    ...(linkTo && { linkTo }),
    shape: 'bars',
  }
}

function inWords(hours: number) {
  if (hours < 48) return hours === 1 ? 'an hour' : `${hours} hours`
  return `${Math.round(hours / 24).toLocaleString()} days`
}

const GROUP_DAYS = [0, 1, 7, 30, 91, 182, 365]

export function ageLink(search: URLSearchParams, now: string): ChartData['linkTo'] {
  if (search.has('j_top')) return undefined
  const before = (days: number) => new Date(Date.parse(now) - days * 86_400_000).toISOString().replace(/\.\d+Z/, 'Z')
  return (row) => {
    const all = new URLSearchParams(search)
    if (!all.has('bug_status')) all.set('bug_status', '__open__')
    else addCondition(all, 903, 'resolution', 'isempty', '')
    const [older, younger] = row === undefined ? [undefined, undefined] : [GROUP_DAYS[row], GROUP_DAYS[row + 1]]
    if (older) addCondition(all, 901, 'creation_ts', 'lessthaneq', before(older))
    if (younger) addCondition(all, 902, 'creation_ts', 'greaterthan', before(younger))
    return hrefOf(`/bugs?${all}`)
  }
}

type Table = AnswerAt<ReturnType<typeof addressWith<'/report'>>>

/** One table for each value of the third axis. */
export function tableCharts(query: URLSearchParams, table: Table, labelOf: LabelOf): ChartData[] {
  const search = searchIn(query)
  const { x_axis_field: x, y_axis_field: y, z_axis_field: z } = table
  const isPast = Boolean(query.get('as_of'))
  const layers = z === null ? [undefined] : table.z_values
  return layers.map((layer) => {
    const cells = new Map(
      table.counts
        .filter((cell) => layer === undefined || cell.z === layer)
        .map((cell) => [JSON.stringify([cell.y ?? '', cell.x ?? '']), cell.bug_count]),
    )
    const rows = y === null ? ['Bugs'] : table.y_values
    const columns = x === null ? ['Bugs'] : table.x_values
    const values = columns.map((column) =>
      rows.map((row) => cells.get(JSON.stringify([y === null ? '' : row, x === null ? '' : column])) ?? 0),
    )
    const isWhole = layer === undefined
    return {
      title: [
        KINDS.find(({ value }) => value === kindIn(query))?.name,
        layer === undefined ? undefined : `${labelOf(z ?? '')}: ${layer || 'none'}`,
      ]
        .filter(Boolean)
        .join(', '),
      rowTitle: y === null ? '' : labelOf(y),
      rows,
      rowField: y ?? undefined,
      seriesField: x ?? undefined,
      series: columns.map((name, at) => ({ name, values: values[at] ?? [] })),
      totals: x === null || !isWhole ? undefined : y === null ? [table.bug_count] : table.y_totals,
      sums: y === null || !isWhole ? undefined : x === null ? [table.bug_count] : table.x_totals,
      all: table.bug_count,
      shape: query.get('chart') === 'pie' ? 'pie' : 'bars',
      ...(!isPast && {
        linkTo: (row: number | undefined, column: number | undefined) =>
          bugsWith(search, [
            ...(y === null || row === undefined ? [] : [[y, rows[row] ?? ''] as const]),
            ...(x === null || column === undefined ? [] : [[x, columns[column] ?? ''] as const]),
            ...(z === null || layer === undefined ? [] : [[z, layer] as const]),
          ]),
      }),
    }
  })
}

interface CountedSeries {
  series: { category: string; subcategory: string; name: string } | undefined
  data: readonly { date: string; bug_count: number }[]
}

/** On a day without a count of its own, a series has the one before. */
export function seriesChart(lines: readonly CountedSeries[]): ChartData {
  const rows = [...new Set(lines.flatMap(({ data }) => data.map(({ date }) => date)))].sort()
  const series = lines.map(({ series, data }) => {
    const counts = new Map(data.map(({ date, bug_count }) => [date, bug_count]))
    let last = 0
    const name = series === undefined ? '' : `${series.category} / ${series.subcategory} / ${series.name}`
    return { name, values: rows.map((day) => (last = counts.get(day) ?? last)) }
  })
  return {
    title: 'Series',
    note: 'as they were counted, by day',
    rowTitle: 'Day',
    rows,
    series,
    totals: undefined,
    sums: undefined,
    all: undefined,
    shape: 'line',
  }
}
