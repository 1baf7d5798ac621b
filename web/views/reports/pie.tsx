import { useId } from 'preact/hooks'
import type { ChartData } from './chart-data.ts'
import { Marks, markOf } from './chart-marks.tsx'

/** More slices cannot be told apart. */
const MOST_SLICES = 6
const LARGEST_RADIUS = 88
const NARROW = 420

interface Slice {
  name: string
  value: number
}

/** The parts of one whole, the largest first; small ones are one. */
export function slicesOf({ rows, series, totals }: ChartData): Slice[] {
  const countOf = (row: number) => totals?.[row] ?? series.reduce((sum, { values }) => sum + (values[row] ?? 0), 0)
  const all = rows
    .map((name, row) => ({ name: name || 'none', value: countOf(row) }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value)
  if (all.length <= MOST_SLICES) return all
  const rest = all.slice(MOST_SLICES - 1)
  const value = rest.reduce((sum, slice) => sum + slice.value, 0)
  return [...all.slice(0, MOST_SLICES - 1), { name: `${rest.length} others`, value }]
}

/** Each slice has its name, number and share beside the circle, or below it where there is little room. */
export function Pie({ data, width, label }: { data: ChartData; width: number; label: string }) {
  const id = useId()
  const slices = slicesOf(data)
  const all = slices.reduce((sum, { value }) => sum + value, 0)
  const isNarrow = width < NARROW
  const radius = isNarrow ? LARGEST_RADIUS : Math.min(LARGEST_RADIUS, Math.round(width * 0.21))
  const [circle, names] = [2 * radius + 24, slices.length * 26 + 12]
  const height = isNarrow ? circle + names : Math.max(circle, names)
  const middle = isNarrow ? circle / 2 : height / 2
  const left = isNarrow ? 4 : 2 * radius + 28
  const top = isNarrow ? circle : height / 2 - (slices.length / 2) * 26
  let from = 0
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <Marks id={id} count={slices.length} />
      <g transform={`translate(${isNarrow ? width / 2 : radius + 8} ${middle})`}>
        {slices.map(({ name, value }, at) => {
          const to = from + value / all
          const path = sliceOf(radius, from, to)
          from = to
          return (
            <path key={name} d={path} {...markOf(id, at)}>
              <title>{`${name}: ${value}`}</title>
            </path>
          )
        })}
      </g>
      {slices.map(({ name, value }, at) => (
        <g key={name} transform={`translate(${left} ${top + at * 26})`}>
          <rect width="14" height="14" {...markOf(id, at)} />
          <text x="22" y="12">
            {cut(name, Math.floor((width - left - 122) / 8))}
            <tspan class="chart-number">{`  ${value.toLocaleString()}`}</tspan>
            <tspan class="chart-axis">{`  ${shareOf(value, all)}`}</tspan>
          </text>
        </g>
      ))}
    </svg>
  )
}

/** A slice from one share of the circle to another, beginning at the top. */
function sliceOf(radius: number, from: number, to: number) {
  const point = (share: number) => {
    const angle = share * 2 * Math.PI
    return `${(Math.sin(angle) * radius).toFixed(2)} ${(-Math.cos(angle) * radius).toFixed(2)}`
  }
  if (to - from > 0.9999)
    return `M0 ${-radius}A${radius} ${radius} 0 1 1 0 ${radius}A${radius} ${radius} 0 1 1 0 ${-radius}Z`
  return `M0 0L${point(from)}A${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${point(to)}Z`
}

function shareOf(value: number, all: number) {
  const percent = (100 * value) / all
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`
}

export function cut(text: string, most: number) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
