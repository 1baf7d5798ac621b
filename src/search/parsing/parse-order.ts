import { dictionary } from '../../platform/text/dictionary.ts'
import { requireFewColumns } from '../search-limits.ts'
import type { Sort } from './query.ts'

/** The columns to sort by: separated by commas, each optionally followed by ASC or DESC; or the name of an order. */
export function parseOrder(input: readonly string[]): Sort[] {
  const sorts = input.flatMap((list) => (PRESETS[list.trim().toLowerCase()] ?? list).split(',').flatMap(sortIn))
  const columns = new Map<string, Sort>()
  // A repeated column has no effect.
  for (const sort of sorts) if (!columns.has(sort.column)) columns.set(sort.column, sort)
  requireFewColumns(columns.size)
  return [...columns.values()]
}

const PRESETS: Readonly<Record<string, string>> = dictionary({
  'bug number': 'bug_id',
  importance: 'priority,bug_severity',
  assignee: 'assigned_to,bug_status,priority,bug_id',
  'last changed': 'changeddate,bug_status,priority,assigned_to,bug_id',
})

function sortIn(input: string): Sort[] {
  const [column = '', direction = ''] = input.trim().split(/\s+/)
  // compat: older URLs also name the table.
  const name = column.replace(/^(?:bugs|map_\w+)\./, '')
  return name === '' ? [] : [{ column: name, descending: /^desc$/i.test(direction) }]
}
