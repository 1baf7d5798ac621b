import { incomingAddressOf } from '../../incoming/mail-address.ts'
import { findAddressSecret } from '../../incoming/mail-address-store.ts'
import type { Addressee } from '../addressee/find-addressee.ts'
import { mailHeaders } from '../headers/mail-headers.ts'
import { mailAddress } from '../headers/one-header.ts'
import { threadOf } from '../headers/thread.ts'
import { type MailContext, siteOf } from '../mail-context.ts'
import type { MailJob } from '../mail-job.ts'
import type { SharedMessages } from '../mime/shared-message.ts'
import { unsubscribeAddress } from '../unsubscribe/unsubscribe.ts'
import type { Message } from './message.ts'
import { messageAsHtml } from './message-as-html.ts'
import { messageAsText } from './message-as-text.ts'
import type { MessageContent } from './message-content.ts'

/** Turns the content into a mail message to its recipient. */
export async function compose(
  mailContext: MailContext,
  addressee: Addressee,
  job: MailJob,
  message: MessageContent,
  messages: SharedMessages,
): Promise<Message> {
  const { settings } = mailContext
  const site = siteOf(mailContext)
  const userId = addressee.caller.id ?? 0
  const preferencesLink = addressee.caller.id === null ? undefined : `${site}/settings/mail`
  const { messageId, inReplyTo } = threadOf({
    bugId: job.bugId,
    userId,
    isNew: message.type === 'new',
    site,
    seed: `${job.position} ${job.bugId} ${addressee.address} ${JSON.stringify(job.topic)}`,
  })
  const from = senderOf(settings.mailfrom, site)
  return messages.messageOf(from, addressee.address, {
    ...(await replyToOf(mailContext, addressee, job.bugId)),
    subject: `[Bug ${message.bug.id}] ${message.title}`,
    date: new Date(message.at),
    messageId,
    ...(inReplyTo !== undefined && { inReplyTo, references: inReplyTo }),
    ...(addressee.caller.id !== null && {
      unsubscribe: await unsubscribeAddress(mailContext.db, site, { userId, bugId: job.bugId }, message),
    }),
    headers: mailHeaders(message, settings, site).map(({ key, value }) => ({ key, value })),
    text: messageAsText(message, preferencesLink),
    ...(addressee.form.is_html === 1 && { html: messageAsHtml(message, preferencesLink) }),
  })
}

/** Users with a personal mail address can simply reply. */
async function replyToOf({ db, settings }: MailContext, { caller }: Addressee, bugId: number) {
  if (settings.incoming_address === '' || caller.id === null) return {}
  const word = await findAddressSecret(db, caller.id)
  if (word === undefined) return {}
  return { replyTo: { name: '', address: incomingAddressOf(settings.incoming_address, caller.id, word, bugId) } }
}

/** If mailfrom is not an address, the sender is made from the host of the site. */
export function senderOf(mailfrom: string, site: string) {
  return mailAddress(mailfrom) ?? `lacewing@${URL.canParse(site) ? new URL(site).hostname : 'localhost'}`
}
