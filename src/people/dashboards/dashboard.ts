import { chartsOf, MOST_COLUMNS, type TileChart, type TileKind } from '../../../shared/tile-kinds.ts'
import { errors } from '../../platform/errors.ts'
import { isOneLine } from '../../platform/text/one-line.ts'
import { readInteger, readText } from '../../platform/wire/params.ts'
import { parametersIn, queryIn } from '../saved-searches/saved-search.ts'

/** One part of a dashboard: a report, or a search as a list or a number. Each reader counts with their own rights. */
export interface Tile {
  title: string
  kind: TileKind
  chart: TileChart
  /** In columns. */
  width: number
  /** Parameters of the report or search in the form of a URL query string. */
  query: string
}

export interface DashboardEdit {
  name: string
  tiles: readonly Tile[]
}

export interface Dashboard extends DashboardEdit {
  id: number
  owner_id: number
  owner: string
  /** Grows with every change. */
  version: number
  /** The groups whose members may read it. */
  groupIds: readonly number[]
}

export const MOST_GROUPS = 20
/** An address has room for it. */
export const LONGEST_TILE_QUERY = 5000
const LONGEST_TITLE = 80
const SHOWN_CHARACTERS = 200
const TILE_FIELDS: readonly string[] = ['title', 'kind', 'chart', 'width', 'query']

/** The tiles as a request has them. */
export function readTiles(given: unknown): Tile[] {
  if (!Array.isArray(given)) throw wrong('tiles', given, 'it must be a list of objects')
  return given.map(readTile)
}

function readTile(given: unknown): Tile {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrong('tiles', given, 'it must be a list of objects')
  const parts = new Map(Object.entries(given))
  const unknown = [...parts.keys()].find((name) => !TILE_FIELDS.includes(name))
  if (unknown !== undefined) throw wrong('tiles', unknown, `a tile has only ${TILE_FIELDS.join(', ')}`)
  const textOf = (name: string) => readText(`tiles.${name}`, parts.get(name) ?? '').trim()
  const { kind, chart } = readKind(textOf('kind'), textOf('chart'))
  return {
    title: readTitle(textOf('title')),
    kind,
    chart,
    width: readWidth(parts.get('width') ?? 1),
    query: readQuery(textOf('query')),
  }
}

function readTitle(title: string) {
  if (title === '') throw errors.parameter_required({ name: 'tiles.title' })
  if (title.length > LONGEST_TITLE || !isOneLine(title))
    throw wrong('tiles.title', title, `it must be one line of at most ${LONGEST_TITLE} characters`)
  return title
}

function readKind(kind: string, chart: string): Pick<Tile, 'kind' | 'chart'> {
  const charts = chartsOf(kind)
  const [usual] = charts
  if (usual === undefined) throw wrong('tiles.kind', kind, 'there is no such kind of tile')
  const chosen = chart === '' ? usual : charts.find((one) => one === chart)
  if (chosen === undefined)
    throw wrong('tiles.chart', chart, `a tile of the kind ${kind} is drawn as ${charts.join(', ')}`)
  return { kind: kind as TileKind, chart: chosen }
}

function readWidth(given: unknown) {
  const width = readInteger('tiles.width', given)
  if (width < 1 || width > MOST_COLUMNS) throw wrong('tiles.width', width, `it must be from 1 to ${MOST_COLUMNS}`)
  return width
}

/** A saved search is not named in it: it would be another one for each reader, or none. */
function readQuery(given: string) {
  if (given.length > LONGEST_TILE_QUERY)
    throw wrong('tiles.query', given, `it must have at most ${LONGEST_TILE_QUERY} characters`)
  const query = queryIn(given)
  if (query === '') throw errors.parameter_required({ name: 'tiles.query' })
  if ('savedsearch' in parametersIn(query))
    throw wrong('tiles.query', query, 'a tile cannot use a saved search: give its parameters instead of savedsearch')
  return query
}

function wrong(name: string, value: unknown, right: string) {
  return errors.bad_value({ name, value: typeof value === 'string' ? value.slice(0, SHOWN_CHARACTERS) : value, right })
}

/** The stored tiles with each query changed; the same text if none of them changes. */
export function withQueriesChanged(tiles: string, changed: (query: string) => string): string {
  const before = tilesIn(tiles)
  const after = before.map((tile) => ({ ...tile, query: changed(tile.query) }))
  return after.every(({ query }, at) => query === before[at]?.query) ? tiles : JSON.stringify(after)
}

export function tilesIn(stored: string): Tile[] {
  return JSON.parse(stored) as Tile[]
}
