import { MAIL_QUEUE } from '../../../access/account-notice.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { NewJob } from '../../../platform/database/new-jobs.ts'
import type { OutboundEvent } from '../../events/event.ts'
import type { MailContext } from '../mail-context.ts'
import { laneOfMail, type MailJob } from '../mail-job.ts'
import { jobForMany } from '../many/many-job.ts'
import { type PossibleMessage, possibleMail } from './possible-mail.ts'
import { sufficientReasons } from './wants-mail.ts'

/**
 * The messages that events may cause. Visibility is checked when they are sent; here only users are left out who do not
 * want mail about the event in any of their roles. What has many followers becomes one job, whatever their number.
 */
export async function planMail(db: Db, mailContext: MailContext, events: readonly OutboundEvent[]): Promise<NewJob[]> {
  const { changes, many, requests } = await possibleMail(db, mailContext, events)
  return [...mailJobs([...wantedJobs(changes), ...requests]), ...many.map(jobForMany)]
}

export function wantedJobs(messages: readonly PossibleMessage[]): MailJob[] {
  return messages
    .filter(
      ({ preferences, login, reasons, trigger }) => sufficientReasons(preferences, login, reasons, trigger).length > 0,
    )
    .map(({ job }) => job)
}

export function mailJobs(jobs: readonly MailJob[]): NewJob[] {
  return jobs
    .toSorted((a, b) => a.position - b.position)
    .map((job) => ({ queue: MAIL_QUEUE, lane: laneOfMail(job), payload: job }))
}
