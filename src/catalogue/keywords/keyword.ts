export interface Keyword {
  id: number
  name: string
  description: string
}

/** The new state of a keyword. */
export interface KeywordEdit {
  name: string
  description: string
}

/** Applies the requested changes. Spaces around name and description are removed. */
export function changedKeyword(before: KeywordEdit, wanted: Partial<KeywordEdit>): KeywordEdit {
  return { name: (wanted.name ?? before.name).trim(), description: (wanted.description ?? before.description).trim() }
}
