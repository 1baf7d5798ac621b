// Reads the numbers of a report, and makes charts of them.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressOf, addressWith } from '../../../shared/rest-address.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { loadPeople } from '../../core/bugs/people.ts'
import { get } from '../../core/server/rest.ts'
import { type ChartData, PEOPLE } from './chart-data.ts'
import { inTurn } from './in-turn.ts'
import {
  ageLink,
  type LabelOf,
  type OverTime,
  seriesChart,
  tableCharts,
  timeChart,
  timesChart,
} from './report-charts.ts'
import { axesOf, isOverTime, kindIn, searchIn, withOwn } from './report-kinds.ts'

export interface ReportState {
  charts: readonly ChartData[] | undefined
  /** Parameters that no search knows, such as a field that was deleted: the numbers are of other bugs than were meant. */
  unknown: readonly string[]
  fault: Error | undefined
  /** From 0 to 1 while a large report is counted in parts. */
  progress: number | undefined
}

/** The numbers of a report. The names of fields may come later than they do. */
interface Counted {
  chartsWith: ((labelOf: LabelOf) => readonly ChartData[]) | undefined
  unknown: readonly string[]
}

type State = Counted & Pick<ReportState, 'fault' | 'progress'>

const NOTHING: State = { chartsWith: undefined, unknown: [], fault: undefined, progress: undefined }

export function useReport(query: URLSearchParams, fields: FieldList): ReportState & { reload(): void } {
  const [state, setState] = useState<State>(NOTHING)
  const [round, setRound] = useState(0)
  const key = query.toString()
  const shown = useRef<string | undefined>(undefined)
  useEffect(() => {
    const abort = new AbortController()
    const show = (next: Partial<State>) => {
      if (!abort.signal.aborted) setState((last) => ({ ...last, fault: undefined, ...next }))
    }
    // What is read again stays until the new numbers are there.
    if (shown.current !== key) setState(NOTHING)
    shown.current = key
    const read = () => count(query, abort.signal, (progress) => show({ progress }))
    inTurn(read, abort.signal).then(
      (counted) => show({ ...counted, progress: undefined }),
      (fault) => show({ fault, progress: undefined }),
    )
    return () => abort.abort()
  }, [key, round])
  const { chartsWith, unknown, fault, progress } = state
  const charts = useMemo(() => chartsWith?.((name) => fields.label(name)), [chartsWith, fields])
  return { charts, unknown, fault, progress, reload: () => setRound((last) => last + 1) }
}

async function count(
  query: URLSearchParams,
  abort: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Counted> {
  if (query.has('series')) return one(await readSeries(query, abort))
  const kind = kindIn(query)
  if (isOverTime(kind)) {
    const body = await readOverTime(query, abort, onProgress)
    return one(timeChart(query, body), body.ignored)
  }
  const search = searchIn(query)
  if (kind === 'age') {
    const body = await get(addressWith('/report/age', withOwn(search, query, ['as_of'])), abort)
    const linkTo = query.get('as_of') ? undefined : ageLink(search, body.as_of)
    return one(timesChart('Age of open bugs', body, linkTo), body.ignored)
  }
  if (kind === 'time_to_close') {
    const body = await get(addressWith('/report/time_to_close', withOwn(search, query, ['from', 'to'])), abort)
    return one(timesChart('Time to close', body), body.ignored)
  }
  const parameters = withOwn(search, query, ['as_of'])
  for (const [name, field] of axesOf(query)) parameters.set(name, field)
  parameters.set('with_totals', '1')
  const body = await get(addressWith('/report', parameters), abort)
  if (PEOPLE.has(body.x_axis_field ?? '')) void loadPeople(body.x_values.filter(Boolean))
  if (PEOPLE.has(body.y_axis_field ?? '')) void loadPeople(body.y_values.filter(Boolean))
  return { chartsWith: (labelOf) => tableCharts(query, body, labelOf), unknown: body.ignored ?? [] }
}

function one(chart: ChartData, unknown: readonly string[] = []): Counted {
  return { chartsWith: () => [chart], unknown }
}

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

/** More lines than a chart has room for. */
const MOST_SERIES = 12

/** What series have counted: the lines of a chart of Bugzilla. */
async function readSeries(query: URLSearchParams, abort: AbortSignal): Promise<ChartData> {
  const ids = [...new Set(query.getAll('series'))].slice(0, MOST_SERIES)
  const period = Object.fromEntries(
    ['from', 'to'].flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  )
  const lines = await Promise.all(
    ids.map(async (id) => {
      const [about, { data }] = await Promise.all([
        get(addressOf('/series/:id', { id }), abort),
        get(addressOf('/series/:id/data', { id, ...period }), abort),
      ])
      return { series: about.series[0], data }
    }),
  )
  return seriesChart(lines)
}
