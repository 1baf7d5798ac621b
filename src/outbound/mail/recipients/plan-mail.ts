import { MAIL_QUEUE } from '../../../access/account-notice.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { NewJob } from '../../../platform/database/new-jobs.ts'
import type { OutboundEvent } from '../../events/event.ts'
import type { MailContext } from '../mail-context.ts'
import { laneOfMail } from '../mail-job.ts'
import { possibleMail } from './possible-mail.ts'
import { sufficientReasons } from './wants-mail.ts'

/**
 * The messages that events may cause. Visibility is checked when they are sent; here only users are left out who do not
 * want mail about the event in any of their roles.
 */
export async function planMail(db: Db, mailContext: MailContext, events: readonly OutboundEvent[]): Promise<NewJob[]> {
  const { changes, requests } = await possibleMail(db, mailContext, events)
  const wanted = changes.filter(
    ({ preferences, login, reasons, trigger }) => sufficientReasons(preferences, login, reasons, trigger).length > 0,
  )
  return [...wanted.map(({ job }) => job), ...requests]
    .toSorted((a, b) => a.position - b.position)
    .map((job) => ({ queue: MAIL_QUEUE, lane: laneOfMail(job), payload: job }))
}
