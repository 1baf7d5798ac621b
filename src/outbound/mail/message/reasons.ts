import { reasonNamed } from '../../../../shared/reasons.ts'
import type { MailReason } from '../recipients/wants-mail.ts'
import type { MessageContent } from './message-content.ts'

/** The recipient's roles in the bug, in the words that mail filters use; in mail about a request, that they are asked. */
export function reasonHeader({ reasons, request }: Pick<MessageContent, 'reasons' | 'request'>) {
  if (request === 'requestee') return reasonNamed('asked').header
  const own = reasons.filter(({ watched }) => watched === undefined).map(({ role }) => reasonNamed(role).header)
  return own.length === 0 ? 'None' : [...new Set(own)].join(' ')
}

/** The roles and the logins of the users whom the recipient watches. */
export function watchReasonHeader(reasons: readonly MailReason[]) {
  const watching = reasons.filter(({ watched }) => watched !== undefined)
  if (watching.length === 0) return 'None'
  const words = new Set(watching.map(({ role }) => reasonNamed(role).header))
  const logins = new Set(watching.map(({ watched = '' }) => watched))
  return [...words, ...logins].join(' ')
}

const REQUESTS = {
  requestee: reasonNamed('asked').because,
  asker: 'you asked for it',
  listed: 'your address is on the list of this flag',
} as const

/** Why the recipient gets the message; each completes the sentence "You get this because". */
export function reasonTexts({ reasons, request }: Pick<MessageContent, 'reasons' | 'request'>): string[] {
  if (request !== undefined) return [REQUESTS[request]]
  const texts = reasons.map(({ role, watched }) =>
    watched === undefined ? reasonNamed(role).because : `you watch ${watched}, ${reasonNamed(role).ofWatched ?? ''}`,
  )
  return [...new Set(texts)]
}
