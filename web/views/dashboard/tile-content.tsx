// What is inside of a tile: a chart with its table, a list, or a number.
import { useEffect } from 'preact/hooks'
import { countCall, listCall, SHORT_FIELDS } from '../../../shared/first-calls.ts'
import { addressWith } from '../../../shared/rest-address.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { isLoginRequired, RestError } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { BugRows } from '../../parts/bug-rows.tsx'
import { Button } from '../../parts/button.tsx'
import { type ChartData, isEmpty } from '../reports/chart-data.ts'
import { ChartTable } from '../reports/chart-table.tsx'
import { Drawing } from '../reports/drawing.tsx'
import { NothingCounted } from '../reports/nothing-counted.tsx'
import { searchIn } from '../reports/report-kinds.ts'
import { useReport } from '../reports/use-report.ts'
import type { DashboardFilters } from './narrowed.ts'
import { reportQueryOf, type Tile } from './tiles.ts'

const BUGS_IN_LIST = 10
/** Letters in a chart on a wall are half as large again. */
const WALL_SCALE = 1.5

interface Props {
  tile: Tile
  fields: FieldList
  asOf: string
  filters: DashboardFilters
  isTable: boolean
  isWall: boolean
  /** Grows when all tiles are read again. */
  round: number
  onCharts(charts: readonly ChartData[] | undefined): void
}

export function TileContent(props: Props) {
  const { kind } = props.tile
  if (kind === 'list') return <BugList {...props} />
  if (kind === 'count') return <BugNumber {...props} />
  return <Report {...props} />
}

function Report({ tile, fields, asOf, filters, isTable, isWall, round, onCharts }: Props) {
  const query = reportQueryOf(tile, asOf, filters)
  const { charts, unknown, fault, progress, reload } = useReport(query, fields)
  useEffect(() => {
    if (round > 0) reload()
  }, [round])
  useEffect(() => onCharts(charts), [charts])
  if (fault !== undefined && charts === undefined) return <Fault fault={fault} retry={reload} />
  if (charts === undefined)
    return (
      <p class="muted tile-waiting" role="status">
        {progress === undefined ? 'Counting …' : `Counting: ${Math.round(progress * 100)} %`}
      </p>
    )
  if (unknown.length > 0) return <Unknown names={unknown} />
  return (
    <>
      {fault !== undefined && <Fault fault={fault} retry={reload} />}
      {charts.map((data) => {
        const shown = { ...data, title: charts.length > 1 ? data.title : tile.title }
        return (
          <div key={data.title}>
            {charts.length > 1 && <h3>{data.title}</h3>}
            {isEmpty(data) ? (
              <NothingCounted search={searchIn(query)} />
            ) : isTable ? (
              <ChartTable data={shown} />
            ) : (
              <Drawing data={shown} scale={isWall ? WALL_SCALE : 1} />
            )}
          </div>
        )
      })}
    </>
  )
}

function BugList({ tile, filters, round }: Props) {
  const query = reportQueryOf(tile, '', filters)
  const search = searchIn(query)
  const order = query.get('order')
  if (order) search.set('order', order)
  const address = listCall(search, 0, BUGS_IN_LIST)
  const short = new URLSearchParams(address.split('?')[1])
  short.set('include_fields', SHORT_FIELDS)
  const { body, fault, reload } = useData(addressWith('/bug', short))
  useEffect(() => {
    if (round > 0) reload()
  }, [round])
  if (fault !== undefined && body === undefined) return <Fault fault={fault} retry={reload} />
  if (body === undefined) return <p class="muted tile-waiting">Searching …</p>
  if (body.ignored !== undefined) return <Unknown names={body.ignored} />
  const bugs = body.bugs ?? []
  return bugs.length === 0 ? <NothingCounted search={search} /> : <BugRows bugs={bugs} />
}

function BugNumber({ tile, filters, round }: Props) {
  const search = searchIn(reportQueryOf(tile, '', filters))
  const { body, fault, reload } = useData(countCall(search))
  useEffect(() => {
    if (round > 0) reload()
  }, [round])
  if (fault !== undefined && body === undefined) return <Fault fault={fault} retry={reload} />
  if (body === undefined) return <p class="muted tile-waiting">Counting …</p>
  if (body.ignored !== undefined) return <Unknown names={body.ignored} />
  return (
    <>
      <p class="tile-number">{(body.bug_count ?? 0).toLocaleString()}</p>
      {body.bug_count === 0 && <NothingCounted search={search} />}
    </>
  )
}

/** An error is in its tile only. What the search itself is refused for does not go away by trying again. */
function Fault({ fault, retry }: { fault: Error; retry(): void }) {
  const isWrong = fault instanceof RestError && WRONG_SEARCH.has(fault.status) && !isLoginRequired(fault)
  return (
    <div class="tile-fault" role="alert">
      <p>
        {isWrong && 'This tile can no longer be counted. '}
        {fault.message}
      </p>
      {!isWrong && (
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

const WRONG_SEARCH: ReadonlySet<number> = new Set([400, 401, 404])

/** Numbers without a condition would be those of other bugs. */
function Unknown({ names }: { names: readonly string[] }) {
  return (
    <div class="tile-fault" role="alert">
      <p class="wrapped-name">
        This tile can no longer be counted. It searches in <bdi>{names.join(', ')}</bdi>, which does not exist any more
        or which you may not see.
      </p>
    </div>
  )
}
