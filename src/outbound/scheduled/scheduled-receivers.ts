import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import { type AttemptOutcome, delayWithinMonth, type Job, type Queue } from '../jobs/job.ts'
import { findAddressee } from '../mail/addressee/find-addressee.ts'
import { mailAddress } from '../mail/headers/one-header.ts'
import { currentMailContext } from '../mail/mail-context.ts'
import type { MailTransport } from '../mail/sending/mail-transport.ts'
import { writeOverdue } from '../overdue/write-overdue.ts'
import { type ActingContext, actAsUsers } from '../receivers/act-as.ts'
import { writeOwnReminder } from '../reminders/send-reminders.ts'
import { composeScheduled } from './compose-scheduled.ts'
import { SCHEDULED_QUEUE, type ScheduledJob, seedOf } from './scheduled-job.ts'
import { findScheduledMail } from './scheduled-mail-store.ts'
import type { ScheduledMessage } from './shown-bugs.ts'
import { writeReminder, writeScheduled } from './write-scheduled.ts'

export function scheduledReceivers(context: DeliveryContext, transport: MailTransport): Receivers {
  const queue: Queue = {
    name: SCHEDULED_QUEUE,
    parallel: 2,
    delayAfter: delayWithinMonth,
    limitSeconds: 120,
    perform: (job, signal) => send(context, transport, job, signal),
  }
  return { consumers: [], queues: [queue] }
}

async function send(
  context: DeliveryContext,
  transport: MailTransport,
  job: Job,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const due = job.payload as ScheduledJob
  const mailContext = await currentMailContext(context)
  // No bug has the id 0, so none is ignored.
  const addressee = await findAddressee(mailContext, { to: { userId: due.userId }, bugId: 0 })
  if (addressee === undefined || mailAddress(addressee.address) === undefined) return { done: true }
  for (const [index, message] of (await scheduledMessages(context, due)).entries()) {
    const outcome = await transport.send(
      await composeScheduled(mailContext, addressee, message, `${seedOf(due)} ${index}`),
      signal,
    )
    if (!('done' in outcome)) return outcome
  }
  return { done: true }
}

/** No mail to or from disabled accounts. */
async function scheduledMessages(context: DeliveryContext, due: ScheduledJob): Promise<ScheduledMessage[]> {
  const { db } = context
  const mail = 'mailId' in due ? await findScheduledMail(db, due.mailId) : undefined
  const people = await actAsUsers(context, [due.userId, ...(mail ? [mail.ownerId] : [])])
  const receiver: ActingContext | undefined = people.get(due.userId)
  const owner = mail && people.get(mail.ownerId)?.caller
  if (receiver === undefined) return []
  if ('isReminder' in due) return writeReminder(receiver)
  if ('isOverdue' in due) return writeOverdue(receiver)
  if ('reminderId' in due) return writeOwnReminder(receiver, due.reminderId)
  return mail === undefined || owner === undefined ? [] : writeScheduled(receiver, owner, mail)
}
