import { isCredential } from '../../access/authentication/credentials.ts'

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

export interface SavedEdit {
  name: string
  query: string
  /** Searches are ordered by it, then by name. */
  sort_key: number
}

/** Applies the requested change. If the query is a whole URL, only the part after the question mark is kept. */
export function editOf(before: SavedEdit, requested: Partial<SavedEdit>): SavedEdit {
  return {
    name: (requested.name ?? before.name).trim(),
    query:
      requested.query === undefined ? before.query : withoutCredentials(requested.query.trim().replace(ADDRESS, '')),
    sort_key: requested.sort_key ?? before.sort_key,
  }
}

const ADDRESS = /^[^?=&]*\?/

/** A credential in a pasted URL would be visible to every user the search is shared with. */
function withoutCredentials(query: string): string {
  const parameters = [...new URLSearchParams(query)]
  const harmless = parameters.filter(([name]) => !isCredential(name))
  return harmless.length === parameters.length ? query : new URLSearchParams(harmless).toString()
}

/** The parameters of a saved search as a request has them: a repeated parameter is a list. */
export function parametersIn(query: string): Record<string, unknown> {
  const params: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) {
    const before = params[name]
    params[name] = before === undefined ? value : [before, value].flat()
  }
  return params
}
