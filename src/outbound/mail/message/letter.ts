import type { Reason } from '../recipients/wants-mail.ts'
import type { ShownBug, ShownComment } from './read-as.ts'

/** The kinds of messages, in the words of the header that tells them. */
export type LetterType = 'new' | 'changed' | 'dep_changed' | 'request'

/** What one message says to its one reader; everything in it is theirs to know. */
export interface Letter {
  type: LetterType
  bug: ShownBug
  /** Who did it, in words and as login. */
  who: { login: string; name: string }
  at: string
  /** After the number of the bug. */
  title: string
  /** What happened, in a sentence. */
  opening: string
  /** Of a new bug. */
  facts: readonly Fact[]
  changes: readonly ToldLine[]
  comments: readonly ToldComment[]
  /** Why the reader is told. */
  reasons: readonly Reason[]
  request: 'requestee' | 'asker' | 'listed' | undefined
  /** Fields that changed, or that a new bug was given, by Bugzilla's names. */
  changedFields: readonly string[]
  attachmentId: number | undefined
  /** Where the bug is found. */
  link: string
}

export interface Fact {
  /** The name that the fields call has for the field. */
  field: string
  label: string
  value: string
}

export interface ToldLine {
  what: string
  removed: string
  added: string
}

export interface ToldComment extends ShownComment {
  /** The same with links. */
  html: string
  /** Who wrote it, in words. */
  author: string
}

/** Somebody in a sentence. */
export function personInWords(login: string, name: string) {
  if (name === '' || name === login) return login
  return login === '' ? name : `${name} <${login}>`
}
