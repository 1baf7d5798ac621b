import { readSettings } from '../access/installation.ts'
import { headerText, mailAddress } from '../outbound/mail/headers/one-header.ts'
import { siteOf } from '../outbound/mail/mail-context.ts'
import { senderOf } from '../outbound/mail/message/compose.ts'
import { headersOfKind, type Message, messageOf, ownMessageId } from '../outbound/mail/message/message.ts'
import { mailFolderIn } from '../outbound/mail/sending/delete-kept-mail.ts'
import { folderTransport } from '../outbound/mail/sending/folder-transport.ts'
import { smtpTransport } from '../outbound/mail/sending/smtp-transport.ts'
import type { Config } from '../platform/config/config.ts'
import type { Db } from '../platform/database/db.ts'
import { Refusal } from '../platform/refusal.ts'

export interface MailTestResult {
  sent: boolean
  /** What happened, in one sentence. */
  sentence: string
}

const LONGEST_MILLISECONDS = 60_000

/** Sends one message as the server would, and waits for the answer of the mail server. It is not queued. */
export async function testMail(db: Db, config: Config, to: string): Promise<MailTestResult> {
  const address = mailAddress(to)
  if (address === undefined) throw new Refusal(`${JSON.stringify(to)} is not a mail address.`)
  const message = await testMessage(db, config, address)
  const { smtpUrl } = config
  if (smtpUrl !== undefined) return sendTo(smtpUrl, message)
  const folder = mailFolderIn(config.dataFolder)
  await folderTransport(folder).send(message, AbortSignal.timeout(LONGEST_MILLISECONDS))
  return {
    sent: false,
    sentence: `LACEWING_SMTP_URL is not set, so the message was not sent, but stored in ${folder}.`,
  }
}

async function sendTo(smtpUrl: string, message: Message): Promise<MailTestResult> {
  const transport = smtpTransport(smtpUrl, undefined, 1)
  const server = `The mail server ${new URL(smtpUrl).host}`
  try {
    const outcome = await transport.send(message, AbortSignal.timeout(LONGEST_MILLISECONDS))
    if ('done' in outcome)
      return { sent: true, sentence: `${server} has accepted a message from ${message.from} to ${message.to}.` }
    const why = headerText('dead' in outcome ? outcome.dead : outcome.retry)
    if ('retry' in outcome && !outcome.isAboutMessage)
      return { sent: false, sentence: `${server} cannot be used: ${why}.` }
    return { sent: false, sentence: `${server} has refused a message from ${message.from} to ${message.to}: ${why}.` }
  } finally {
    await transport.close()
  }
}

async function testMessage(db: Db, config: Config, to: string): Promise<Message> {
  const settings = await readSettings(db)
  const site = siteOf({ settings, baseUrl: config.baseUrl ?? `http://${config.host}:${config.port}` })
  const at = new Date()
  return messageOf(senderOf(settings.mailfrom, site), to, {
    subject: 'Test message',
    date: at,
    messageId: ownMessageId('test', at.toISOString(), to, site),
    headers: headersOfKind('admin'),
    text: `This message was sent by the command "lacewing mail test" for ${site}. Mail from there reaches you.\n`,
  })
}
