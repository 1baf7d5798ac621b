import type { MailReason } from '../recipients/wants-mail.ts'
import type { ShownBug, ShownComment } from './read-as.ts'

/** The kinds of messages, as the header has them. */
export type MessageType = 'new' | 'changed' | 'dep_changed' | 'request'

/** The content of a message, limited to what its recipient may see. */
export interface MessageContent {
  type: MessageType
  bug: ShownBug
  /** The user who made the change. */
  who: { login: string; name: string }
  at: string
  /** The subject after the number of the bug. */
  title: string
  /** A sentence that says what happened. */
  opening: string
  /** The fields of a new bug. */
  facts: readonly Fact[]
  changes: readonly ChangeLine[]
  comments: readonly MessageComment[]
  /** Why the recipient gets the message. */
  reasons: readonly MailReason[]
  request: 'requestee' | 'asker' | 'listed' | undefined
  /** The fields that changed or that a new bug has, by Bugzilla's names. */
  changedFields: readonly string[]
  attachmentId: number | undefined
  /** The URL of the bug. */
  link: string
}

export interface Fact {
  /** The name of the field in the fields call. */
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
  /** The text with links. */
  html: string
  /** The author as text. */
  author: string
}

export function userInSentence(login: string, name: string) {
  if (name === '' || name === login) return login
  return login === '' ? name : `${name} <${login}>`
}
