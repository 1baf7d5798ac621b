import assert from 'node:assert/strict'
import type { Client } from './world.ts'

/** The parameters of a search; a list is a repeated parameter. */
export type SearchQuery = Readonly<Record<string, string | number | readonly (string | number)[]>>

export function searchPath(query: SearchQuery): `/rest/bug?${string}` {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) params.append(name, String(value))
  return `/rest/bug?${params}`
}

export function search(who: Client, query: SearchQuery) {
  return who.get(searchPath(query))
}

/** The response to a search that must succeed. */
export async function answerTo(who: Client, query: SearchQuery) {
  const { status, body, text } = await search(who, query)
  assert.equal(status, 200, text)
  return body
}

/** The summaries of the bugs that a search finds, in the order of the response. */
export async function summariesOf(who: Client, query: SearchQuery): Promise<string[]> {
  const { bugs } = await answerTo(who, { ...query, include_fields: 'summary' })
  return bugs.map(({ summary }) => summary)
}
