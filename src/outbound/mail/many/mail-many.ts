import { setTimeout as pause } from 'node:timers/promises'
import { PAGES_QUEUE } from '../../../access/account-notice.ts'
import type { Db } from '../../../platform/database/db.ts'
import { fold } from '../../../platform/text/fold.ts'
import type { AttemptOutcome, Job } from '../../jobs/job.ts'
import type { MailContext } from '../mail-context.ts'
import { mailJobs, wantedJobs } from '../recipients/plan-mail.ts'
import { globalWatchers, messagesTo } from '../recipients/possible-mail.ts'
import { findMailOutage } from '../sending/mail-outage-store.ts'
import { countDueMail, listFollowers, listIdsOf } from './follower-store.ts'
import { type ManyJob, reachingIn } from './many-job.ts'

/** So many followers get their messages in one step. */
const PAGE = 100
/** With more messages about to be sent, the next followers wait: so what is stored is bounded by the number of changes. */
const MOST_DUE = 1000
/** A larger CC list gets its mail in pages, too. */
const MOST_COPIED = 200

/** The users of whom the event says that it is about them get their messages first, so that they never wait for the many. */
export async function mailFirst(mailContext: MailContext, { payload }: Job): Promise<AttemptOutcome> {
  const job = payload as ManyJob
  const { people, mentioned, lost } = job.subject
  const { assignedTo, qaContact, creator, cc } = people
  const named = await listIdsOf(
    mailContext.db,
    lost.map(({ login }) => fold(login)),
  )
  const direct = [assignedTo, creator, ...(qaContact === null ? [] : [qaContact]), ...named]
  const watchingAll = await listIdsOf(mailContext.db, globalWatchers(mailContext.settings))
  const copied = cc.length > MOST_COPIED ? [] : cc
  const first = [...new Set([...direct, ...mentioned, ...watchingAll, ...copied])]
  const rest = { after: 0, except: first, personIds: [...new Set([...direct, ...cc])] }
  const next = { queue: PAGES_QUEUE, lane: String(job.mail.bugId), payload: { ...job, rest } satisfies ManyJob }
  return { done: true, jobs: [...(await messagesFor(mailContext, job, first)), next] }
}

/** The messages of the next followers. They are stored together with how far it came, so that a crash leaves out and repeats none. */
export async function mailPage(mailContext: MailContext, { payload }: Job): Promise<AttemptOutcome> {
  const { db } = mailContext
  const job = payload as ManyJob
  if (!(await waitForRoom(db))) return { waitSeconds: 1 }
  const rest = job.rest ?? { after: 0, except: [], personIds: [] }
  const { after, except, personIds } = rest
  const { places, bugId } = job.subject
  const page = await listFollowers(db, { places, bugId, personIds, after, except, most: PAGE })
  const jobs = await messagesFor(mailContext, job, page)
  const last = page.at(-1)
  if (last === undefined || page.length < PAGE) return { done: true, jobs }
  return { goOn: { ...job, rest: { ...rest, after: last } }, jobs }
}

async function messagesFor(mailContext: MailContext, job: ManyJob, userIds: readonly number[]) {
  if (userIds.length === 0) return []
  return mailJobs(wantedJobs(await messagesTo(mailContext.db, mailContext, [reachingIn(job)], { userIds })))
}

const LOOKS = 8
const LOOK_MILLISECONDS = 250

/** Waits here and not in the table, where thousands of jobs that wait would be written again and again. */
async function waitForRoom(db: Db): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await pause(LOOK_MILLISECONDS)
    if ((await countDueMail(db, MOST_DUE)) < MOST_DUE && (await findMailOutage(db)) === undefined) return true
  }
  return false
}
