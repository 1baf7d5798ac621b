import { isCredential } from '../../access/authentication/credentials.ts'

/** What people keep under a name of their own: searches, which a group may share, and reports, which nobody else sees. */
export type SavedKind = 'search' | 'report'

export interface SavedSearch {
  id: number
  name: string
  /** Parameters, as they stand in an address. */
  query: string
  owner_id: number
  owner: string
  /** Whose members may use it too. */
  group_id: number | null
}

export interface SavedEdit {
  name: string
  query: string
}

/** Applies what was asked for. Whoever pastes the address of a list means what stands behind its question mark. */
export function editOf(before: SavedEdit, wanted: Partial<SavedEdit>): SavedEdit {
  return {
    name: (wanted.name ?? before.name).trim(),
    query: wanted.query === undefined ? before.query : withoutCredentials(wanted.query.trim().replace(ADDRESS, '')),
  }
}

const ADDRESS = /^[^?=&]*\?/

/** A key that stood in the address of a search would be told to everybody the search is shared with. */
function withoutCredentials(query: string): string {
  const parameters = [...new URLSearchParams(query)]
  const harmless = parameters.filter(([name]) => !isCredential(name))
  return harmless.length === parameters.length ? query : new URLSearchParams(harmless).toString()
}

/** The parameters of a saved search as a request would have brought them: what stands there several times is a list. */
export function parametersIn(query: string): Record<string, unknown> {
  const given: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) {
    const before = given[name]
    given[name] = before === undefined ? value : [before, value].flat()
  }
  return given
}
