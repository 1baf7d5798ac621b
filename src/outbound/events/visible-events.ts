import type { CallContext } from '../../access/call.ts'
import { insiderParams, loginFor } from '../../access/visibility/reader-rights.ts'
import { listAttachmentTitles } from '../../bugs/comments/reading/comment-title-store.ts'
import { listComments } from '../../bugs/comments/reading/comment-view-store.ts'
import { entriesOf, type HistoryChange, type HistoryRow } from '../../bugs/history/history.ts'
import { historyOfBugs } from '../../bugs/history/read-history.ts'
import type { EventKind } from '../../changes/outbox.ts'
import { toTime } from '../../platform/time/clock.ts'
import { couldSeeDeleted } from '../receivers/deleted-bug.ts'
import type { OutboundEvent } from './event.ts'
import { type EventFacts, factsOf } from './event-facts.ts'
import { loginsOf } from './event-reader-store.ts'

/** The recipient, with their current rights. */
export type EventReader = Pick<CallContext, 'db' | 'caller' | 'settings' | 'catalogue' | 'baseUrl'>

/** An event with the parts that one reader may see. */
export interface VisibleEvent {
  /** The position of the event. */
  id: number
  type: EventKind
  time: string
  /** Login of the user who made the change. */
  user: string
  bug_id: number
  /** The changes as the history of the bug shows them to the reader. */
  changes: HistoryChange[]
  comment_id?: number
  attachment_id?: number
}

/** Kinds of events that need no changes, comment or attachment. */
const ALWAYS_SENT: ReadonlySet<EventKind> = new Set(['bug.create', 'bug.delete'])

/**
 * The events as the reader may see them now: without those of hidden bugs, private comments and attachments, time
 * fields and ids of hidden bugs. An event of which nothing is left is dropped. It takes a few queries for any number of
 * events.
 */
export async function visibleEvents(reader: EventReader, events: readonly OutboundEvent[]): Promise<VisibleEvent[]> {
  if (events.length === 0) return []
  const lines = await linesOf(reader, events)
  const seen = events.filter((event) =>
    event.kind === 'bug.delete' ? couldSeeDeleted(reader, event) : lines.has(event.bugId),
  )
  if (seen.length === 0) return []
  const facts = new Map(seen.map((event) => [event, factsOf(event)]))
  const comments = await readableComments(reader, [...facts.values()])
  const attachments = await readableAttachments(reader, [...facts.values()])
  const logins = await loginsOf(
    reader.db,
    seen.map(({ userId }) => userId),
  )
  return [...facts].flatMap(([event, own]) => {
    const login = logins.get(event.userId) ?? ''
    const changes = changesOf(own, lines.get(event.bugId) ?? [])
    const isAttachmentTold = own.attachmentId !== null && attachments.has(own.attachmentId)
    const isCommentTold = own.commentId !== null && comments.has(own.commentId)
    if (!ALWAYS_SENT.has(event.kind) && changes.length === 0 && !isCommentTold && !isAttachmentTold) return []
    return {
      id: event.position,
      type: event.kind,
      time: event.at,
      user: loginFor(login, reader),
      bug_id: event.bugId,
      changes,
      ...(isCommentTold && { comment_id: own.commentId as number }),
      ...(isAttachmentTold && { attachment_id: own.attachmentId as number }),
    }
  })
}

/** The history lines, from the time of the events, of the bugs that the reader may see. */
function linesOf(reader: EventReader, events: readonly OutboundEvent[]) {
  const times = events.map(({ at }) => at).sort()
  const ids = [...new Set(events.map(({ bugId }) => bugId))]
  return historyOfBugs(reader, ids, secondBefore(times[0] ?? ''), times.at(-1))
}

function secondBefore(time: string) {
  return toTime(Date.parse(time) - 1000)
}

async function readableComments(reader: EventReader, facts: readonly EventFacts[]): Promise<Set<number>> {
  const ids = facts.flatMap(({ commentId }) => commentId ?? [])
  if (ids.length === 0) return new Set()
  const rows = await listComments(reader.db, reader.settings, insiderParams(reader), ids, new Set())
  return new Set(rows.map(({ id }) => id))
}

async function readableAttachments(reader: EventReader, facts: readonly EventFacts[]): Promise<Set<number>> {
  const ids = facts.flatMap(({ attachmentId }) => attachmentId ?? [])
  const rows = await listAttachmentTitles(reader.db, reader.settings, insiderParams(reader), ids)
  return new Set(rows.map(({ id }) => id))
}

function changesOf({ history }: EventFacts, lines: readonly HistoryRow[]): HistoryChange[] {
  const own = new Set(history)
  return entriesOf(lines.filter((line) => own.has(line.change_id))).flatMap(({ changes }) => changes)
}
