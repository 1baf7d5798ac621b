// Which bugs a report or a tile counts, for the pages, which ask for the numbers, and for the server, which checks tiles before they are saved.
import { searchOf } from './first-calls.ts'

export const AXES = ['x_axis_field', 'y_axis_field', 'z_axis_field'] as const

/** The parameters of a report that are not about its bugs. */
const REPORT_PARAMETERS = [
  ...['kind', 'chart', 'from', 'to', 'interval', 'as_of', 'with_totals', 'in_parts', 'series', 'order'],
  ...AXES,
]

/** What Bugzilla's form sends about the drawing. */
export const OLD_FORM_PARAMETERS = [
  ...['format', 'action', 'width', 'height', 'cumulate', 'query_format', 'title', 'x_labels_vertical'],
  ...['saved_report_id', 'ctype'],
]

/** Which bugs are counted; all of them without a search. */
export function searchOfReport(kind: string, query: URLSearchParams): URLSearchParams {
  const search = searchOf(query)
  for (const name of [...REPORT_PARAMETERS, ...OLD_FORM_PARAMETERS]) search.delete(name)
  if (kind === 'load') search.set('bug_status', '__open__')
  if (search.size === 0) search.set('quicksearch', 'ALL')
  return search
}
