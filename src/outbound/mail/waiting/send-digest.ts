import { DIGEST_QUEUE } from '../../../access/account-notice.ts'
import type { AttemptOutcome, Job } from '../../jobs/job.ts'
import { listJobsOf } from '../../jobs/waiting-jobs.ts'
import { type Addressee, findAddressee } from '../addressee/find-addressee.ts'
import { mailAddress } from '../headers/one-header.ts'
import type { MailContext } from '../mail-context.ts'
import type { MailJob } from '../mail-job.ts'
import type { MessageContent } from '../message/message-content.ts'
import { writeMessage } from '../message/write-message.ts'
import type { MailTransport } from '../sending/mail-transport.ts'
import { composeDigest } from './compose-digest.ts'
import { digestTime } from './send-time.ts'
import { MOST_IN_DIGEST, secondsUntil } from './wait-for.ts'

/** So many changes are written out; the others that the reader may see are counted. */
const MOST_WRITTEN = 200

/**
 * Sends one message for all changes that wait for the digest of a user. What they may see of each is decided now. If the user no longer wants a
 * digest, what waits is sent at once.
 */
export async function sendDigest(
  mailContext: MailContext,
  transport: MailTransport,
  job: Job,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { to } = job.payload as MailJob
  const addressee = await findAddressee(mailContext, { to, bugId: 0 })
  const waiting = await listJobsOf(mailContext.db, DIGEST_QUEUE, job.lane, MOST_IN_DIGEST)
  if (addressee === undefined) return { done: true, others: waiting.map(({ id }) => id) }
  const now = Date.now()
  const timeOf = ({ payload }: Job) => digestTime(addressee.times, Date.parse((payload as MailJob).at))
  const due = waiting.filter((it) => timeOf(it) <= now)
  if (due.length === 0) return { waitSeconds: secondsUntil(timeOf(job), now) }
  const others = due.map(({ id }) => id)
  const { written, more } = await writeDigest(mailContext, addressee, due)
  if (written.length === 0) return { done: true, others }
  if (mailAddress(addressee.address) === undefined)
    return { dead: 'The login name of this account is not a mail address.' }
  const seed = `${to && JSON.stringify(to)} ${others.join(' ')}`
  const message = await composeDigest(mailContext, addressee, {
    seed,
    written,
    more,
    isCut: waiting.length >= MOST_IN_DIGEST,
  })
  const outcome = await transport.send(message, signal)
  return 'done' in outcome ? { done: true, others } : outcome
}

async function writeDigest(
  mailContext: MailContext,
  { caller }: Addressee,
  due: readonly Job[],
): Promise<{ written: MessageContent[]; more: number }> {
  const written: MessageContent[] = []
  let more = 0
  for (const { payload } of due) {
    const job = payload as MailJob
    // Read again for each bug: some may be ignored by now.
    const addressee = caller.id === null ? undefined : await findAddressee(mailContext, job)
    if (addressee === undefined) continue
    const message = await writeMessage({ ...mailContext, caller: addressee.caller }, addressee, job)
    if (message === undefined) continue
    if (written.length < MOST_WRITTEN) written.push(message)
    else more++
  }
  return { written, more }
}
