import type { EventKind } from '../../changes/outbox.ts'
import type { Reason } from './recipients/wants-mail.ts'

/** A message that may have to be written: to whom and about what. What is in it is found out when it is sent. */
export interface MailJob {
  /** Of the event; see OutboundEvent. */
  position: number
  kind: EventKind
  /** The bug that the message is about. */
  bugId: number
  /** Who did it, and when. */
  who: number
  at: string
  to: Addressee
  topic: Topic
}

/** Somebody with an account, or an address that a flag type names. */
export type Addressee = { userId: number } | { address: string }

export type Topic = ChangeTopic | DependencyTopic | RequestTopic

/** The bug was filed or changed. */
export interface ChangeTopic {
  type: 'change'
  reasons: Reason[]
  /** The ids of its lines of history. */
  history: number[]
  commentId: number | null
  /** That was attached. */
  attachmentId: number | null
}

/** A bug that this one depends on was opened or closed. */
export interface DependencyTopic {
  type: 'dependency'
  reasons: Reason[]
  blockerId: number
  /** The lines of history of that bug. */
  history: number[]
}

/** Somebody was asked for a flag, or answered. */
export interface RequestTopic {
  type: 'request'
  /** What the addressee is told as: the one who is asked, the one who had asked, or as an address of the flag type. */
  as: 'requestee' | 'asker' | 'listed'
  flag: FlagNotice
  commentId: number | null
}

export interface FlagNotice {
  name: string
  /** In words, such as review?(edna@lacewing.test); null before it was set, and after it was removed. */
  before: string | null
  after: string | null
  attachmentId: number | null
}

/** Messages to one person about one bug keep their order; nobody else and no other bug waits for them. */
export function laneOf({ to, bugId }: MailJob) {
  return `${'userId' in to ? to.userId : to.address} ${bugId}`
}
