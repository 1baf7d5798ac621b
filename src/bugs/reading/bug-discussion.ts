import type { CallContext } from '../../access/call.ts'
import { everyField, type FieldSelection } from '../../platform/wire/field-selection.ts'
import { jsonInSlices } from '../../platform/wire/json/json-pieces.ts'
import { presentAttachment } from '../attachments/reading/attachment-json.ts'
import type { AttachmentRow } from '../attachments/reading/attachment-view-store.ts'
import { attachmentsOfBugs } from '../attachments/reading/read-attachments.ts'
import { presentComment, textOf } from '../comments/reading/comment-json.ts'
import type { CommentRow } from '../comments/reading/comment-view-store.ts'
import { countCommentsOfBugs, pagesOfComments } from '../comments/reading/read-comments.ts'
import { entriesInSlices, type HistoryRow } from '../history/history.ts'
import { historyOfBugs } from '../history/read-history.ts'

const DISCUSSION = ['description', 'comments', 'comment_count', 'history', 'attachments']

/** Whether one of the fields of the discussion is requested. */
export function isDiscussed(select: FieldSelection) {
  return select !== everyField && DISCUSSION.some((field) => select.wants(field, 'extra'))
}

/** Comments, attachments and history of a bug: the fields as JSON without braces, in pieces, because they may be long. */
export type Discussion = (id: number) => readonly string[]

/**
 * Reads comments, attachments and history of bugs up to a time. The number of queries is the same for one bug and for a thousand.
 * Long results are written in slices.
 */
export async function discussionOf(
  context: CallContext,
  ids: readonly number[],
  until = END_OF_TIME,
): Promise<Discussion> {
  const { select } = context
  const wants = (field: string) => select.wants(field, 'extra')
  if (ids.length === 0 || !DISCUSSION.some(wants)) return () => []
  const comments = await commentsFor(context, ids, until)
  const history = wants('history') ? await historyOfBugs(context, ids) : new Map<number, HistoryRow[]>()
  // Never with contents: only the calls for attachments return those.
  const inAttachments = { ...context, select: select.within('attachments') }
  const attachments = wants('attachments')
    ? await attachmentsOfBugs(inAttachments, ids)
    : new Map<number, AttachmentRow[]>()
  const discussions = new Map<number, string[]>()
  for (const id of ids) {
    const attached = (attachments.get(id) ?? []).filter((it) => it.created_at <= until)
    const changed = (history.get(id) ?? []).filter(({ at }) => at <= until)
    const fields: Record<string, readonly string[]> = {
      ...(wants('description') && { description: [JSON.stringify(comments.description(id))] }),
      ...(wants('comments') && { comments: ['[', ...comments.texts(id), ']'] }),
      ...(wants('comment_count') && { comment_count: [String(comments.count(id))] }),
      ...(wants('attachments') && {
        attachments: [await jsonInSlices(attached.map((it) => presentAttachment(it, inAttachments)))],
      }),
      ...(wants('history') && { history: [await jsonInSlices(await entriesInSlices(changed))] }),
    }
    const pieces = Object.entries(fields).map(([name, value], index) => [`${index > 0 ? ',' : ''}"${name}":`, ...value])
    discussions.set(id, pieces.flat())
  }
  return (id) => discussions.get(id) ?? []
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
    for await (const page of commentPages({ ...context, select: commentSelection(select) }, ids, needsAll))
      for (const [id, rows] of Map.groupBy(page, (row) => row.bug_id)) {
        const said = rows.filter(({ at }) => at <= until)
        const [first] = said
        if (first?.number === DESCRIPTION) descriptions.set(id, textOf(first))
        counts.set(id, (counts.get(id) ?? 0) + said.length)
        if (!wants('comments') || first === undefined) continue
        const pieces = texts.get(id) ?? []
        texts.set(id, pieces)
        if (pieces.length > 0) pieces.push(',')
        pieces.push(said.map((comment) => JSON.stringify(presentComment(comment, readContext))).join(','))
      }
  const counted = wants('comment_count') && !needsAll ? await countCommentsOfBugs(context, ids) : counts
  return {
    texts: (id: number) => texts.get(id) ?? [],
    description: (id: number) => descriptions.get(id) ?? '',
    count: (id: number) => counted.get(id) ?? 0,
  }
}

async function* commentPages(context: CallContext, ids: readonly number[], needsAll: boolean) {
  for await (const rows of pagesOfComments(context, { ids, ...(!needsAll && { last: DESCRIPTION }) }))
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
