// Reads the numbers of a report, and makes charts of them.
import { useEffect, useState } from 'preact/hooks'
import type { AnswerAt } from '../../../client/call-types.ts'
import { addressWith } from '../../../shared/rest-address.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { hrefOf } from '../../core/router.ts'
import { get } from '../../core/server/rest.ts'
import { addCondition, bugsWith, type ChartData } from './chart-data.ts'
import { axesOf, isOverTime, KINDS, kindIn, searchIn, withOwn } from './report-kinds.ts'

export interface ReportState {
  charts: readonly ChartData[] | undefined
  fault: Error | undefined
  /** From 0 to 1 while a large report is counted in parts. */
  progress: number | undefined
}

export function useReport(query: URLSearchParams, fields: FieldList): ReportState & { reload(): void } {
  const [state, setState] = useState<ReportState>({ charts: undefined, fault: undefined, progress: undefined })
  const [round, setRound] = useState(0)
  const key = query.toString()
  useEffect(() => {
    const abort = new AbortController()
    const show = (next: Partial<ReportState>) => {
      if (!abort.signal.aborted) setState((last) => ({ ...last, fault: undefined, ...next }))
    }
    setState({ charts: undefined, fault: undefined, progress: undefined })
    chartsOf(
      query,
      (name) => fields.label(name),
      abort.signal,
      (progress) => show({ progress }),
    ).then(
      (charts) => show({ charts, progress: undefined }),
      (fault) => show({ fault, progress: undefined }),
    )
    return () => abort.abort()
  }, [key, round])
  return { ...state, reload: () => setRound((last) => last + 1) }
}

type LabelOf = (field: string) => string

async function chartsOf(
  query: URLSearchParams,
  labelOf: LabelOf,
  abort: AbortSignal,
  onProgress: (share: number) => void,
): Promise<ChartData[]> {
  const kind = kindIn(query)
  if (isOverTime(kind)) return [timeChart(query, await readOverTime(query, abort, onProgress))]
  const search = searchIn(query)
  if (kind === 'age') {
    const body = await get(addressWith('/report/age', withOwn(search, query, ['as_of'])), abort)
    return [timesChart('Age of open bugs', body, query.get('as_of') ? undefined : ageLink(search, body.as_of))]
  }
  if (kind === 'time_to_close')
    return [
      timesChart(
        'Time to close',
        await get(addressWith('/report/time_to_close', withOwn(search, query, ['from', 'to'])), abort),
      ),
    ]
  const parameters = withOwn(search, query, ['as_of'])
  for (const [name, field] of axesOf(query)) parameters.set(name, field)
  parameters.set('with_totals', '1')
  return tableCharts(query, await get(addressWith('/report', parameters), abort), labelOf)
}

type OverTime = AnswerAt<ReturnType<typeof addressWith<'/report/over_time'>>>

/** Part after part, added up, so that the progress of a large installation is seen. */
async function readOverTime(query: URLSearchParams, abort: AbortSignal, onProgress: (share: number) => void) {
  const parameters = withOwn(searchIn(query), query, ['from', 'to', 'interval'])
  parameters.set('in_parts', '1')
  let sum: OverTime | undefined
  for (;;) {
    const part: OverTime = await get(addressWith('/report/over_time', parameters), abort)
    sum =
      sum === undefined
        ? part
        : { ...part, points: added(sum.points, part.points), bug_count: sum.bug_count + part.bug_count }
    if (part.next_cursor === undefined) return sum
    onProgress(part.progress ?? 0)
    for (const name of ['from', 'to'] as const) parameters.set(name, part[name])
    parameters.set('cursor', part.next_cursor)
  }
}

function added(some: OverTime['points'], more: OverTime['points']): OverTime['points'] {
  return some.map((point, at) => {
    const other = more[at]
    if (other === undefined) return point
    return {
      date: point.date,
      open: point.open + other.open,
      closed: point.closed + other.closed,
      created: point.created + other.created,
      resolved: point.resolved + other.resolved,
      reopened: point.reopened + other.reopened,
    }
  })
}

function timeChart(query: URLSearchParams, { points, bug_count, interval }: OverTime): ChartData {
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
    rowTitle: interval === 'day' ? 'Day' : interval === 'week' ? 'Week until' : 'Month until',
    rows: points.map(({ date }) => date),
    series: lines,
    totals: undefined,
    sums: kind === 'flow' ? lines.map(({ values }) => values.reduce((sum, value) => sum + value, 0)) : undefined,
    all: bug_count,
    shape: kind === 'flow' ? 'columns' : 'area',
  }
}

interface Times {
  groups: readonly { up_to_days: number | null; bug_count: number }[]
  hours: { p50: number | null; p90: number | null }
  bug_count: number
}

const GROUP_NAMES = ['a day', 'a week', 'a month', '3 months', '6 months', 'a year', 'longer']

function timesChart(title: string, { groups, hours, bug_count }: Times, linkTo?: ChartData['linkTo']): ChartData {
  const middle =
    hours.p50 === null ? '' : `: half within ${inWords(hours.p50)}, nine tenths within ${inWords(hours.p90 ?? 0)}`
  const values = groups.map((group) => group.bug_count)
  return {
    title: `${title}${middle}`,
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

function ageLink(search: URLSearchParams, now: string): ChartData['linkTo'] {
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
function tableCharts(query: URLSearchParams, table: Table, labelOf: LabelOf): ChartData[] {
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
      series: columns.map((name, at) => ({ name, values: values[at] ?? [] })),
      totals: x === null || !isWhole ? undefined : y === null ? [table.bug_count] : table.y_totals,
      sums: y === null || !isWhole ? undefined : x === null ? [table.bug_count] : table.x_totals,
      all: table.bug_count,
      shape: 'bars',
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
