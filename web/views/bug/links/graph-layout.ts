// The positions of the boxes of a dependency graph. There is one row for each step: blocked bugs above, the bugs that they depend on below.

export interface GraphBug {
  id: number
  summary: string
  status: string
  resolution: string
  is_open: boolean
  steps: number
}

export interface Graph {
  id: number
  is_complete: boolean
  bugs: GraphBug[]
  links: { from: number; to: number }[]
}

export const WIDTH = 264
export const HEIGHT = 48
const GAP_X = 24
const GAP_Y = 56
const MARGIN = 8

export interface GraphLayout {
  nodes: { bug: GraphBug; x: number; y: number }[]
  edges: { key: string; path: string }[]
  width: number
  height: number
}

export function layOutGraph(graph: Graph): GraphLayout {
  const levels = levelsOf(graph)
  const rows = Map.groupBy(graph.bugs, ({ id }) => levels.get(id) ?? 0)
  const order = [...rows.keys()].sort((one, other) => one - other)
  const places = new Map<number, { x: number; y: number }>()
  const widest = Math.max(...[...rows.values()].map(({ length }) => length))
  const width = widest * (WIDTH + GAP_X) - GAP_X + 2 * MARGIN
  for (const [row, level] of order.entries()) {
    const bugs = arranged(rows.get(level) ?? [], graph, places)
    const left = (width - (bugs.length * (WIDTH + GAP_X) - GAP_X)) / 2
    for (const [column, { id }] of bugs.entries())
      places.set(id, { x: left + column * (WIDTH + GAP_X), y: MARGIN + row * (HEIGHT + GAP_Y) })
  }
  return {
    nodes: graph.bugs.flatMap((bug) => {
      const at = places.get(bug.id)
      return at === undefined ? [] : [{ bug, ...at }]
    }),
    edges: graph.links.flatMap(({ from, to }) => {
      const [start, end] = [places.get(from), places.get(to)]
      return start === undefined || end === undefined ? [] : [{ key: `${from} ${to}`, path: curve(start, end) }]
    }),
    width,
    height: order.length * (HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN,
  }
}

/** The row of each bug, by its longest path from the first bug, so that all arrows lead downwards. */
function levelsOf({ id, links }: Graph): Map<number, number> {
  const levels = new Map([[id, 0]])
  const walk = (from: number, step: 1 | -1, path: ReadonlySet<number>) => {
    const level = (levels.get(from) ?? 0) + step
    for (const link of links) {
      const [start, next] = step === 1 ? [link.from, link.to] : [link.to, link.from]
      if (start !== from || path.has(next)) continue
      const known = levels.get(next)
      if (known !== undefined && known * step >= level * step) continue
      levels.set(next, level)
      walk(next, step, new Set([...path, next]))
    }
  }
  walk(id, 1, new Set([id]))
  walk(id, -1, new Set([id]))
  return levels
}

/** By the mean position of the neighbours that are already placed, which avoids most crossings. */
function arranged(bugs: readonly GraphBug[], { links }: Graph, places: ReadonlyMap<number, { x: number }>) {
  const mean = ({ id }: GraphBug) => {
    const near = links.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : []))
    const xs = near.flatMap((other) => places.get(other)?.x ?? [])
    return xs.length === 0 ? 0 : xs.reduce((sum, x) => sum + x, 0) / xs.length
  }
  return bugs.toSorted((one, other) => mean(one) - mean(other) || one.id - other.id)
}

function curve(start: { x: number; y: number }, end: { x: number; y: number }) {
  const isDown = end.y >= start.y
  const [x1, y1] = [start.x + WIDTH / 2, start.y + (isDown ? HEIGHT : 0)]
  const [x2, y2] = [end.x + WIDTH / 2, end.y + (isDown ? 0 : HEIGHT)]
  const middle = (y1 + y2) / 2
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`
}
