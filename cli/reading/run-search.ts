import type { Context } from '../context.ts'
import { rowOf, tableLines } from '../text/table.ts'
import { type ListOptions, runList } from './run-list.ts'
import { savedSearches } from './saved-searches.ts'
import { shownValue } from './shown-value.ts'

/** `search --saved` lists the saved searches; everything else is a list. */
export async function runSearch(words: readonly string[], options: ListOptions, context: Context) {
  if (options.saved !== true) return runList(words, options, context)
  const { output, connect } = context
  const searches = await savedSearches(connect())
  const columns = ['name', 'owner', 'query'] as const
  const rows = searches.map((it) => [it.name, it.owner, it.query].map(shownValue))
  const table = () =>
    tableLines(
      columns,
      rows.map((row) => row.map((text) => ({ text }))),
      output.width,
    )
  if (rows.length === 0) output.note('There are no saved searches.')
  await output.print({ saved_searches: searches }, output.isTerminal && rows.length > 0 ? table() : rows.map(rowOf))
}
