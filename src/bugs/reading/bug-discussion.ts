import type { CallContext } from '../../access/call.ts'
import type { FieldSelection } from '../../platform/wire/field-selection.ts'
import { jsonInSlices } from '../../platform/wire/json/json-pieces.ts'
import { presentAttachment } from '../attachments/reading/attachment-json.ts'
import type { AttachmentRow } from '../attachments/reading/attachment-view-store.ts'
import { attachmentsOfBugs } from '../attachments/reading/read-attachments.ts'
import { commentText, presentComment } from '../comments/reading/comment-json.ts'
import type { CommentRow, CommentsOfBugs } from '../comments/reading/comment-view-store.ts'
import { countCommentsOfBugs, pagesOfComments } from '../comments/reading/read-comments.ts'
import { entriesInSlices, type HistoryRow } from '../history/history.ts'
import { historyOfBugs } from '../history/read-history.ts'
import { DISCUSSION } from './discussion-steps.ts'
import type { RowsAtOnce } from './rows-in-pages.ts'

/** Comments, attachments and history of a bug: the fields as JSON without braces, in pieces, because they may be long. */
export type DiscussionPieces = AsyncIterable<string> | Iterable<string>
/** Undefined if nothing of it is requested. */
export type Discussion = (id: number) => DiscussionPieces | undefined

/**
 * Reads comments, attachments and history of bugs up to a time. The number of queries is the same for one bug and for a thousand.
 * Long results are written in slices.
 */
export async function discussionOf(
  context: CallContext,
  ids: readonly number[],
  { until = END_OF_TIME, commentsAtOnce }: { until?: string; commentsAtOnce?: number | undefined } = {},
): Promise<Discussion> {
  const { select } = context
  const wants = (field: string) => select.wants(field, 'extra')
  if (ids.length === 0 || !DISCUSSION.some(wants)) return () => undefined
  const isLong = commentsAtOnce !== undefined
  const comments = isLong ? await longComments(context, ids, commentsAtOnce) : await commentsFor(context, ids, until)
  const history = wants('history') ? await historyOfBugs(context, ids) : new Map<number, HistoryRow[]>()
  // Never with contents: only the calls for attachments return those.
  const inAttachments = { ...context, select: select.within('attachments') }
  const attachments = wants('attachments')
    ? await attachmentsOfBugs(inAttachments, ids)
    : new Map<number, AttachmentRow[]>()
  const discussions = new Map<number, DiscussionPieces[]>()
  let characters = 0
  for (const id of ids) {
    const attached = (attachments.get(id) ?? []).filter((it) => it.created_at <= until)
    const changed = (history.get(id) ?? []).filter(({ at }) => at <= until)
    const fields: Record<string, DiscussionPieces> = {
      ...(wants('description') && { description: [JSON.stringify(comments.description(id))] }),
      ...(wants('comments') && { comments: comments.texts(id) }),
      ...(wants('comment_count') && { comment_count: [String(comments.count(id))] }),
      ...(wants('attachments') && {
        attachments: [await jsonInSlices(attached.map((it) => presentAttachment(it, inAttachments)))],
      }),
      ...(wants('history') && { history: [await jsonInSlices(await entriesInSlices(changed))] }),
    }
    const pieces = Object.entries(fields).map(([name, value], index) => [[`${index > 0 ? ',' : ''}"${name}":`], value])
    discussions.set(id, pieces.flat())
    for (const part of Object.values(fields)) if (Array.isArray(part)) characters += lengthOf(part)
    context.request.memory.holdStep(characters)
  }
  return (id) => joined(discussions.get(id) ?? [])
}

async function* joined(parts: readonly DiscussionPieces[]) {
  for (const part of parts) yield* part
}

function lengthOf(pieces: readonly string[]) {
  let characters = 0
  for (const { length } of pieces) characters += length
  return characters
}

/** The comments of one bug with a long discussion, which are read as they are sent. */
async function longComments(context: CallContext, ids: readonly number[], rowsAtOnce: number) {
  const { select } = context
  const wanted = { ...context, select: commentSelection(select) }
  const readContext = { ...context, select: select.within('comments') }
  const descriptions = new Map<number, string>()
  if (select.wants('description', 'extra'))
    for await (const rows of commentPages(wanted, { ids, last: DESCRIPTION }))
      for (const row of rows) descriptions.set(row.bug_id, commentText(row))
  const counts = select.wants('comment_count', 'extra') ? await countCommentsOfBugs(context, ids) : new Map()
  return {
    async *texts(id: number) {
      let before = '['
      for await (const rows of commentPages(wanted, { ids: [id], rowsAtOnce })) {
        if (rows.length === 0) continue
        yield before + rows.map((row) => JSON.stringify(presentComment(row, readContext))).join(',')
        before = ','
      }
      yield before === '[' ? '[]' : ']'
    },
    description: (id: number) => descriptions.get(id) ?? '',
    count: (id: number): number => counts.get(id) ?? 0,
  }
}

/** The requested comments of each bug. If only their number is requested, they are counted and not read. */
async function commentsFor(context: CallContext, ids: readonly number[], until: string) {
  const { select } = context
  const wants = (field: string) => select.wants(field, 'extra')
  const readContext = { ...context, select: select.within('comments') }
  const texts = new Map<number, string[]>()
  const descriptions = new Map<number, string>()
  const counts = new Map<number, number>()
  const needsAll = wants('comments') || (wants('comment_count') && until !== END_OF_TIME)
  if (needsAll || wants('description'))
    for await (const page of commentPages(
      { ...context, select: commentSelection(select) },
      { ids, ...(!needsAll && { last: DESCRIPTION }) },
    ))
      for (const [id, rows] of Map.groupBy(page, (row) => row.bug_id)) {
        const said = rows.filter(({ at }) => at <= until)
        const [first] = said
        if (first?.number === DESCRIPTION) descriptions.set(id, commentText(first))
        counts.set(id, (counts.get(id) ?? 0) + said.length)
        if (!wants('comments') || first === undefined) continue
        const pieces = texts.get(id) ?? []
        texts.set(id, pieces)
        if (pieces.length > 0) pieces.push(',')
        pieces.push(said.map((comment) => JSON.stringify(presentComment(comment, readContext))).join(','))
      }
  const counted = wants('comment_count') && !needsAll ? await countCommentsOfBugs(context, ids) : counts
  return {
    texts: (id: number) => ['[', ...(texts.get(id) ?? []), ']'],
    description: (id: number) => descriptions.get(id) ?? '',
    count: (id: number) => counted.get(id) ?? 0,
  }
}

async function* commentPages(context: CallContext, wanted: CommentsOfBugs & RowsAtOnce) {
  for await (const rows of pagesOfComments(context, wanted))
    yield rows.filter((row): row is CommentRow => row.id !== null)
}

/** The number of the comment that is the description. */
const DESCRIPTION = 0

/** Later than any stored time. */
const END_OF_TIME = 'Z'

/** The parts of comments to read: none if they are only counted. */
function commentSelection(select: FieldSelection): FieldSelection {
  const within = select.within('comments')
  const areShown = select.wants('comments', 'extra')
  const isDescribed = select.wants('description', 'extra')
  const wants: FieldSelection['wants'] = (field, kind) =>
    (field === 'text' && isDescribed) || (areShown && within.wants(field, kind))
  return { ...within, wants }
}
