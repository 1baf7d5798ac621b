import type { MailReason } from '../recipients/wants-mail.ts'
import type { MessageContent } from './message-content.ts'

const HEADER_WORDS = {
  assigned_to: 'AssignedTo',
  qa_contact: 'QAcontact',
  reporter: 'Reporter',
  cc: 'CC',
  global_watcher: 'GlobalWatcher',
} as const satisfies Record<MailReason['role'], string>

/** The recipient's roles in the bug, in the words that mail filters use. */
export function reasonHeader(reasons: readonly MailReason[]) {
  const own = reasons.filter(({ watched }) => watched === undefined).map(({ role }) => HEADER_WORDS[role])
  return own.length === 0 ? 'None' : [...new Set(own)].join(' ')
}

/** The roles and the logins of the users whom the recipient watches. */
export function watchReasonHeader(reasons: readonly MailReason[]) {
  const watching = reasons.filter(({ watched }) => watched !== undefined)
  if (watching.length === 0) return 'None'
  const words = new Set(watching.map(({ role }) => HEADER_WORDS[role]))
  const logins = new Set(watching.map(({ watched = '' }) => watched))
  return [...words, ...logins].join(' ')
}

const SENTENCES = {
  assigned_to: 'the bug is assigned to you',
  qa_contact: 'you are its QA contact',
  reporter: 'you reported it',
  cc: 'you are on its CC list',
  global_watcher: 'you watch all bugs',
} as const satisfies Record<MailReason['role'], string>

const WATCHED = {
  assigned_to: 'to whom the bug is assigned',
  qa_contact: 'who is its QA contact',
  reporter: 'who reported it',
  cc: 'who is on its CC list',
  global_watcher: '',
} as const satisfies Record<MailReason['role'], string>

const REQUESTS = {
  requestee: 'you are asked for it',
  asker: 'you asked for it',
  listed: 'your address is on the list of this flag',
} as const

/** Why the recipient gets the message; each completes the sentence "You get this because". */
export function reasonTexts({ reasons, request }: Pick<MessageContent, 'reasons' | 'request'>): string[] {
  if (request !== undefined) return [REQUESTS[request]]
  const texts = reasons.map(({ role, watched }) =>
    watched === undefined ? SENTENCES[role] : `you watch ${watched}, ${WATCHED[role]}`,
  )
  return [...new Set(texts)]
}
