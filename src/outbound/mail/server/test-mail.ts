import type { CallConfig } from '../../../platform/config/config.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { headerText, mailAddress } from '../headers/one-header.ts'
import { type MailContext, namedSiteOf, siteOf, subjectOf } from '../mail-context.ts'
import { senderOf } from '../message/compose.ts'
import { headersOfKind, type Message, messageOf, ownMessageId } from '../message/message.ts'
import { mailFolderIn } from '../sending/delete-kept-mail.ts'
import { folderTransport } from '../sending/folder-transport.ts'
import { mailServerUrl } from '../sending/mail-server-url.ts'
import type { SendOutcome } from '../sending/mail-transport.ts'
import { smtpTransport } from '../sending/smtp-transport.ts'

export interface MailTestResult {
  sent: boolean
  /** What happened, in one sentence. */
  sentence: string
}

interface MailTest {
  config: Pick<CallConfig, 'smtpUrl' | 'dataFolder'>
  settings: Settings
  baseUrl: string
  /** How the message says that it was sent. */
  sender: string
  /** For each answer of the mail server; all of them together may take twice as long. */
  milliseconds: number
}

/** Sends one message as the server would, and waits for the answer of the mail server. It is not queued. */
export async function testMail(test: MailTest, to: string): Promise<MailTestResult> {
  const { config, settings, milliseconds } = test
  const address = mailAddress(to)
  if (address === undefined) throw new Refusal(`${JSON.stringify(to)} is not a mail address.`)
  const message = await testMessage(test, address)
  const url = mailServerUrl(config, settings)
  const transport =
    url === undefined ? folderTransport(mailFolderIn(config.dataFolder)) : smtpTransport(url, milliseconds, 1)
  try {
    const outcome = await transport.send(message, AbortSignal.timeout(milliseconds * 2))
    if (url !== undefined) return resultOf(outcome, message, `The mail server ${hostIn(url)}`)
    return { sent: false, sentence: STORED }
  } finally {
    await transport.close()
  }
}

const STORED = 'No mail server is set, so the message was not sent, but stored in the folder mail of the data folder.'

function resultOf(outcome: SendOutcome, { from, to }: Message, server: string): MailTestResult {
  if ('done' in outcome) return { sent: true, sentence: `${server} has accepted a message from ${from} to ${to}.` }
  const why = headerText('dead' in outcome ? outcome.dead : outcome.retry)
  if ('retry' in outcome && !outcome.isAboutMessage)
    return { sent: false, sentence: `${server} cannot be used: ${why}.` }
  return { sent: false, sentence: `${server} has refused a message from ${from} to ${to}: ${why}.` }
}

function hostIn(url: string) {
  return URL.canParse(url) ? new URL(url).host : ''
}

async function testMessage({ sender, ...mail }: MailTest & Pick<MailContext, 'settings' | 'baseUrl'>, to: string) {
  const site = siteOf(mail)
  const at = new Date()
  return messageOf(senderOf(mail.settings.mailfrom, site), to, {
    subject: subjectOf(mail, 'Test message'),
    date: at,
    messageId: ownMessageId('test', at.toISOString(), to, site),
    headers: headersOfKind('admin'),
    text: `This is a test message of ${namedSiteOf(mail)}\n\nIt was sent by ${sender}. Mail from there reaches you.\n`,
  })
}
