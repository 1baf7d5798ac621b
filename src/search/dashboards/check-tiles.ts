import { AXES, searchOfReport } from '../../../shared/report-search.ts'
import type { Tile } from '../../people/dashboards/dashboard.ts'
import { parametersIn } from '../../people/saved-searches/saved-search.ts'
import { aboutField } from '../../platform/about-field.ts'
import { errors } from '../../platform/errors.ts'
import { isTurnLong, laterTurn } from '../../platform/monitoring/event-loop.ts'
import { compile } from '../conditions/compile.ts'
import { readSearch } from '../parsing/parse-url.ts'
import { axesIn, type WantedAxes } from '../reports/make-report.ts'
import { momentOf, pointsIn, readPeriod } from '../reports/report-days.ts'
import type { SearchContext } from '../search-context.ts'

/**
 * Throws the error that a tile would have for its owner. Tiles that were there before are not checked: a field or a right that was lost since
 * must not keep the others from being arranged.
 */
export async function requireCountableTiles(context: SearchContext, tiles: readonly Tile[], before: readonly Tile[]) {
  const known = new Set(before.map(keyOf))
  for (const tile of tiles) {
    if (known.has(keyOf(tile))) continue
    if (isTurnLong()) await laterTurn(context.db.limits.caller)
    await aboutField('tiles.query', () => requireCountable(context, tile))
    known.add(keyOf(tile))
  }
}

function keyOf({ kind, query }: Tile) {
  return `${kind} ${query}`
}

async function requireCountable(context: SearchContext, { kind, query }: Tile) {
  const parameters = new URLSearchParams(query)
  requireReport(context, kind, parameters)
  const search = parametersIn(searchOfReport(kind, parameters).toString())
  const { where, ignored } = await readSearch(context, search)
  const [unknown] = ignored
  if (unknown !== undefined) throw errors.not_searchable({ name: unknown })
  await compile(context, where)
}

/** What a report has besides its bugs: days and axes. */
function requireReport(context: SearchContext, kind: Tile['kind'], parameters: URLSearchParams) {
  const given = (name: string) => parameters.get(name) || undefined
  const { now } = context
  const period = { from: given('from'), to: given('to'), interval: given('interval') }
  if (kind === 'over_time' || kind === 'flow' || kind === 'burn_up') pointsIn(readPeriod(period, now))
  if (kind === 'time_to_close') readPeriod({ from: period.from, to: period.to }, now)
  if (kind !== 'table' && kind !== 'load' && kind !== 'age') return
  const at = momentOf('as_of', given('as_of'), now)
  // Without an axis, a table is drawn by status.
  if (kind === 'table' && AXES.some(given)) axesIn(context, axesFrom(given), at)
}

function axesFrom(given: (name: string) => string | undefined): WantedAxes {
  const [x, y, z] = AXES.map(given)
  return { ...(x !== undefined && { x }), ...(y !== undefined && { y }), ...(z !== undefined && { z }) }
}
