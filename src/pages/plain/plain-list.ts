import type { Static } from '@sinclair/typebox'
import { LATEST_CALL, listCall, ROWS_AT_ONCE } from '../../../shared/first-calls.ts'
import { firstPlainRow } from '../../../shared/parts-of-pages.ts'
import type { Bug as BugSchema } from '../../bugs/reading/bug-schema.ts'
import { type Html, html, timeOf } from './html.ts'
import type { PlainPage, PlainSource } from './plain-source.ts'

type Row = Pick<Static<typeof BugSchema>, 'id' | 'summary' | 'status' | 'product' | 'component' | 'last_change_time'>

/** The bugs of a search, with links to the next and the previous ones. */
export function plainList(query: URLSearchParams, { root, bodyOf }: PlainSource): PlainPage | undefined {
  const from = firstPlainRow(query)
  const rows = bodyOf<{ bugs: Row[] }>(listCall(query, from))?.bugs
  if (rows === undefined) return undefined
  const title = query.get('title') || 'Bugs'
  const at = (row: number, words: string) => {
    const other = new URLSearchParams(query)
    other.set('from', String(row))
    return html`<a href="${root}/bugs?${other.toString()}">${words}</a> `
  }
  return {
    title,
    content: html`<h1 dir="auto">${title}</h1>
${rows.length === 0 ? html`<p>No bugs.</p>` : tableOf(rows, root)}
<nav aria-label="More bugs">${from > 0 ? at(Math.max(0, from - ROWS_AT_ONCE), 'Previous bugs') : undefined}${rows.length < ROWS_AT_ONCE ? undefined : at(from + ROWS_AT_ONCE, 'Next bugs')}</nav>`,
  }
}

/** The home page: the bugs that were changed last. */
export function plainHome({ root, bodyOf }: PlainSource): PlainPage | undefined {
  const rows = bodyOf<{ bugs: Row[] }>(LATEST_CALL)?.bugs
  return (
    rows && {
      title: '',
      canonical: '/',
      content: html`<h1>Changed last</h1>
${tableOf(rows, root)}`,
    }
  )
}

function tableOf(rows: readonly Row[], root: string): Html {
  const lines = rows.map(
    ({ id, summary, status, product, component, last_change_time: changed }) =>
      html`<tr><td><a href="${root}/bug/${id}">${id}</a></td><td dir="auto"><a href="${root}/bug/${id}">${summary}</a></td><td>${status}</td><td dir="auto">${product}: ${component}</td><td>${timeOf(changed)}</td></tr>
`,
  )
  return html`<table><thead><tr><th>Bug</th><th>Summary</th><th>Status</th><th>Where</th><th>Changed</th></tr></thead><tbody>
${lines}</tbody></table>`
}
