import type { AttemptOutcome } from '../../jobs/job.ts'
import type { Message } from '../message/message.ts'

/** Sends messages, or stores them. */
export interface MailTransport {
  /** The attempt ends when `signal` aborts. If it throws, the failure is temporary and the attempt is repeated. */
  send(message: Message, signal: AbortSignal): Promise<AttemptOutcome>
  close(): Promise<void>
}
