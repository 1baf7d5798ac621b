// The fills of a chart. Colour never tells alone: every second mark is hatched, each in another direction.

const COLOURS = 6

/** The patterns of hatched marks. */
export function Marks({ id, count }: { id: string; count: number }) {
  return (
    <defs>
      {Array.from({ length: count }, (_, at) => (
        <pattern
          key={at}
          id={`${id}-${at}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${at * 45})`}
        >
          <rect width="6" height="6" class="chart-ground" />
          <rect width="3" height="6" class={`chart-fill-${(at % COLOURS) + 1}`} />
        </pattern>
      ))}
    </defs>
  )
}

/** The first mark is plain; of the others each second one is hatched. */
export function markOf(id: string, at: number) {
  return at % 2 === 0
    ? { class: `chart-mark chart-fill-${(at % COLOURS) + 1}` }
    : { class: `chart-mark chart-edge-${(at % COLOURS) + 1}`, fill: `url(#${id}-${at})` }
}

const DASHES = ['', '6 4', '2 3', '10 3 2 3', '14 4', '1 5']

/** The first line is whole, and each other one has a dash of its own. */
export function edgeOf(at: number) {
  return {
    class: `chart-line chart-edge-${(at % COLOURS) + 1}`,
    'stroke-dasharray': DASHES[(at + Math.floor(at / COLOURS)) % DASHES.length] || 'none',
  }
}
