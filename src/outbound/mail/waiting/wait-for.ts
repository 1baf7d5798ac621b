import { DIGEST_QUEUE } from '../../../access/account-notice.ts'
import type { Db } from '../../../platform/database/db.ts'
import { hasSeenEvent, type SeenQuery } from '../../inbox/seen-events.ts'
import type { AttemptOutcome } from '../../jobs/job.ts'
import type { Addressee } from '../addressee/find-addressee.ts'
import type { MailJob } from '../mail-job.ts'
import { digestTime, sendTime } from './send-time.ts'

/** A digest has at most so many changes; those that come later the same day are in no mail. */
export const MOST_IN_DIGEST = 1000

/**
 * What becomes of a message that its recipient does not want now; undefined if it is to be sent. Requests are in no digest. It is asked again when the
 * wait is over, so that what the user has changed meanwhile holds.
 */
export async function waitFor(
  db: Db,
  { times, caller }: Pick<Addressee, 'times' | 'caller'>,
  job: MailJob,
): Promise<AttemptOutcome | undefined> {
  const now = Date.now()
  const changedAt = Date.parse(job.at)
  if (times.digestAt !== null && job.topic.type !== 'request' && caller.id !== null)
    return {
      moveTo: {
        queue: DIGEST_QUEUE,
        lane: `${caller.id} digest`,
        afterSeconds: secondsUntil(digestTime(times, changedAt), now),
        mostJobs: MOST_IN_DIGEST,
      },
    }
  const at = sendTime(times, changedAt, now)
  if (at > now) return { waitSeconds: secondsUntil(at, now) }
  const isSeen = times.unseenMinutes > 0 && caller.id !== null && (await hasSeenEvent(db, seenQueryOf(job, caller.id)))
  return isSeen ? { done: true } : undefined
}

function seenQueryOf({ bugId, kind, at, topic }: MailJob, userId: number): SeenQuery {
  const query = { userId, bugId, at, comment: null, history: [] }
  if (topic.type === 'request') return { ...query, isRequest: true }
  // What happened to another bug is seen only on a page.
  if (topic.type === 'dependency') return query
  return { ...query, comment: kind === 'bug.create' ? 'description' : topic.commentId, history: topic.history }
}

export function secondsUntil(at: number, now: number) {
  return Math.max(1, Math.ceil((at - now) / 1000))
}
