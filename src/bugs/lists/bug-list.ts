/** A bug as presentBug answers it, with the fields that the list needs. */
export type Bug = Readonly<Record<string, unknown>>

/** A list of bugs as text of some form: written piece by piece, so that a long one needs no more memory than a short one. */
export interface BugList {
  readonly contentType: string
  readonly fileName: string
  /** The fields of a bug that it tells. */
  readonly fields: readonly string[]
  readonly head: string
  item(bug: Bug): string
  readonly foot: string
}

/** The forms besides JSON, under the names that `ctype` has for them. */
export const FORMS = {
  csv: 'text/csv',
  atom: 'application/atom+xml',
  ics: 'text/calendar',
} as const

export function isForm(name: string): name is keyof typeof FORMS {
  return Object.hasOwn(FORMS, name)
}

/** Where the list is and what it lists, and when it was made. */
export interface ListHeading {
  /** Of this installation, without a slash at its end. */
  baseUrl: string
  /** What was asked for, as it stands in the address behind the question mark. */
  query: string
  now: string
}

export function addressOf({ baseUrl }: ListHeading, bug: Bug): string {
  return `${baseUrl}/rest/bug/${bug.id}`
}

export function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
