import { ACCOUNT_MAIL_QUEUE, DIGEST_QUEUE, MAIL_QUEUE, MANY_QUEUE, PAGES_QUEUE } from '../../access/account-notice.ts'
import { SCHEDULED_QUEUE } from '../../outbound/scheduled/scheduled-job.ts'
import { WEBHOOK_QUEUE } from '../../outbound/webhooks/webhook-queue.ts'
import type { Db } from '../../platform/database/db.ts'
import { rawRows } from './database-catalogue.ts'
import { EVENTS_TABLE } from './event-rows.ts'

/** The queues of jobs that reach other people or programs. */
const QUEUES = [MAIL_QUEUE, MANY_QUEUE, PAGES_QUEUE, DIGEST_QUEUE, ACCOUNT_MAIL_QUEUE, SCHEDULED_QUEUE, WEBHOOK_QUEUE]
const OUTGOING = `queue in (${QUEUES.map((queue) => `'${queue}'`).join(', ')})`

/** For a copy beside the installation that the archive is of: what was waiting there is sent from there. */
export async function discardWaiting(tx: Db) {
  await tx.script(`delete from jobs where ${OUTGOING}; delete from lanes where ${OUTGOING}`)
  const [newest] = await rawRows(tx, `select coalesce(max(id), 0) as id from ${EVENTS_TABLE}`)
  await tx.script(
    `update consumers set position = ${Number(newest?.id)} where position < ${Number(newest?.id)} and name in ('mail', 'webhooks')`,
  )
}
