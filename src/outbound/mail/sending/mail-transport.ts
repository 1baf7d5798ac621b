import type { Outcome } from '../../jobs/job.ts'
import type { Message } from '../message/message.ts'

/** Brings messages to where they are sent on, or kept. */
export interface MailTransport {
  /** No attempt goes on when `signal` aborts. What it throws passes, and is tried again. */
  send(message: Message, signal: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}
