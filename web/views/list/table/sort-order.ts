// The columns that a list is sorted by, as the parameter `order` has them.

export interface SortColumn {
  column: string
  isDescending: boolean
}

/** What one looks for is usually at the end of these. */
const NEWEST_FIRST = new Set(['changeddate', 'opendate', 'delta_ts', 'creation_ts', 'bug_id'])
export const USUAL_ORDER = 'changeddate DESC'

export function readOrder(order: string | null): SortColumn[] {
  return (order || USUAL_ORDER).split(',').flatMap((part) => {
    const [column = '', direction = ''] = part.trim().split(/\s+/)
    return column === '' ? [] : [{ column, isDescending: direction.toUpperCase() === 'DESC' }]
  })
}

export function writeOrder(columns: readonly SortColumn[]): string {
  return columns.map(({ column, isDescending }) => (isDescending ? `${column} DESC` : column)).join(',')
}

/** A click sorts by this column alone, a second one the other way round; with `isSecond` it comes after those already chosen. */
export function sortedBy(order: readonly SortColumn[], column: string, isSecond: boolean): SortColumn[] {
  const now = order.find((it) => it.column === column)
  const next = { column, isDescending: now === undefined ? NEWEST_FIRST.has(column) : !now.isDescending }
  if (!isSecond) return [next]
  return now === undefined ? [...order, next] : order.map((it) => (it.column === column ? next : it))
}
