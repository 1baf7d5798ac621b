import { createTransport } from 'nodemailer'
import type { NodemailerError } from 'nodemailer/lib/errors'
import { maskedOf } from '../../../platform/text/masked.ts'
import type { Message } from '../message/message.ts'
import type { MailTransport, SendOutcome } from './mail-transport.ts'

/** The maximum number of connections to the mail server from this process, for bug mail and for account mail. */
export const CONNECTIONS = 10
export const ACCOUNT_CONNECTIONS = 2

/** The timeout for connecting, for the greeting, and between two responses of the server. */
const TIMEOUT_MILLISECONDS = 30_000

/** Sends over SMTP, with pooled connections. */
export function smtpTransport(
  url: string,
  timeoutMilliseconds = TIMEOUT_MILLISECONDS,
  connections = CONNECTIONS,
): MailTransport {
  let transport = connect()
  function connect() {
    return createTransport({
      url,
      pool: true,
      maxConnections: connections,
      // It is unknown whether an interrupted message arrived. The queue decides when to try again, not the pool.
      maxRequeues: 0,
      connectionTimeout: timeoutMilliseconds,
      greetingTimeout: timeoutMilliseconds,
      socketTimeout: timeoutMilliseconds,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  // A server that keeps sending data keeps its connection; only closing the whole pool ends it.
  const abandon = () => {
    const abandoned = transport
    transport = connect()
    abandoned.close({ force: true })
  }
  return {
    async send({ from, to, bytes }: Message, signal: AbortSignal): Promise<SendOutcome> {
      signal.addEventListener('abort', abandon, { once: true })
      try {
        await transport.sendMail({ envelope: { from, to: [to] }, raw: bytes })
        return { done: true }
      } catch (fault) {
        return outcomeOf(fault as NodemailerError, secretsIn(url))
      } finally {
        signal.removeEventListener('abort', abandon)
      }
    },
    async close() {
      transport.close()
    },
  }
}

/**
 * A rejected recipient or message is not sent again. Other failures (the network, the login, a sender that is not
 * allowed) are not the fault of this message and are retried.
 */
export function outcomeOf(fault: NodemailerError, secrets: readonly string[] = []): SendOutcome {
  const said = maskedOf(reasonOf(fault), secrets)
  // A short secret may be part of any word, but who refuses a login may repeat it.
  const shown =
    fault.code === 'EAUTH' ? secrets.filter(Boolean).reduce((text, it) => text.replaceAll(it, '…'), said) : said
  const why =
    (fault.response === undefined && unreachable(shown)) || `${shown}${fault.command ? ` (${fault.command})` : ''}`
  const isAboutMessage = fault.command === 'RCPT TO' || fault.command === 'DATA'
  // Without a reply the connection broke at this command, and with 421 the server closes it.
  const isReply = fault.responseCode !== undefined && fault.responseCode !== 421
  return fault.permanent === true && isAboutMessage
    ? { dead: why }
    : { retry: why, isAboutMessage: isAboutMessage && isReply }
}

/** Replies of a mail server begin with a code. What another service sends is not repeated: nobody shall read it through this one. */
function reasonOf({ message, response }: NodemailerError): string {
  return response === undefined || /^[2-5]\d\d/.test(response) ? message : 'It does not answer like a mail server'
}

/** With the code of the system, which operators search for, and the address, which the name of a host may lead to. */
function unreachable(message: string) {
  const [shown, code = ''] =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)\b(?: \S+)?/.exec(message) ?? []
  const words = UNREACHABLE.get(code)
  return words && `${words} (${shown})`
}

const UNREACHABLE: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'there is no host of this name'],
  ['EAI_AGAIN', 'the name of the host cannot be looked up now'],
  ['ECONNREFUSED', 'no server answers at this address'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network of the host cannot be reached'],
])

/** User and password in the forms in which they are sent: a server may repeat them. */
function secretsIn(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { username, password } = new URL(url)
  const plain = [username, password].flatMap((text) => [text, decoded(text)])
  const [, user = '', , word = ''] = plain
  const sent = [user, word, `\0${user}\0${word}`].map((text) => Buffer.from(text).toString('base64'))
  return [...plain, ...sent]
}

function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
