import { useRef, useState } from 'preact/hooks'
import { MOST_COLUMNS } from '../../../shared/tile-kinds.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { nameInSentence } from '../../core/name-in-sentence.ts'
import { hrefOf } from '../../core/router.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { filtersOf } from '../list/criteria/filters.ts'
import { type ChartData, isEmpty } from '../reports/chart-data.ts'
import { searchIn } from '../reports/report-kinds.ts'
import { saveCsv, savePng, saveSvg } from '../reports/save-chart.ts'
import type { DashboardFilters } from './narrowed.ts'
import { TileContent } from './tile-content.tsx'
import { type PlacedTile, reportQueryOf, type Tile } from './tiles.ts'

export interface TileActions {
  place: number
  count: number
  move(to: number): void
  resize(by: 1 | -1): void
  change(): void
  remove(): void
  /** A tile was dragged onto this one. */
  drop(key: number): void
}

interface Props {
  placed: PlacedTile
  fields: FieldList
  asOf: string
  filters: DashboardFilters
  areTables: boolean
  isWall: boolean
  round: number
  /** Undefined while nothing can be arranged. */
  actions: TileActions | undefined
}

const DRAGGED = 'application/x-lacewing-tile'

export function TileCard({ placed: { key, tile }, fields, asOf, filters, areTables, isWall, round, actions }: Props) {
  const [isTable, setTable] = useState<boolean>()
  const [charts, setCharts] = useState<readonly ChartData[]>()
  const [isTarget, setTarget] = useState(false)
  const card = useRef<HTMLElement>(null)
  const isReport = tile.kind !== 'list' && tile.kind !== 'count'
  const shownTable = isTable ?? (areTables || tile.chart === 'table')
  const only = charts?.length === 1 ? charts[0] : undefined
  const note = only === undefined || isEmpty(only) ? undefined : only.note
  const classes = ['card', 'tile', `tile-width-${tile.width}`, isTarget && 'is-target'].filter(Boolean).join(' ')
  return (
    <section
      ref={card}
      class={classes}
      aria-label={tile.title}
      data-tile={key}
      draggable={actions !== undefined}
      onDragStart={(event) => {
        event.dataTransfer?.setData(DRAGGED, String(key))
      }}
      onDragOver={(event) => {
        if (actions === undefined || !event.dataTransfer?.types.includes(DRAGGED)) return
        event.preventDefault()
        setTarget(true)
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false)
        const dragged = Number(event.dataTransfer?.getData(DRAGGED))
        if (actions === undefined || !dragged) return
        event.preventDefault()
        actions.drop(dragged)
      }}
    >
      <div class="tile-head">
        {actions !== undefined && <Icon name="drag" />}
        <div class="grow">
          <h2 dir="auto">{tile.title}</h2>
          {note && <span class="muted">{note}</span>}
        </div>
        {isReport && !isWall && (
          <>
            <IconButton
              name={`${tile.title} as a ${shownTable ? 'chart' : 'table'}`}
              icon={shownTable ? 'chart' : 'table'}
              size="small"
              onClick={() => setTable(!shownTable)}
            />
            <Menu
              label={`Save ${tile.title} as a file`}
              at="end"
              buttonClass="icon-button icon-button-small"
              button={<Icon name="download" />}
              items={files(tile.title, charts, shownTable, () => card.current)}
            />
          </>
        )}
      </div>
      {actions !== undefined && <Arrange title={tile.title} width={tile.width} actions={actions} />}
      <div class="tile-body">
        <TileContent {...{ tile, fields, asOf, filters, isWall, round }} isTable={shownTable} onCharts={setCharts} />
      </div>
      {!isWall && <Foot {...{ tile, fields, asOf, filters, charts }} />}
    </section>
  )
}

/** Drawings are saved as they are seen. */
function files(
  title: string,
  charts: readonly ChartData[] | undefined,
  isTable: boolean,
  card: () => HTMLElement | null,
): MenuItem[] {
  const refused = charts === undefined ? 'Not counted yet' : undefined
  const notDrawn = refused ?? (isTable ? 'Show the chart first' : undefined)
  const draw = (save: (chart: SVGSVGElement, name?: string) => unknown) => {
    for (const chart of card()?.querySelectorAll<SVGSVGElement>('svg.chart') ?? []) void save(chart, title)
  }
  return [
    { name: 'CSV', icon: 'table', refused, run: () => saveAll(charts, title) },
    { name: 'SVG', icon: 'image', refused: notDrawn, run: () => draw(saveSvg) },
    { name: 'PNG', icon: 'image', refused: notDrawn, run: () => draw(savePng) },
  ]
}

function saveAll(charts: readonly ChartData[] | undefined, title: string) {
  for (const data of charts ?? []) saveCsv(data, title)
}

/** The same as dragging, for keys. */
function Arrange({ title, width, actions }: { title: string; width: number; actions: TileActions }) {
  const { place, count } = actions
  const button = (name: string, refused: string | false, run: () => void) => (
    <Button size="small" unavailable={refused || undefined} onClick={run}>
      {name}
      <span class="visually-hidden"> {title}</span>
    </Button>
  )
  return (
    <div class="tile-arrange" role="group" aria-label={`Arrange ${title}`}>
      {button('Earlier', place === 0 && 'It is the first one', () => actions.move(place - 1))}
      {button('Later', place === count - 1 && 'It is the last one', () => actions.move(place + 1))}
      {button('Wider', width === MOST_COLUMNS && 'It is as wide as the page', () => actions.resize(1))}
      {button('Narrower', width === 1 && 'It is as narrow as possible', () => actions.resize(-1))}
      {button('Change', false, actions.change)}
      {button('Remove', false, actions.remove)}
    </div>
  )
}

interface FootProps extends Pick<Props, 'fields' | 'asOf' | 'filters'> {
  tile: Tile
  charts: readonly ChartData[] | undefined
}

/** The way to the bugs, and to the report, in which more can be chosen. */
function Foot({ tile, fields, asOf, filters, charts }: FootProps) {
  const report = reportQueryOf(tile, asOf, filters)
  const search = searchIn(report)
  const words = filtersOf(search, fields)
    .filter(({ key, text }) => key !== 'quicksearch' || text !== 'ALL')
    .map(({ label, text }) => nameInSentence(`${label} ${text}`.trim()))
  const all = charts?.length === 1 ? charts[0]?.all : undefined
  return (
    <p class="tile-foot">
      <a class="link truncated" href={hrefOf(`/bugs?${search}`)} dir="auto">
        <Icon name="search" size="small" /> {words.length === 0 ? 'All bugs' : words.join(' · ')}
        {all !== undefined && `: ${all.toLocaleString()}`}
      </a>
      {tile.kind !== 'list' && tile.kind !== 'count' && (
        <a class="link" href={hrefOf(`/reports?${report}`)}>
          Report<span class="visually-hidden"> {tile.title}</span>
        </a>
      )}
    </p>
  )
}
