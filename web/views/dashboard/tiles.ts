// The tiles of a dashboard: what they are, how they are moved, and those that a new dashboard can begin with.
import type { AnswerAt } from '../../../client/call-types.ts'
import type { dashboardCall } from '../../../shared/first-calls.ts'
import { MOST_COLUMNS, type TileKind } from '../../../shared/tile-kinds.ts'
import { KINDS } from '../reports/report-kinds.ts'
import { type DashboardFilters, narrowed } from './narrowed.ts'

export type Dashboard = AnswerAt<ReturnType<typeof dashboardCall>>['dashboards'][number]
export type Tile = Dashboard['tiles'][number]

/** A tile with a number of its own, which stays when it is moved. */
export interface PlacedTile {
  key: number
  tile: Tile
}

let keys = 0

/** Tiles that were there before keep their numbers, so that they are not drawn anew. */
export function placed(tiles: readonly Tile[], before: readonly PlacedTile[] = []): PlacedTile[] {
  const known = Map.groupBy(before, ({ tile }) => JSON.stringify(tile))
  return tiles.map((tile) => ({ key: known.get(JSON.stringify(tile))?.shift()?.key ?? ++keys, tile }))
}

export function newTile(tile: Tile): PlacedTile {
  return { key: ++keys, tile }
}

/** The tile at another place; the others close up. */
export function moved(tiles: readonly PlacedTile[], key: number, to: number): readonly PlacedTile[] {
  const from = tiles.findIndex((it) => it.key === key)
  const tile = tiles[from]
  if (tile === undefined || to < 0 || to >= tiles.length || to === from) return tiles
  return tiles.toSpliced(from, 1).toSpliced(to, 0, tile)
}

export function resized(tiles: readonly PlacedTile[], key: number, by: 1 | -1): readonly PlacedTile[] {
  const widthOf = ({ width }: Tile) => Math.min(MOST_COLUMNS, Math.max(1, width + by))
  return tiles.map((it) => (it.key === key ? { key, tile: { ...it.tile, width: widthOf(it.tile) } } : it))
}

/** What a tile can show. */
export const TILE_KIND_NAMES: readonly { value: TileKind; name: string }[] = [
  ...KINDS,
  { value: 'list', name: 'List of bugs' },
  { value: 'count', name: 'Number of bugs' },
]

export const CHART_NAMES: ReadonlyMap<string, string> = new Map([
  ['bars', 'Bars'],
  ['pie', 'Pie'],
  ['area', 'Area'],
  ['line', 'Lines'],
  ['columns', 'Columns'],
  ['table', 'Table only'],
  ['list', 'List'],
  ['number', 'Number'],
])

/** The state of a team in one look. */
export function usualTiles(product: string): Tile[] {
  const tile = (title: string, kind: TileKind, chart: string, more: Record<string, string> = {}): Tile => {
    const bugs: Record<string, string> =
      product !== '' ? { product } : 'bug_status' in more ? {} : { quicksearch: 'ALL' }
    return { title, kind, chart, width: 1, query: new URLSearchParams({ ...bugs, ...more }).toString() }
  }
  const open = { bug_status: '__open__' }
  return [
    tile('Open over time', 'over_time', 'area'),
    tile('Created and resolved', 'flow', 'columns', { from: '-12w' }),
    tile('Age of open bugs', 'age', 'bars'),
    tile('Open by component and severity', 'table', 'table', {
      ...open,
      y_axis_field: 'component',
      x_axis_field: 'severity',
    }),
    tile('Load per person', 'load', 'bars'),
    tile('Open by priority', 'table', 'pie', { ...open, y_axis_field: 'priority' }),
  ]
}

/** The parameters of a tile as those of the page of reports. Filters and day of the whole dashboard are added. */
export function reportQueryOf({ kind, chart, query }: Tile, asOf: string, filters: DashboardFilters): URLSearchParams {
  const parameters = narrowed(new URLSearchParams(query), filters)
  parameters.set('kind', kind)
  parameters.set('chart', chart)
  if (asOf !== '') parameters.set(kind === 'table' || kind === 'age' || kind === 'load' ? 'as_of' : 'to', asOf)
  return parameters
}
