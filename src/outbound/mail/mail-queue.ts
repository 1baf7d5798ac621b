import {
  ACCOUNT_MAIL_QUEUE,
  DIGEST_QUEUE,
  MAIL_QUEUE,
  MANY_QUEUE,
  type NoticeJob,
  PAGES_QUEUE,
} from '../../access/account-notice.ts'
import { jobConsumer } from '../consumers/consumer.ts'
import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import { type AttemptOutcome, delayWithinMonth, type Job, type Queue } from '../jobs/job.ts'
import { sendNotice } from './accounts/send-notice.ts'
import { findAddressee } from './addressee/find-addressee.ts'
import { mailAddress } from './headers/one-header.ts'
import { currentMailContext } from './mail-context.ts'
import type { MailJob } from './mail-job.ts'
import { mailFirst, mailPage } from './many/mail-many.ts'
import { compose } from './message/compose.ts'
import { writeMessage } from './message/write-message.ts'
import { SharedMessages } from './mime/shared-message.ts'
import { planMail } from './recipients/plan-mail.ts'
import { currentTransport } from './sending/current-transport.ts'
import type { MailTransport } from './sending/mail-transport.ts'
import { hasRoomForMail } from './sending/new-account-mail.ts'
import { ACCOUNT_CONNECTIONS, CONNECTIONS } from './sending/smtp-transport.ts'
import { QUEUES_OF_MAIL, TransportWatcher } from './sending/watch-transport.ts'
import { sendDigest } from './waiting/send-digest.ts'
import { waitFor } from './waiting/wait-for.ts'

/** Separate connections, so that account mail does not wait until the mail server has taken bug mail. */
export interface MailTransports {
  readonly bugs: MailTransport
  readonly accounts: MailTransport
}

/** Most lanes have one message, so that claiming them one by one would take longer than sending. */
const LANES_AT_ONCE = 400

/**
 * Mail about bugs and accounts. The recipients of bug mail are chosen when an event is read; the content is written
 * when the message is sent.
 */
export function mailReceivers(context: DeliveryContext, transports: MailTransports): Receivers {
  const consumer = jobConsumer('mail', async (db, events) => planMail(db, await currentMailContext(context), events))
  const messages = new SharedMessages()
  const queueOf = (name: string, parallel: number, transport: MailTransport): Queue => ({
    name,
    parallel,
    claimedLanes: LANES_AT_ONCE,
    delayAfter: delayWithinMonth,
    limitSeconds: 60,
    perform: (job, signal) => sendMailSafely(context, transport, job, signal, messages),
    close: () => transport.close(),
  })
  const queues = [
    queueOf(MAIL_QUEUE, CONNECTIONS, transports.bugs),
    queueOf(ACCOUNT_MAIL_QUEUE, ACCOUNT_CONNECTIONS, transports.accounts),
    {
      name: MANY_QUEUE,
      parallel: 2,
      claimedLanes: LANES_AT_ONCE,
      delayAfter: delayWithinMonth,
      limitSeconds: 60,
      perform: async (job) => mailFirst(await currentMailContext(context), job),
    } satisfies Queue,
    {
      name: PAGES_QUEUE,
      parallel: 1,
      delayAfter: delayWithinMonth,
      limitSeconds: 60,
      perform: async (job) => mailPage(await currentMailContext(context), job),
    } satisfies Queue,
    {
      name: DIGEST_QUEUE,
      parallel: 1,
      delayAfter: delayWithinMonth,
      limitSeconds: 120,
      perform: async (job, signal) => sendDigest(await currentMailContext(context), transports.bugs, job, signal),
    } satisfies Queue,
  ]
  return { consumers: [consumer], queues }
}

export function mailTransportsFor(context: DeliveryContext): MailTransports {
  const watcher = new TransportWatcher(context, QUEUES_OF_MAIL)
  return {
    bugs: watcher.watch(currentTransport(context, CONNECTIONS)),
    accounts: watcher.watch(currentTransport(context, ACCOUNT_CONNECTIONS)),
  }
}

function isProgrammingError(fault: unknown): fault is Error {
  return fault instanceof TypeError || fault instanceof RangeError || fault instanceof SyntaxError
}

/** If a bug of ours prevents a message, the job is kept as dead for a later release and does not hold up others. */
async function sendMailSafely(...args: Parameters<typeof sendMail>): Promise<AttemptOutcome> {
  try {
    return await sendMail(...args)
  } catch (fault) {
    if (!isProgrammingError(fault)) throw fault
    args[0].log.error('message not written', { job: args[2].id, stack: fault.stack ?? '' })
    return { dead: `The message could not be written: ${fault.message}` }
  }
}

/** Rights and preferences are those at the time of sending: a recipient who may no longer see anything gets no mail. */
async function sendMail(
  context: DeliveryContext,
  transport: MailTransport,
  { payload, attempts }: Job,
  signal: AbortSignal,
  messages: SharedMessages,
): Promise<AttemptOutcome> {
  const job = payload as MailJob | NoticeJob
  const mailContext = await currentMailContext(context)
  if ('notice' in job) return sendNotice(mailContext, transport, job.notice, signal)
  const addressee = await findAddressee(mailContext, job)
  if (addressee === undefined) return { done: true }
  const waiting = await waitFor(mailContext.db, addressee, job)
  if (waiting !== undefined) return waiting
  const message = await writeMessage({ ...mailContext, caller: addressee.caller }, addressee, job)
  if (message === undefined) return { done: true }
  if (attempts === 1 && !(await hasRoomForMail(mailContext, job.who))) return { done: true }
  if (mailAddress(addressee.address) === undefined)
    return { dead: 'The login name of this account is not a mail address.' }
  return transport.send(await compose(mailContext, addressee, job, message, messages), signal)
}
