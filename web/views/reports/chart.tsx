// Charts as SVG with marks of our own. Colour never tells alone: the second series is hatched or dashed, and numbers stand beside bars.
import { useId } from 'preact/hooks'
import { axisDays, dayInWords } from './axis-days.ts'
import type { ChartData } from './chart-data.ts'
import { edgeOf, Marks, markOf } from './chart-marks.tsx'
import { Lines } from './lines.tsx'
import { cut, Pie } from './pie.tsx'

const HEIGHT = 260
const LEFT = 48
const BOTTOM = 24
const TOP = 16
const MOST_BARS = 30
/** Long numbers do not fit beside the axis: 20K, 1M. */
const AXIS_NUMBER = new Intl.NumberFormat('en', { notation: 'compact' })
/** Days along the axis, and the room that one needs. */
const MOST_DAYS = 6
const DAY_WIDTH = 100

interface Props {
  data: ChartData
  /** In units of the drawing, in which letters are 12 high. */
  width: number
}

export function Chart({ data, width }: Props) {
  if (data.shape === 'pie') return <Pie data={data} width={width} label={label(data)} />
  if (data.shape === 'bars') return <Bars data={data} width={width} />
  return <OverTime data={data} width={width} />
}

function label({ title, rows, series }: ChartData) {
  return `${title}. ${series.map(({ name }) => name || 'none').join(', ')}; ${rows.length} rows. The table has the numbers.`
}

function Bars({ data, width: all }: Props) {
  const id = useId()
  const { rows, series } = data
  const shown = rows.slice(0, MOST_BARS)
  const hidden = rows.length - shown.length
  const sums = shown.map((_, row) => series.reduce((sum, { values }) => sum + (values[row] ?? 0), 0))
  const most = Math.max(1, ...sums)
  const [names, height] = [Math.min(180, Math.round(all * 0.36)), 26]
  const room = all - names - 70
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${all} ${(shown.length + (hidden > 0 ? 1 : 0)) * height + 4}`}
      role="img"
      aria-label={label(data)}
    >
      <Marks id={id} count={series.length} />
      {shown.map((row, at) => {
        let start = names
        return (
          <g key={row}>
            <text x={names - 8} y={at * height + 18} text-anchor="end" class="chart-name">
              {cut(row || 'none', Math.floor(names / 8))}
            </text>
            {series.map(({ name, values }, column) => {
              const width = ((values[at] ?? 0) / most) * room
              start += width
              return (
                width > 0 && (
                  <rect
                    key={name}
                    x={start - width}
                    y={at * height + 4}
                    width={width}
                    height={18}
                    {...markOf(id, column)}
                  >
                    <title>{`${row || 'none'}${series.length > 1 ? `, ${name || 'none'}` : ''}: ${values[at]}`}</title>
                  </rect>
                )
              )
            })}
            <text x={start + 8} y={at * height + 18} class="chart-number">
              {(sums[at] ?? 0).toLocaleString()}
            </text>
          </g>
        )
      })}
      {hidden > 0 && (
        <text x={names} y={shown.length * height + 18} class="chart-axis">
          {`${hidden.toLocaleString()} more in the table`}
        </text>
      )}
    </svg>
  )
}

function OverTime({ data, width }: Props) {
  const id = useId()
  const { rows, series } = data
  const step = niceStep(Math.max(1, ...series.flatMap(({ values }) => values)))
  const most = step * Math.max(1, Math.ceil(Math.max(1, ...series.flatMap(({ values }) => values)) / step))
  const room = width - LEFT - 16
  // Columns stand in the middle of their part of the width, points at its ends.
  const xOf = (at: number) =>
    data.shape === 'columns' || rows.length < 2
      ? LEFT + ((at + 0.5) / rows.length) * room
      : LEFT + (at / (rows.length - 1)) * room
  const yOf = (value: number) => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM)
  const ticks = Array.from({ length: Math.round(most / step) + 1 }, (_, at) => at * step)
  const dates = axisDays(rows, Math.max(2, Math.min(MOST_DAYS, Math.floor(room / DAY_WIDTH))))
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label(data)}>
      <Marks id={id} count={series.length} />
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={width - 16} y1={yOf(tick)} y2={yOf(tick)} class="chart-grid" />
          <text x={LEFT - 8} y={yOf(tick) + 4} text-anchor="end" class="chart-axis">
            {AXIS_NUMBER.format(tick)}
          </text>
        </g>
      ))}
      {data.shape === 'columns' ? (
        <Columns id={id} data={data} all={width} xOf={xOf} yOf={yOf} />
      ) : (
        <Lines data={data} xOf={xOf} yOf={yOf} />
      )}
      {dates.map(({ at, text }) => (
        <text
          key={at}
          x={xOf(at)}
          y={HEIGHT - 6}
          text-anchor={rows.length === 1 ? 'middle' : at === 0 ? 'start' : at === rows.length - 1 ? 'end' : 'middle'}
          class="chart-axis"
        >
          {text}
        </text>
      ))}
    </svg>
  )
}

interface ColumnsProps {
  id: string
  /** The width of the drawing. */
  all: number
  data: ChartData
  xOf(at: number): number
  yOf(value: number): number
}

function Columns({ id, all, data: { rows, series }, xOf, yOf }: ColumnsProps) {
  const width = Math.max(1, (all - LEFT - 32) / Math.max(1, rows.length) / (series.length + 1))
  return (
    <>
      {series.map(({ name, values }, at) =>
        values.map((value, point) => {
          const left = xOf(point) + (at - series.length / 2) * width
          return (
            value > 0 && (
              <rect
                key={`${name}${rows[point]}`}
                x={left}
                y={yOf(value)}
                width={width}
                height={yOf(0) - yOf(value)}
                {...markOf(id, at)}
              >
                <title>{`${dayInWords(rows[point] ?? '')}, ${name}: ${value.toLocaleString()}`}</title>
              </rect>
            )
          )
        }),
      )}
    </>
  )
}

/** About four steps of 1, 2 or 5 times a power of ten. */
function niceStep(most: number) {
  const raw = most / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1)))
  return Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power)
}

/** What each mark means, with its name; a chart of one series needs none. */
export function Legend({ data: { series, shape } }: { data: ChartData }) {
  const id = useId()
  if (series.length < 2 || shape === 'pie') return null
  const isLines = shape === 'line' || shape === 'area'
  return (
    <ul class="chart-legend">
      {series.map(({ name }, at) => (
        <li key={name}>
          {isLines ? (
            <svg width="28" height="14" aria-hidden="true">
              <path d="M0 7H28" {...edgeOf(at)} />
            </svg>
          ) : (
            <svg width="14" height="14" aria-hidden="true">
              <Marks id={id} count={series.length} />
              <rect width="14" height="14" {...markOf(id, at)} />
            </svg>
          )}
          <bdi>{name || 'none'}</bdi>
        </li>
      ))}
    </ul>
  )
}
