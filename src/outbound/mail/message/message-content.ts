import type { Reason } from '../recipients/wants-mail.ts'
import type { ShownBug, ShownComment } from './read-as.ts'

/** The kinds of messages, in the words of the header that tells them. */
export type MessageType = 'new' | 'changed' | 'dep_changed' | 'request'

/** What one message says to its one reader; everything in it is theirs to know. */
export interface MessageContent {
  type: MessageType
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
  changes: readonly ChangeLine[]
  comments: readonly MessageComment[]
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

export interface ChangeLine {
  what: string
  removed: string
  added: string
}

export interface MessageComment extends ShownComment {
  /** The same with links. */
  html: string
  /** Who wrote it, in words. */
  author: string
}

/** Somebody in a sentence. */
export function userInSentence(login: string, name: string) {
  if (name === '' || name === login) return login
  return login === '' ? name : `${name} <${login}>`
}
