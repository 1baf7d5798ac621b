// Lines over time. Each has a dash and a colour of its own, and a point where it ends, so that a single number is seen too.
import type { ChartData } from './chart-data.ts'
import { edgeOf } from './chart-marks.tsx'
import { apart } from './label-places.ts'
import { cut } from './pie.tsx'

/** More names at the ends of lines would cover each other; the legend has them all. */
const MOST_LABELS = 4
const LONGEST_LABEL = 32
/** Above it, the drawing would cut off the label of a line that ends at the top. */
const HIGHEST_LABEL = 11

interface Props {
  data: ChartData
  xOf(at: number): number
  yOf(value: number): number
}

export function Lines({ data: { series, shape, all }, xOf, yOf }: Props) {
  const labels = apart(series.map(({ values }) => Math.max(yOf(values.at(-1) ?? 0) - 8, HIGHEST_LABEL)))
  const isLabelled = series.length <= MOST_LABELS
  return (
    <>
      {series.map(({ name, values }, at) => {
        const end = values.length - 1
        const value = values[end] ?? 0
        const line = values.map((each, point) => `${point === 0 ? 'M' : 'L'}${xOf(point)} ${yOf(each)}`).join('')
        // The names of series are those that somebody gave them.
        const words = all === undefined ? cut(name, LONGEST_LABEL) : name.toLowerCase()
        return (
          <g key={name}>
            {at === 0 && shape === 'area' && (
              <path d={`${line}L${xOf(end)} ${yOf(0)}L${xOf(0)} ${yOf(0)}Z`} class="chart-area" />
            )}
            <path d={line} {...edgeOf(at)} />
            <circle cx={xOf(end)} cy={yOf(value)} r="3.5" class={`chart-fill-${(at % 6) + 1}`} />
            {isLabelled && (
              <text
                x={xOf(end)}
                y={labels[at]}
                text-anchor={values.length === 1 ? 'middle' : 'end'}
                class="chart-number"
              >
                {`${value.toLocaleString()} ${words}`}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}
