// The kinds of reports, and what the address of the page says about one. The address has everything, so that it can be shared and saved.
import { AXES, searchOfReport } from '../../../shared/report-search.ts'
import type { TileKind } from '../../../shared/tile-kinds.ts'

export const KINDS = [
  { value: 'table', name: 'Table of values' },
  { value: 'over_time', name: 'Open over time' },
  { value: 'flow', name: 'Created and resolved' },
  { value: 'burn_up', name: 'Burn-up' },
  { value: 'age', name: 'Age of open bugs' },
  { value: 'time_to_close', name: 'Time to close' },
  { value: 'load', name: 'Load per person' },
] as const satisfies readonly { value: TileKind; name: string }[]

export type ReportKind = (typeof KINDS)[number]['value']

export function kindIn(query: URLSearchParams): ReportKind {
  return KINDS.find(({ value }) => value === query.get('kind'))?.value ?? 'table'
}

/** Whether the report has points in time. */
export function isOverTime(kind: ReportKind) {
  return kind === 'over_time' || kind === 'flow' || kind === 'burn_up'
}

/** Which bugs are counted; all of them without a search. */
export function searchIn(query: URLSearchParams): URLSearchParams {
  return searchOfReport(kindIn(query), query)
}

/** The parameters of the call of a kind that the address has. */
export function withOwn(search: URLSearchParams, query: URLSearchParams, names: readonly string[]): URLSearchParams {
  const all = new URLSearchParams(search)
  for (const name of names) {
    const value = query.get(name)
    if (value) all.set(name, value)
  }
  return all
}

/** The fields of the axes: rows are y, columns are x, tables are z. */
export function axesOf(query: URLSearchParams): URLSearchParams {
  const axes = new URLSearchParams()
  if (kindIn(query) === 'load') return new URLSearchParams({ x_axis_field: 'status', y_axis_field: 'assigned_to' })
  for (const name of AXES) if (query.get(name)) axes.set(name, query.get(name) ?? '')
  if (axes.size === 0) axes.set('y_axis_field', 'status')
  return axes
}
