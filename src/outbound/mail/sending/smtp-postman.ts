import { createTransport } from 'nodemailer'
import type { NodemailerError } from 'nodemailer/lib/errors'
import type { Outcome } from '../../jobs/job.ts'
import type { Message } from '../message/message.ts'
import type { MailTransport } from './mail-transport.ts'

/** At most so many connections to the mail server at once, from this process. */
export const CONNECTIONS = 5

/** To connect, to be greeted, and between two words of the server. */
const PATIENCE_MILLISECONDS = 30_000

/** Sends over SMTP, with connections that are used again. */
export function smtpPostman(url: string, deferredSync = PATIENCE_MILLISECONDS): MailTransport {
  let transport = connect()
  function connect() {
    return createTransport({
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      // Whether a message that was cut off arrived, nobody knows: the queue decides when to try again, not the pool at once.
      maxRequeues: 0,
      connectionTimeout: deferredSync,
      greetingTimeout: deferredSync,
      socketTimeout: deferredSync,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  // A server that goes on talking without an end keeps its connection; only ending all of them ends it.
  const abandon = () => {
    const abandoned = transport
    transport = connect()
    abandoned.close({ force: true })
  }
  return {
    async send({ from, to, bytes }: Message, signal: AbortSignal): Promise<Outcome> {
      signal.addEventListener('abort', abandon, { once: true })
      try {
        await transport.sendMail({ envelope: { from, to: [to] }, raw: bytes })
        return { done: true }
      } catch (fault) {
        return outcomeOf(fault as NodemailerError)
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
 * A recipient or a message that the server will not have is of no use to send again. Whatever else fails (the network, the login, the
 * sender that is not allowed) is not the fault of this message, and passes.
 */
export function outcomeOf(fault: NodemailerError): Outcome {
  const why = `${fault.message}${fault.command ? ` (${fault.command})` : ''}`
  const isAboutMessage = fault.command === 'RCPT TO' || fault.command === 'DATA'
  return fault.permanent === true && isAboutMessage ? { dead: why } : { retry: why }
}
