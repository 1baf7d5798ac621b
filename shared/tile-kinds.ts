// What a tile of a dashboard can show, and how it can be drawn, for the server and for the pages.

/** Each kind of tile with the ways to draw it; the first is the usual one. */
const TILE_CHARTS = [
  ['table', ['bars', 'pie', 'table']],
  ['over_time', ['area', 'line', 'table']],
  ['flow', ['columns', 'line', 'table']],
  ['burn_up', ['area', 'line', 'table']],
  ['age', ['bars', 'table']],
  ['time_to_close', ['bars', 'table']],
  ['load', ['bars', 'table']],
  ['list', ['list']],
  ['count', ['number']],
] as const

export type TileKind = (typeof TILE_CHARTS)[number][0]
export type TileChart = (typeof TILE_CHARTS)[number][1][number]

export const TILE_KINDS: readonly TileKind[] = TILE_CHARTS.map(([kind]) => kind)

/** The ways to draw a kind of tile; none for an unknown kind. */
export function chartsOf(kind: string): readonly TileChart[] {
  return TILE_CHARTS.find(([name]) => name === kind)?.[1] ?? []
}

export const MOST_TILES = 24
/** The columns of a dashboard on a wide screen. */
export const MOST_COLUMNS = 3
