import { ScrollRegion } from '../../../parts/scroll-region.tsx'
import type { Step, WorkflowState } from './workflow-state.ts'

interface Props {
  state: WorkflowState
  stepOf(from: string | null, to: string): Step
}

const WIDTH = 720
const ROW = 44
const BOX = { width: 150, height: 26 }
const TOP = 12

/** The same as a picture: statuses under each other in their order, steps forward at the right and steps back at the left. */
export function WorkflowDiagram({ state, stepOf }: Props) {
  const nodes = ['New bug', ...state.statuses.filter(({ isActive }) => isActive).map(({ name }) => name)]
  const edges = nodes.flatMap((from, start) =>
    nodes.flatMap((to, end) => {
      if (end === 0 || start === end) return []
      const step = stepOf(start === 0 ? null : from, to)
      return step === 'no' ? [] : [{ start, end, isDashed: step === 'with a comment' }]
    }),
  )
  const open = new Set(state.statuses.filter(({ isOpen }) => isOpen).map(({ name }) => name))
  const middle = WIDTH / 2
  const yOf = (place: number) => TOP + place * ROW + BOX.height / 2
  return (
    <figure class="card workflow-figure">
      <figcaption class="faint small">
        The steps as a picture; the table above has the same. Dashed: with a comment. Double frame: closed.
      </figcaption>
      <ScrollRegion class="workflow-picture" label="The steps as a picture">
        <svg viewBox={`0 0 ${WIDTH} ${TOP * 2 + nodes.length * ROW}`} aria-hidden="true" class="workflow-diagram">
          <defs>
            <marker
              id="workflow-arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          {edges.map(({ start, end, isDashed }) => {
            const side = end > start ? 1 : -1
            const x = middle + (side * BOX.width) / 2
            const bend = x + side * Math.min(240, 30 + Math.abs(end - start) * 34)
            return (
              <path
                key={`${start} ${end}`}
                class={isDashed ? 'workflow-edge is-dashed' : 'workflow-edge'}
                d={`M${x} ${yOf(start) + 4 * side} C${bend} ${yOf(start)} ${bend} ${yOf(end)} ${x} ${yOf(end) - 4 * side}`}
                marker-end="url(#workflow-arrow)"
              />
            )
          })}
          {nodes.map((name, place) => {
            const [x, y] = [middle - BOX.width / 2, TOP + place * ROW]
            const isClosed = place > 0 && !open.has(name)
            return (
              <g key={name} class="workflow-node">
                <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="6" />
                {isClosed && <rect x={x + 3} y={y + 3} width={BOX.width - 6} height={BOX.height - 6} rx="4" />}
                <text x={middle} y={y + 17} text-anchor="middle">
                  {name.length > 18 ? `${name.slice(0, 17)}…` : name}
                </text>
              </g>
            )
          })}
        </svg>
      </ScrollRegion>
    </figure>
  )
}
