import { insiderParams } from '../../../access/visibility/reader-rights.ts'
import { listBugTitles } from '../../../bugs/comments/reading/comment-title-store.ts'
import type { HistoryRow } from '../../../bugs/history/history.ts'
import { historyOfBugs } from '../../../bugs/history/read-history.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import type { ChangeTopic, MailJob } from '../mail-job.ts'
import {
  attachmentsFor,
  changesAmong,
  commentsFor,
  type MailReader,
  type ShownComment,
  secondBefore,
} from '../message/read-as.ts'
import {
  countedReasons,
  isRequestWanted,
  NEW_BUG_SEEN,
  type SeenChanges,
  seenChange,
  seenDependency,
} from '../message/seen-changes.ts'
import type { MailPreferences } from '../preferences/mail-preference.ts'

/** Whether a message would be sent to a user with these preferences. */
export type WantedBy = (preferences: MailPreferences) => boolean

/** Messages of which their reader may see something now. It takes a few statements for any number of messages. */
export async function seenMessages(
  reader: MailReader & { caller: { id: number; login: string } },
  jobs: readonly MailJob[],
): Promise<WantedBy[]> {
  if (jobs.length === 0) return []
  const seen = await readSeen(reader, jobs)
  const { id, login } = reader.caller
  return jobs.flatMap((job): WantedBy[] => {
    const status = seen.statuses.get(job.bugId)
    if (status === undefined) return []
    if (job.topic.type === 'request') {
      const { as, flag } = job.topic
      if (flag.attachmentId !== null && !seen.attachments.has(flag.attachmentId)) return []
      return [(preferences) => isRequestWanted(preferences, as)]
    }
    const { reasons } = job.topic
    const changes = changesIn(reader, seen, job)
    if (changes === undefined) return []
    return [
      (preferences) =>
        countedReasons({ addressee: { preferences, caller: { id, login } }, bug: { status }, job }, reasons, changes)
          .length > 0,
    ]
  })
}

/** What the reader may see of the bugs, comments and attachments that messages are about. */
interface Seen {
  /** Statuses of bugs. */
  statuses: ReadonlyMap<number, string>
  history: ReadonlyMap<number, readonly HistoryRow[]>
  comments: ReadonlyMap<number, ShownComment>
  attachments: ReadonlyMap<number, unknown>
}

async function readSeen(reader: MailReader, jobs: readonly MailJob[]): Promise<Seen> {
  const topics = jobs.map(({ topic }) => topic)
  const ids = [
    ...new Set(jobs.flatMap(({ bugId, topic }) => (topic.type === 'dependency' ? [bugId, topic.blockerId] : bugId))),
  ]
  const times = jobs.map(({ at }) => at).sort()
  const changes = topics.filter((topic) => topic.type === 'change')
  const requests = topics.filter((topic) => topic.type === 'request')
  return {
    statuses: await statusesFor(reader, ids),
    history: await historyOfBugs(reader, ids, secondBefore(times[0] ?? ''), times.at(-1)),
    comments: await commentsFor(
      reader,
      changes.flatMap(({ commentId }) => commentId ?? []),
    ),
    attachments: await attachmentsFor(reader, [
      ...changes.flatMap(({ attachmentId }) => attachmentId ?? []),
      ...requests.flatMap(({ flag }) => flag.attachmentId ?? []),
    ]),
  }
}

async function statusesFor(reader: MailReader, ids: readonly number[]): Promise<Map<number, string>> {
  const statuses = (await reader.catalogue(keptFields)).valuesOf('bug_status')
  const names = new Map(statuses.map(({ id, name }) => [id, name]))
  const bugs = await listBugTitles(reader.db, reader.settings, insiderParams(reader), ids)
  return new Map(bugs.map(({ id, status_id }) => [id, names.get(status_id) ?? '']))
}

function changesIn(reader: MailReader, seen: Seen, { kind, bugId, topic }: MailJob): SeenChanges | undefined {
  if (topic.type === 'request') return undefined
  if (topic.type === 'dependency') {
    const isSeen = seen.statuses.has(topic.blockerId)
    return isSeen ? seenDependency(changesAmong(seen.history.get(topic.blockerId) ?? [], topic.history)) : undefined
  }
  if (kind === 'bug.create') return NEW_BUG_SEEN
  return seenChange(
    reader.settings,
    changesAmong(seen.history.get(bugId) ?? [], topic.history),
    ...partsIn(seen, topic),
  )
}

function partsIn({ comments, attachments }: Seen, { commentId, attachmentId }: ChangeTopic) {
  const comment = commentId === null ? undefined : comments.get(commentId)
  return [comment, attachmentId !== null && attachments.has(attachmentId)] as const
}
