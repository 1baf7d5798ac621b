import MailComposer from 'nodemailer/lib/mail-composer'
import type Mail from 'nodemailer/lib/mailer'
import { digest } from '../../../platform/secrets/secrets.ts'
import { headerText } from '../headers/one-header.ts'

/** A message that is ready for a mail server. */
export interface Message {
  from: string
  to: string
  messageId: string
  /** Headers and body, as they are sent. */
  bytes: Buffer
}

/** A message without sender and recipient. */
export type UnaddressedMessage = Pick<
  Mail.Options,
  'replyTo' | 'date' | 'inReplyTo' | 'references' | 'headers' | 'text' | 'html'
> & {
  subject: string
  messageId: string
  /** Where one click ends mail such as this. */
  unsubscribe?: string
}

/** The only place that builds messages. It never treats text as a file name or URL to be read. */
export async function messageOf(from: string, to: string, content: UnaddressedMessage): Promise<Message> {
  const bytes = await bytesOf(from, to, content)
  return { from, to, messageId: content.messageId, bytes }
}

export function bytesOf(
  from: string,
  to: string,
  { subject, unsubscribe, ...content }: UnaddressedMessage,
): Promise<Buffer> {
  return new MailComposer({
    from: { name: '', address: from },
    to: { name: '', address: to },
    ...content,
    ...(unsubscribe !== undefined && { headers: [...headersIn(content), ...unsubscribeHeaders(unsubscribe)] }),
    subject: headerText(subject),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
    normalizeHeaderKey: (key) => key,
  })
    .compile()
    .build()
}

/**
 * For a message outside of a thread. `seed` is the same when the message is sent again, so that duplicates can be
 * recognized.
 */
export function ownMessageId(kind: string, seed: string, to: string, site: string) {
  const host = URL.canParse(site) ? new URL(site).hostname : 'localhost'
  const word = digest(`${seed} ${to}`).replace(/[^A-Za-z0-9]/g, '')
  return `<${kind}-${word.slice(0, 22)}@${host}>`
}

/** compat: Bugzilla's name for a kind of mail, for existing filters. Auto-Submitted marks it as automatic. */
export function headersOfKind(kind: string) {
  return [
    ...['X-Tracker-', 'X-Bugzilla-'].map((prefix) => ({ key: `${prefix}Type`, value: kind })),
    { key: 'Auto-Submitted', value: 'auto-generated' },
  ]
}

function headersIn({ headers }: Pick<UnaddressedMessage, 'headers'>) {
  return Array.isArray(headers) ? headers : []
}

/** RFC 8058: mail programs show a button, and post to the address. */
export function unsubscribeHeaders(address: string) {
  return [
    { key: 'List-Unsubscribe', value: `<${address}>` },
    { key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ]
}
