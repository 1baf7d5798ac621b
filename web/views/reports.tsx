import { useRef } from 'preact/hooks'
import { chartsOf } from '../../shared/tile-kinds.ts'
import { me } from '../core/account/session.ts'
import { useFields } from '../core/bugs/fields.ts'
import { go, goWith, hrefOf, query } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { Button } from '../parts/button.tsx'
import { SelectField } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Refused, Skeleton } from '../parts/states.tsx'
import { AddToDashboard } from './dashboard/add-to-dashboard.tsx'
import { CHART_NAMES } from './dashboard/tiles.ts'
import { type ChartData, isEmpty } from './reports/chart-data.ts'
import { ChartTable } from './reports/chart-table.tsx'
import { Drawing } from './reports/drawing.tsx'
import { NothingCounted } from './reports/nothing-counted.tsx'
import { ReportForm } from './reports/report-form.tsx'
import { axesOf, kindIn, searchIn } from './reports/report-kinds.ts'
import { saveCsv, savePng, saveSvg } from './reports/save-chart.ts'
import { useReport } from './reports/use-report.ts'

export function View() {
  useTitle('Reports')
  const wanted = query.value
  const fields = useFields()
  const { charts, unknown, fault, progress, reload } = useReport(wanted, fields)
  return (
    <main id="main" class="page report">
      <h1>Reports</h1>
      <p class="muted">Only bugs that you may see are counted. Days end at midnight UTC.</p>
      <ReportForm query={wanted} fields={fields} onChange={(next) => go(`/reports?${next}`, 'replace')} />
      {!wanted.has('series') && (
        <div class="report-choices">
          <Drawn query={wanted} />
          {me.value !== undefined && <AddToDashboard query={wanted} />}
        </div>
      )}
      {unknown.length > 0 && (
        <p role="status">
          Not known, so that it does not narrow the search: <bdi>{unknown.join(', ')}</bdi>.
        </p>
      )}
      {fault !== undefined && <Refused fault={fault} retry={reload} />}
      {progress !== undefined && (
        <p role="status">
          Counting: <progress value={progress} aria-label="Counting" /> {Math.round(progress * 100)} %
        </p>
      )}
      {charts === undefined && fault === undefined && <Skeleton />}
      {charts?.map((data) => (
        <ReportCard key={data.title} data={data} search={searchIn(wanted)} />
      ))}
    </main>
  )
}

/** Other ways to draw the report. A pie is offered for the parts of one whole only. */
function Drawn({ query: wanted }: { query: URLSearchParams }) {
  const kind = kindIn(wanted)
  const charts = chartsOf(kind).filter((chart) => chart !== 'table' && (chart !== 'pie' || axesOf(wanted).size === 1))
  if (charts.length < 2) return null
  return (
    <SelectField
      label="Drawn as"
      value={charts.find((chart) => chart === wanted.get('chart')) ?? charts[0] ?? ''}
      options={charts.map((value) => ({ value, name: CHART_NAMES.get(value) ?? value }))}
      onChoice={(chart) => goWith({ chart })}
    />
  )
}

function ReportCard({ data, search }: { data: ChartData; search: URLSearchParams }) {
  const drawing = useRef<HTMLDivElement>(null)
  const withChart = (save: (chart: SVGSVGElement) => unknown) => {
    const chart = drawing.current?.querySelector<SVGSVGElement>('svg.chart')
    if (chart) void save(chart)
  }
  return (
    <section class="card report-card" aria-label={data.title}>
      <div class="report-head">
        <h2>{data.title}</h2>
        {data.note && !isEmpty(data) && <span class="muted">{data.note}</span>}
        <Button onClick={() => saveCsv(data)}>CSV</Button>
        {!isEmpty(data) && (
          <>
            <Button onClick={() => withChart(saveSvg)}>SVG</Button>
            <Button onClick={() => withChart(savePng)}>PNG</Button>
          </>
        )}
      </div>
      {isEmpty(data) ? (
        <NothingCounted search={search} />
      ) : (
        <>
          <div ref={drawing} class="report-drawing">
            <Drawing data={data} />
          </div>
          <ChartTable data={data} />
        </>
      )}
      {data.all !== undefined && (
        <p class="report-foot">
          <a class="link" href={hrefOf(`/bugs?${search}`)}>
            <Icon name="search" size="small" /> {data.all === 1 ? '1 bug' : `${data.all.toLocaleString()} bugs`}
          </a>
        </p>
      )}
    </section>
  )
}
