import type { AccountNotice } from '../../../access/account-notice.ts'
import type { AttemptOutcome } from '../../jobs/job.ts'
import { mailAddress } from '../headers/one-header.ts'
import { type MailContext, siteOf, subjectOf } from '../mail-context.ts'
import { senderOf } from '../message/compose.ts'
import { headersOfKind, type Message, messageOf, ownMessageId } from '../message/message.ts'
import type { MailTransport } from '../sending/mail-transport.ts'
import { type AccountMessage, writeNotice } from './write-notice.ts'

/** Sends mail about an account, unless its user no longer gets mail. */
export async function sendNotice(
  mailContext: MailContext,
  transport: MailTransport,
  notice: AccountNotice,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const message = await writeNotice(mailContext, notice)
  if (message === undefined) return { done: true }
  if (mailAddress(message.to) === undefined) return { dead: 'The login name of this account is not a mail address.' }
  return transport.send(await composeNotice(mailContext, message, JSON.stringify(notice)), signal)
}

function composeNotice(
  mailContext: MailContext,
  { to, subject, text, at }: AccountMessage,
  seed: string,
): Promise<Message> {
  const site = siteOf(mailContext)
  return messageOf(senderOf(mailContext.settings.mailfrom, site), to, {
    subject: subjectOf(mailContext, subject),
    date: new Date(at),
    messageId: ownMessageId('account', seed, to, site),
    headers: headersOfKind('admin'),
    text,
  })
}
