// What a chart and its table show: the same numbers, once as marks and once as text.
import { hrefOf } from '../../core/router.ts'

export interface ChartData {
  title: string
  /** What the numbers say in a few words. */
  note?: string
  /** What the rows are, as the heading of their column. */
  rowTitle: string
  rows: readonly string[]
  /** The field that the rows are values of. */
  rowField?: string | undefined
  series: readonly Series[]
  seriesField?: string | undefined
  /** The number of bugs in each row; undefined where a sum would mean nothing. */
  totals: readonly number[] | undefined
  /** The number of bugs in each series, in the same order. */
  sums: readonly number[] | undefined
  /** The number of all bugs; undefined where they are not those of one search. */
  all: number | undefined
  /** The bugs of a cell, of a row (no series) or of a series (no row). */
  linkTo?: (row: number | undefined, series: number | undefined) => string | undefined
  shape: 'bars' | 'pie' | 'area' | 'line' | 'columns'
}

export interface Series {
  name: string
  values: readonly number[]
}

/** The bugs of a search with one more condition for each field; undefined where it cannot be said in an address. */
export function bugsWith(search: URLSearchParams, values: readonly (readonly [string, string])[]): string | undefined {
  const all = new URLSearchParams(search)
  for (const [index, [field, value]] of values.entries()) {
    if (value !== '' && value !== '---' && !PEOPLE.has(field)) all.set(field, value)
    else if (search.has('j_top')) return undefined
    else addCondition(all, 901 + index, field, value === '' || value === '---' ? 'isempty' : 'equals', value)
  }
  return hrefOf(`/bugs?${all}`)
}

/** These are searched by parts of a name, so that only a condition finds exactly one person. */
export const PEOPLE: ReadonlySet<string> = new Set(['assigned_to', 'creator', 'qa_contact'])

export function addCondition(search: URLSearchParams, place: number, field: string, operator: string, value: string) {
  search.set(`f${place}`, field)
  search.set(`o${place}`, operator)
  search.set(`v${place}`, value)
}

/** Whether there is nothing to draw. */
export function isEmpty({ rows, all }: ChartData) {
  return rows.length === 0 || all === 0
}

/** More stacked parts cannot be told apart. */
const MOST_STACKED = 6

/** The same with the small columns of a table as one, for a drawing. Its table has all of them. */
export function drawnData(data: ChartData): ChartData {
  const { series, shape } = data
  if (shape !== 'bars' || series.length <= MOST_STACKED) return data
  const sumOf = ({ values }: Series) => values.reduce((sum, value) => sum + value, 0)
  const largest = new Set([...series].sort((one, other) => sumOf(other) - sumOf(one)).slice(0, MOST_STACKED - 1))
  const rest = series.filter((one) => !largest.has(one))
  const others: Series = {
    name: `${rest.length} others`,
    values: data.rows.map((_, row) => rest.reduce((sum, { values }) => sum + (values[row] ?? 0), 0)),
  }
  return { ...data, series: [...series.filter((one) => largest.has(one)), others] }
}
