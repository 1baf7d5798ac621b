import type { EventKind } from '../../changes/outbox.ts'
import type { MailReason } from './recipients/wants-mail.ts'

/** A message that may have to be sent: the recipient and the topic. The content is written when it is sent. */
export interface MailJob {
  /** Of the event; see OutboundEvent. */
  position: number
  kind: EventKind
  /** The bug that the message is about. */
  bugId: number
  /** The user who made the change, and its time. */
  who: number
  at: string
  to: AddresseeRef
  topic: Topic
}

/** A user, or an address on the CC list of a flag type. */
export type AddresseeRef = { userId: number } | { address: string }

export type Topic = ChangeTopic | DependencyTopic | RequestTopic

/** The bug was filed or changed. */
export interface ChangeTopic {
  type: 'change'
  reasons: MailReason[]
  /** The ids of its history lines. */
  history: number[]
  commentId: number | null
  /** The new attachment. */
  attachmentId: number | null
}

/** A bug that this one depends on was opened or closed. */
export interface DependencyTopic {
  type: 'dependency'
  reasons: MailReason[]
  blockerId: number
  /** The history lines of that bug. */
  history: number[]
}

/** A flag was requested, granted, denied or cleared. */
export interface RequestTopic {
  type: 'request'
  /** The recipient's role: the requestee, the user who had asked, or an address of the flag type. */
  as: 'requestee' | 'asker' | 'listed'
  flag: FlagNotice
  commentId: number | null
}

export interface FlagNotice {
  name: string
  /** As text, such as review?(edna@lacewing.test); null if the flag was not set. */
  before: string | null
  after: string | null
  attachmentId: number | null
}

/** Messages to one recipient about one bug keep their order; they hold up no other messages. */
export function laneOfMail({ to, bugId }: MailJob) {
  return `${'userId' in to ? to.userId : to.address} ${bugId}`
}
