export interface Keyword {
  id: number
  name: string
  description: string
}

/** What a keyword was and what it is to be. */
export interface KeywordEdit {
  name: string
  description: string
}

/** Applies what was asked for; blanks around a name or description mean nothing. */
export function editOf(before: KeywordEdit, wanted: Partial<KeywordEdit>): KeywordEdit {
  return { name: (wanted.name ?? before.name).trim(), description: (wanted.description ?? before.description).trim() }
}
