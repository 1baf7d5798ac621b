import type { Message } from '../message/message.ts'

/** The result of sending one message; an AttemptOutcome that also says whose fault it was. */
export type SendOutcome =
  | { readonly done: true }
  | { readonly dead: string }
  /** `isAboutMessage`: the mail server works, but does not take this message now. */
  | { readonly retry: string; readonly isAboutMessage: boolean }

/** Sends messages, or stores them. */
export interface MailTransport {
  /** The attempt ends when `signal` aborts. If it throws, the failure is temporary and the attempt is repeated. */
  send(message: Message, signal: AbortSignal): Promise<SendOutcome>
  close(): Promise<void>
}
