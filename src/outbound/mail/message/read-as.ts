import type { Caller } from '../../../access/caller.ts'
import { insiderParams, loginFor } from '../../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { COMMENT_KIND, isBlank } from '../../../bugs/comments/comment.ts'
import type { CommentPart } from '../../../bugs/comments/reading/comment-columns.ts'
import { commentText } from '../../../bugs/comments/reading/comment-json.ts'
import { listAttachmentTitles } from '../../../bugs/comments/reading/comment-title-store.ts'
import { type CommentRow, listComments, listCommentsOfBugs } from '../../../bugs/comments/reading/comment-view-store.ts'
import { entriesOf, type HistoryChange, type HistoryRow } from '../../../bugs/history/history.ts'
import { historyOfBugs } from '../../../bugs/history/read-history.ts'
import { partsFor } from '../../../bugs/reading/bug-fields.ts'
import { presentBug } from '../../../bugs/reading/bug-json.ts'
import { findBugView, keptReadState } from '../../../bugs/reading/bug-view-store.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../../../catalogue/workflow/workflow-store.ts'
import { toTime } from '../../../platform/time/clock.ts'
import { everyField } from '../../../platform/wire/field-selection.ts'
import type { MailContext } from '../mail-context.ts'

/** The reader, with their current rights. Everything read this way is limited to what they may see. */
export type MailReader = MailContext & { caller: Caller }

/** A bug by the field names of the REST API. */
export type ShownBug = Readonly<Record<string, unknown>>

/** The bug as the reader sees it; undefined if they may not see it. */
export async function bugFor(reader: MailReader, id: number): Promise<ShownBug | undefined> {
  const { db, caller, settings, catalogue } = reader
  const fields = await catalogue(keptFields)
  const hasCustomFields = fields.all.some(({ is_custom, is_obsolete }) => is_custom === 1 && is_obsolete === 0)
  const bugQuery = { db, rules: settings, viewer: viewerOf(caller), state: await catalogue(keptReadState) }
  const view = await findBugView({ ...bugQuery, parts: partsFor(everyField, hasCustomFields) }, id)
  if (view === undefined) return undefined
  return presentBug(view, { caller, settings, select: everyField, fields, workflow: await catalogue(keptWorkflow) })
}

/** The lines of the bug's history from this time. */
export async function changesFor(
  reader: MailReader,
  bugId: number,
  at: string,
  history: readonly number[],
): Promise<HistoryChange[]> {
  if (history.length === 0) return []
  return changesAmong((await historyOfBugs(reader, [bugId], secondBefore(at), at)).get(bugId) ?? [], history)
}

/** The changes with these ids. */
export function changesAmong(lines: readonly HistoryRow[], history: readonly number[]): HistoryChange[] {
  return entriesOf(lines.filter((line) => history.includes(line.change_id))).flatMap(({ changes }) => changes)
}

export function secondBefore(time: string) {
  return toTime(Date.parse(time) - 1000)
}

/** A comment, with the text that the tracker adds. */
export interface ShownComment {
  number: number
  creator: string
  at: string
  text: string
  isPrivate: boolean
  /** Whether a user wrote text, or the comment only has text from the tracker. */
  isWritten: boolean
  isAboutNewAttachment: boolean
}

const PARTS: ReadonlySet<CommentPart> = new Set<CommentPart>(['text', 'creator'])

/** Undefined if there is no comment, if it is empty, or if the reader may not read it. */
export async function commentFor(reader: MailReader, id: number | null): Promise<ShownComment | undefined> {
  return id === null ? undefined : (await commentsFor(reader, [id])).get(id)
}

/** The same for several comments, by id. */
export async function commentsFor(reader: MailReader, ids: readonly number[]): Promise<Map<number, ShownComment>> {
  if (ids.length === 0) return new Map()
  const rows = await listComments(reader.db, reader.settings, insiderParams(reader), ids, PARTS)
  return new Map(
    rows.flatMap((row): [number, ShownComment][] => {
      const comment = visibleComment(reader, row)
      return comment === undefined ? [] : [[row.id, comment]]
    }),
  )
}

/** The description of a new bug. */
export async function descriptionFor(reader: MailReader, bugId: number, at: string): Promise<ShownComment | undefined> {
  const requested = { ids: [bugId], since: secondBefore(at), last: 0 }
  for await (const [row] of listCommentsOfBugs(reader.db, reader.settings, insiderParams(reader), requested, PARTS))
    return row?.id == null ? undefined : visibleComment(reader, row)
  return undefined
}

function visibleComment(reader: MailReader, row: CommentRow): ShownComment | undefined {
  const text = commentText(row)
  if (isBlank(text)) return undefined
  return {
    number: row.number,
    creator: loginFor(row.creator, reader),
    at: row.at,
    text,
    isPrivate: row.is_private === 1,
    isWritten: !isBlank(row.text ?? '') || row.kind !== COMMENT_KIND.attachmentCreated,
    isAboutNewAttachment: row.kind === COMMENT_KIND.attachmentCreated,
  }
}

/** The summary of an attachment; undefined if the reader may not see it. */
export async function attachmentFor(
  reader: MailReader,
  id: number | null,
): Promise<{ id: number; summary: string } | undefined> {
  return id === null ? undefined : (await attachmentsFor(reader, [id])).get(id)
}

/** The same for several attachments, by id. */
export async function attachmentsFor(
  reader: MailReader,
  ids: readonly number[],
): Promise<Map<number, { id: number; summary: string }>> {
  const rows = await listAttachmentTitles(reader.db, reader.settings, insiderParams(reader), ids)
  return new Map(rows.map(({ id, summary }) => [id, { id, summary }]))
}
