import { MAIL_QUEUE, type NoticeJob } from '../../access/account-notice.ts'
import type { Consumer } from '../consumers/consumer.ts'
import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import { type Job, type Outcome, PATIENT_DELAYS, type Queue } from '../jobs/job.ts'
import { sendNotice } from './accounts/send-notice.ts'
import { findAddressee } from './addressee/find-addressee.ts'
import { mailAddress } from './headers/one-header.ts'
import { currentMailContext } from './mail-context.ts'
import type { MailJob } from './mail-job.ts'
import { compose } from './message/compose.ts'
import { writeMessage } from './message/write-message.ts'
import { planMail } from './recipients/plan-mail.ts'
import { keptMailIn } from './sending/delete-kept-mail.ts'
import { folderPostman } from './sending/folder-postman.ts'
import type { MailTransport } from './sending/mail-transport.ts'
import { CONNECTIONS, smtpPostman } from './sending/smtp-postman.ts'

/** Mail to people: who is told is planned when something happens, and what they are told is written when it is sent. */
export function mailReceivers(context: DeliveryContext, transport: MailTransport): Receivers {
  const consumer: Consumer = {
    name: 'mail',
    plan: async (db, events) => planMail(db, await currentMailContext(context), events),
  }
  const queue: Queue = {
    name: MAIL_QUEUE,
    parallel: CONNECTIONS,
    delays: PATIENT_DELAYS,
    limitSeconds: 60,
    perform: (job, signal) => tellSafely(context, transport, job, signal),
    close: () => transport.close(),
  }
  return { consumers: [consumer], queues: [queue] }
}

export function postmanFor({ config, log }: DeliveryContext): MailTransport {
  if (config.smtpUrl !== undefined) return smtpPostman(config.smtpUrl)
  const folder = keptMailIn(config.dataFolder)
  log.info('mail is kept, not sent', { folder, why: 'LACEWING_SMTP_URL is not set' })
  return folderPostman(folder)
}

function isOurFault(fault: unknown): fault is Error {
  return fault instanceof TypeError || fault instanceof RangeError || fault instanceof SyntaxError
}

/** What cannot be written for a fault of ours is kept for the release that can, and holds nothing up. */
async function tellSafely(...args: Parameters<typeof tell>): Promise<Outcome> {
  try {
    return await tell(...args)
  } catch (fault) {
    if (!isOurFault(fault)) throw fault
    args[0].log.error('a message cannot be written', { job: args[2].id, stack: fault.stack ?? '' })
    return { dead: `It could not be written: ${fault.message}` }
  }
}

/** Rights and wishes are those of this moment: whoever may see nothing of it any more is told nothing. */
async function tell(
  context: DeliveryContext,
  transport: MailTransport,
  { payload }: Job,
  signal: AbortSignal,
): Promise<Outcome> {
  const job = payload as MailJob | NoticeJob
  const mailContext = await currentMailContext(context)
  if ('notice' in job) return sendNotice(mailContext, transport, job.notice, signal)
  const addressee = await findAddressee(mailContext, job)
  if (addressee === undefined) return { done: true }
  const message = await writeMessage({ ...mailContext, caller: addressee.caller }, addressee, job)
  if (message === undefined) return { done: true }
  if (mailAddress(addressee.address) === undefined) return { dead: 'The login of this account is no mail address.' }
  return transport.send(await compose(mailContext, addressee, job, message), signal)
}
