import type { Caller } from '../../../access/caller.ts'
import { loginFor } from '../../../access/visibility/reader.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { COMMENT_KIND, isBlank } from '../../../bugs/comments/comment.ts'
import { textOf } from '../../../bugs/comments/reading/comment-json.ts'
import { listAttachmentTitles } from '../../../bugs/comments/reading/comment-title-store.ts'
import {
  type CommentPart,
  type CommentRow,
  listComments,
  listCommentsOfBugs,
} from '../../../bugs/comments/reading/comment-view-store.ts'
import { readerOf } from '../../../bugs/comments/reading/read-comments.ts'
import { entriesOf, type HistoryChange } from '../../../bugs/history/history.ts'
import { historyOfBugs } from '../../../bugs/history/read-history.ts'
import { partsFor } from '../../../bugs/reading/bug-fields.ts'
import { presentBug } from '../../../bugs/reading/bug-json.ts'
import { findBugView } from '../../../bugs/reading/bug-view-store.ts'
import { keptNames } from '../../../bugs/values/bug-names.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../../../catalogue/workflow/workflow-store.ts'
import { toTime } from '../../../platform/time/clock.ts'
import { everyField } from '../../../platform/wire/field-selection.ts'
import type { MailContext } from '../mail-context.ts'

/** Whoever reads, with the rights of this moment: nothing that is read this way is more than they may know. */
export type Reader = MailContext & { caller: Caller }

/** A bug by the names of the interface. */
export type ShownBug = Readonly<Record<string, unknown>>

/** The bug as the reader sees it; undefined for one who does not. */
export async function bugFor(reader: Reader, id: number): Promise<ShownBug | undefined> {
  const { db, caller, settings, catalogue } = reader
  const fields = await catalogue(keptFields)
  const hasCustomFields = fields.all.some(({ is_custom, is_obsolete }) => is_custom === 1 && is_obsolete === 0)
  const sight = { db, rules: settings, viewer: viewerOf(caller), names: await catalogue(keptNames) }
  const view = await findBugView({ ...sight, parts: partsFor(everyField, hasCustomFields) }, id)
  if (view === undefined) return undefined
  return presentBug(view, { caller, settings, select: everyField, fields, workflow: await catalogue(keptWorkflow) })
}

/** Lines of the history of a bug, which were written at that time. */
export async function changesFor(
  reader: Reader,
  bugId: number,
  at: string,
  history: readonly number[],
): Promise<HistoryChange[]> {
  if (history.length === 0) return []
  const lines = (await historyOfBugs(reader, [bugId], secondBefore(at), at)).get(bugId) ?? []
  return entriesOf(lines.filter((line) => history.includes(line.change_id))).flatMap(({ changes }) => changes)
}

function secondBefore(time: string) {
  return toTime(Date.parse(time) - 1000)
}

/** Something that was said on a bug, with what the tracker adds to it. */
export interface ShownComment {
  number: number
  creator: string
  at: string
  text: string
  isPrivate: boolean
  /** Whether somebody wrote something, or the tracker alone says it. */
  isWritten: boolean
  isAboutNewAttachment: boolean
}

const PARTS: ReadonlySet<CommentPart> = new Set<CommentPart>(['text', 'creator'])

/** Undefined when there is none, when it says nothing, and when the reader may not read it. */
export async function commentFor(reader: Reader, id: number | null): Promise<ShownComment | undefined> {
  if (id === null) return undefined
  const [row] = await listComments(reader.db, reader.settings, readerOf(reader), [id], PARTS)
  return row && shown(reader, row)
}

/** What was written when the bug was filed. */
export async function descriptionFor(reader: Reader, bugId: number, at: string): Promise<ShownComment | undefined> {
  const wanted = { ids: [bugId], since: secondBefore(at), last: 0 }
  for await (const [row] of listCommentsOfBugs(reader.db, reader.settings, readerOf(reader), wanted, PARTS))
    return row?.id == null ? undefined : shown(reader, row)
  return undefined
}

function shown(reader: Reader, row: CommentRow): ShownComment | undefined {
  const text = textOf(row)
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

/** What an attachment is called; undefined for one who may not see it. */
export async function attachmentFor(
  reader: Reader,
  id: number | null,
): Promise<{ id: number; summary: string } | undefined> {
  if (id === null) return undefined
  const [found] = await listAttachmentTitles(reader.db, reader.settings, readerOf(reader), [id])
  return found && { id: found.id, summary: found.summary }
}
