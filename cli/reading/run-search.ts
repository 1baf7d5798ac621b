import type { Context } from '../context.ts'
import { orNotHere } from '../failures/rest-failures.ts'
import { rowOf, tableLines } from '../text/table.ts'
import { type ListOptions, runList } from './run-list.ts'
import { shownValue } from './shown-value.ts'

/** `search --saved` lists the saved searches; everything else is a list. */
export async function runSearch(words: readonly string[], options: ListOptions, context: Context) {
  if (options.saved !== true) return runList(words, options, context)
  const { output, connect } = context
  const { client, name } = connect()
  const { saved_searches: searches } = await orNotHere(client.get('/saved_search'), name, 'a call for saved searches')
  const columns = ['name', 'owner', 'query'] as const
  const rows = searches.map((it) => [it.name, shownValue(it.owner), it.query])
  const table = () =>
    tableLines(
      columns,
      rows.map((row) => row.map((text) => ({ text }))),
      output.width,
    )
  await output.print({ saved_searches: searches }, output.isTerminal ? table() : rows.map(rowOf))
}
