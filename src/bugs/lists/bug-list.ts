/** A bug as presentBug returns it, with the fields that the list needs. */
export type Bug = Readonly<Record<string, unknown>>

/** A list of bugs in a text format. It is written in pieces, so that a long list needs no more memory than a short one. */
export interface BugList {
  readonly contentType: string
  readonly fileName: string
  /** The fields of a bug that the list needs. */
  readonly fields: readonly string[]
  readonly head: string
  item(bug: Bug): string
  readonly foot: string
}

/** The formats besides JSON, by their names in `ctype`. */
export const FORMS = {
  csv: 'text/csv',
  atom: 'application/atom+xml',
  ics: 'text/calendar',
} as const

export function isForm(name: string): name is keyof typeof FORMS {
  return Object.hasOwn(FORMS, name)
}

/** The URL of the list, its search and its time. */
export interface ListHeading {
  /** URL of this installation, without a slash at the end. */
  baseUrl: string
  /** The query string of the search. */
  query: string
  now: string
}

export function addressOf({ baseUrl }: ListHeading, bug: Bug): string {
  return `${baseUrl}/rest/bug/${bug.id}`
}

export function cellText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
