// The fills of a chart. Colour never tells alone: each of the six has a pattern of its own, of which the first is plain.

const COLOURS = 6
const SIZE = 6

/** The patterns of the marks but the first: stripes both ways, dots, lines and a grid. */
export function Marks({ id, count }: { id: string; count: number }) {
  return (
    <defs>
      {Array.from({ length: count }, (_, at) => (
        <pattern
          key={at}
          id={`${id}-${at}`}
          width={SIZE}
          height={SIZE}
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${TURNS[at % COLOURS] ?? 0})`}
        >
          <rect width={SIZE} height={SIZE} class="chart-ground" />
          <Figure at={at % COLOURS} />
        </pattern>
      ))}
    </defs>
  )
}

const TURNS = [0, 45, 0, 135, 90, 0]
const DOTS = 2
const GRID = 5

function Figure({ at }: { at: number }) {
  const fill = `chart-fill-${at + 1}`
  if (at === DOTS) return <circle cx={SIZE / 2} cy={SIZE / 2} r="1.8" class={fill} />
  if (at === GRID) return <path d="M0 0H6V1.5H1.5V6H0Z" class={fill} />
  return <rect width={SIZE / 2} height={SIZE} class={fill} />
}

export function markOf(id: string, at: number) {
  const colour = (at % COLOURS) + 1
  return at % COLOURS === 0
    ? { class: `chart-mark chart-fill-${colour}` }
    : { class: `chart-mark chart-edge-${colour}`, fill: `url(#${id}-${at})` }
}

const DASHES = ['', '6 4', '2 3', '10 3 2 3', '14 4', '1 5']

/** The first line is whole, and each other one has a dash of its own. */
export function edgeOf(at: number) {
  return {
    class: `chart-line chart-edge-${(at % COLOURS) + 1}`,
    'stroke-dasharray': DASHES[(at + Math.floor(at / COLOURS)) % DASHES.length] || 'none',
  }
}
