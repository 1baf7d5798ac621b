import { parametersOfSaved } from '../../people/saved-searches/find-saved-search.ts'
import { errors } from '../../platform/errors.ts'
import { type RequestParams, readInteger } from '../../platform/wire/params.ts'
import { isSortable } from '../listing/order.ts'
import type { SearchContext } from '../search-context.ts'
import { requireSmall } from '../search-limits.ts'
import { parseCharts, parseOldCharts } from './parse-charts.ts'
import { parseFields } from './parse-fields.ts'
import { parseOrder } from './parse-order.ts'
import { parseChanges, parseDeadlines, parseEmails } from './parse-special.ts'
import { everyBug, type Query, type Search } from './query.ts'
import { quicksearch } from './quicksearch.ts'
import { SearchParams } from './search-params.ts'

/** A search that was read from parameters. */
export interface ParsedSearch extends Search {
  /** Unknown parameters. */
  readonly ignored: readonly string[]
  /** The columns that the saved search was saved with. */
  readonly savedColumns: unknown
}

/** Parameters about the response, and parameters that forms and clients send along. */
const NOT_ABOUT_BUGS = [
  'limit',
  'offset',
  'cursor',
  'count_only',
  'with_total',
  'explain',
  'include_fields',
  'exclude_fields',
  'ctype',
  'query_format',
  'columnlist',
  'list_id',
  'known_name',
  'query_based_on',
  'cmdtype',
  'remaction',
  'namedcmd',
  'title',
  'x_axis_field',
  'y_axis_field',
  'z_axis_field',
] as const

/**
 * Reads the parameters of a search; all criteria must hold. Error 1000 if there are none and there must be some. A search that is too large
 * is refused here, whatever it is read for: a list, a count, a report, a series or a mail.
 */
export async function readSearch(context: SearchContext, rawParams: RequestParams): Promise<ParsedSearch> {
  const params = new SearchParams(rawParams)
  for (const name of NOT_ABOUT_BUGS) params.take(name)
  const saved = await savedIn(context, params)
  const parts = [...(saved ? [saved.where] : []), ...(await partsOf(context, params))]
  const where = parts.length === 1 && parts[0] !== undefined ? parts[0] : parts.length === 0 ? everyBug : { all: parts }
  requireSmall(where)
  const order = parseOrder(params.takeFilled('order'))
  const sortable = order.filter(({ column }) => isSortable(context, where, column))
  const unknown = params.left
  if (parts.length === 0) requireMeaning(context, unknown)
  return {
    where,
    order: order.length === 0 ? (saved?.order ?? []) : sortable,
    ignored: [...unknown, ...(sortable.length < order.length ? ['order'] : [])],
    savedColumns: saved?.savedColumns,
  }
}

function requireMeaning({ settings }: SearchContext, unknown: readonly string[]) {
  if (unknown.length > 0) throw errors.nothing_known_asked({ names: unknown })
  if (!settings.search_allow_no_criteria) throw errors.nothing_asked()
}

async function partsOf(context: SearchContext, params: SearchParams): Promise<Query[]> {
  const lines = params.take('quicksearch')
  return [
    ...(await Promise.all(lines.map((line) => quicksearch(context, line)))),
    ...parseEmails(context, params),
    ...parseChanges(context, params),
    ...parseDeadlines(context, params),
    ...parseOldCharts(context, params),
    ...parseCharts(context, params),
    ...parseFields(context, params),
  ]
}

/** A saved search of the caller or a shared one, with its order and columns. */
async function savedIn(context: SearchContext, params: SearchParams): Promise<ParsedSearch | undefined> {
  const [sharer] = params.takeFilled('sharer_id')
  const [name] = params.takeFilled('savedsearch')
  if (name === undefined) return undefined
  const sharerId = sharer === undefined ? undefined : readInteger('sharer_id', sharer)
  const saved = await parametersOfSaved(context, name, sharerId)
  // The pages save `columns`, and Bugzilla saved `columnlist`.
  return { ...(await readSearch(context, saved)), savedColumns: saved.columns ?? saved.columnlist }
}
