import { isCredential } from '../../access/authentication/credentials.ts'

export const LONGEST_QUERY = 20_000

/** Searches, which the owner may share with a group, and reports, which only the owner sees. */
export type SavedKind = 'search' | 'report'

export interface SavedSearch {
  id: number
  name: string
  /** Parameters in the form of a URL query string. */
  query: string
  owner_id: number
  owner: string
  /** Members of this group may use it too. */
  group_id: number | null
  sort_key: number
}

/** The share as those of dashboards are, which several groups can have. */
export function shareOf({ owner_id, group_id }: SavedSearch) {
  return { owner_id, groupIds: group_id === null ? [] : [group_id] }
}

export interface SavedEdit {
  name: string
  query: string
  /** Searches are ordered by it, then by name. */
  sort_key: number
}

/** Applies the requested change. If the query is a whole URL, only the part after the question mark is kept. */
export function changedSearch(before: SavedEdit, requested: Partial<SavedEdit>): SavedEdit {
  return {
    name: (requested.name ?? before.name).trim(),
    query: requested.query === undefined ? before.query : queryIn(requested.query),
    sort_key: requested.sort_key ?? before.sort_key,
  }
}

const ADDRESS = /^[^?=&]*\?/

/** A query that is too long is refused, so it is not worth reading. */
export function queryIn(requested: string): string {
  const query = requested.trim().replace(ADDRESS, '')
  return query.length > LONGEST_QUERY ? query : withoutCredentials(query)
}

/** A credential in a pasted URL would be visible to every user the search is shared with. */
export function withoutCredentials(query: string): string {
  const parameters = [...new URLSearchParams(query)]
  const harmless = parameters.filter(([name]) => !isCredential(name))
  return harmless.length === parameters.length ? query : new URLSearchParams(harmless).toString()
}

/** The parameters of a saved search as a request has them: a repeated parameter is a list. */
export function parametersIn(query: string): Record<string, unknown> {
  const params: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) {
    const before = params[name]
    if (Array.isArray(before)) before.push(value)
    else params[name] = before === undefined ? value : [before, value]
  }
  return params
}
