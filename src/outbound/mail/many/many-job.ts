import { MANY_QUEUE } from '../../../access/account-notice.ts'
import type { NewJob } from '../../../platform/database/new-jobs.ts'
import type { MailJob, Topic } from '../mail-job.ts'
import type { MailEvent, Role } from '../preferences/mail-preference.ts'
import type { MailCause } from '../recipients/mail-causes.ts'
import type { Reaching } from '../recipients/possible-mail.ts'
import type { RecipientQuery } from '../recipients/recipient-store.ts'
import type { MailReason } from '../recipients/wants-mail.ts'

/** Something that reaches many users: it becomes messages in parts. What is watched is that of the time of the event. */
export interface ManyJob {
  mail: Omit<MailJob, 'to' | 'topic'>
  /** Without reasons. */
  topic: Topic
  subject: RecipientQuery
  events: MailEvent[]
  /** The logins that gained or lost a role. */
  people: [Role, string[]][]
  /** What is left to do: the followers with larger ids, without those who had a message before them. */
  rest?: { after: number; except: number[]; personIds: number[] }
}

/** The jobs about a bug have a lane, so that each of its followers gets the messages in order. */
export function jobForMany({ cause, subject }: Reaching): NewJob {
  const { event, bugId, occasion } = cause
  const { position, kind, userId: who, at } = event
  const payload: ManyJob = {
    mail: { position, kind, bugId, who, at },
    topic: cause.topic([]),
    subject,
    events: [...occasion.events],
    people: [...occasion.people].map(([role, logins]) => [role, [...logins]]),
  }
  return { queue: MANY_QUEUE, lane: String(bugId), payload }
}

/** The stored job as a cause with whom it reaches. */
export function reachingIn({ mail, topic, subject, events, people }: ManyJob): Reaching {
  const { position, kind, bugId, who, at } = mail
  const event = { position, kind, bugId, userId: who, at, facts: {}, people: subject.people }
  const cause: MailCause = {
    event,
    facts: NO_FACTS,
    bugId,
    people: subject.people,
    occasion: {
      events: new Set(events),
      people: new Map(people.map(([role, logins]) => [role, new Set(logins)])),
      isUnconfirmed: false,
    },
    topic: (reasons: MailReason[]) => (topic.type === 'request' ? topic : { ...topic, reasons }),
  }
  return { cause, subject }
}

const NO_FACTS = {
  changes: new Map(),
  history: [],
  fields: [],
  commentId: null,
  attachmentId: null,
  flags: [],
  mentioned: [],
  isInComment: false,
}
