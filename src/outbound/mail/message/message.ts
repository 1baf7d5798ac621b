import MailComposer from 'nodemailer/lib/mail-composer'
import type Mail from 'nodemailer/lib/mailer'
import { digest } from '../../../platform/secrets/secrets.ts'
import { headerText } from '../headers/one-header.ts'

/** A message as it is handed to a mail server. */
export interface Message {
  from: string
  to: string
  messageId: string
  /** Headers and body, as they go over the wire. */
  bytes: Buffer
}

/** What a message says, besides from whom to whom it goes. */
type Content = Pick<Mail.Options, 'replyTo' | 'date' | 'inReplyTo' | 'references' | 'headers' | 'text' | 'html'> & {
  subject: string
  messageId: string
}

/** The one place where messages are put together: no text in them is ever taken for a file or an address to be read. */
export async function messageOf(from: string, to: string, { subject, ...content }: Content): Promise<Message> {
  const bytes = await new MailComposer({
    from: { name: '', address: from },
    to: { name: '', address: to },
    ...content,
    subject: headerText(subject),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
    normalizeHeaderKey: (key) => key,
  })
    .compile()
    .build()
  return { from, to, messageId: content.messageId, bytes }
}

/** For a message that belongs to no thread. `seed` is the same whenever the same one is sent, so that a double can be known as one. */
export function ownMessageId(kind: string, seed: string, to: string, site: string) {
  const host = URL.canParse(site) ? new URL(site).hostname : 'localhost'
  const word = digest(`${seed} ${to}`).replace(/[^A-Za-z0-9]/g, '')
  return `<${kind}-${word.slice(0, 22)}@${host}>`
}

/** compat: what the original calls a kind of mail, for filters that know it; and that no person has sent it. */
export function headersOfKind(kind: string) {
  return [
    ...['X-Tracker-', 'X-Bugzilla-'].map((prefix) => ({ key: `${prefix}Type`, value: kind })),
    { key: 'Auto-Submitted', value: 'auto-generated' },
  ]
}
