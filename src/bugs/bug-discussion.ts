import type { Asked } from '../access/call.ts'
import { everyField, type FieldSelection } from '../platform/wire/field-selection.ts'
import { presentAttachment } from './attachments/attachment-json.ts'
import type { AttachmentRow } from './attachments/attachment-view-store.ts'
import { attachmentsOfBugs } from './attachments/read-attachments.ts'
import { presentComment, textOf } from './comments/comment-json.ts'
import type { CommentRow } from './comments/comment-view-store.ts'
import { commentsOfBugs } from './comments/read-comments.ts'
import { entriesOf, type HistoryRow } from './history/history.ts'
import { historyOfBugs } from './history/read-history.ts'

const DISCUSSION = ['description', 'comments', 'comment_count', 'history', 'attachments']

/** Whether any of the extra fields below is wanted. */
export function isDiscussed(select: FieldSelection) {
  return select !== everyField && DISCUSSION.some((field) => select.wants(field, 'extra'))
}

/**
 * The extra fields of bugs that tell what was said, attached and changed, up to some time: as many queries for one bug as for a
 * thousand.
 */
export async function discussionOf(
  asked: Asked,
  ids: readonly number[],
  until = END_OF_TIME,
): Promise<(id: number) => object> {
  const { select } = asked
  const wants = (field: string) => select.wants(field, 'extra')
  const isDiscussed = wants('description') || wants('comments') || wants('comment_count')
  if (ids.length === 0 || (!isDiscussed && !wants('history') && !wants('attachments'))) return () => ({})
  const within = commentSelection(select)
  const comments = isDiscussed
    ? await commentsOfBugs({ ...asked, select: within }, ids)
    : new Map<number, CommentRow[]>()
  const history = wants('history') ? await historyOfBugs(asked, ids) : new Map<number, HistoryRow[]>()
  // Never with their contents, which are for calls that ask for attachments and nothing else.
  const inAttachments = { ...asked, select: select.within('attachments') }
  const attachments = wants('attachments')
    ? await attachmentsOfBugs(inAttachments, ids)
    : new Map<number, AttachmentRow[]>()
  const isBy = ({ at }: { at: string }) => at <= until
  const scene = { ...asked, select: select.within('comments') }
  return (id) => {
    const said = (comments.get(id) ?? []).filter(isBy)
    const description = said.find((comment) => comment.number === 0)
    return {
      ...(wants('description') && { description: description === undefined ? '' : textOf(description) }),
      ...(wants('comments') && { comments: said.map((comment) => presentComment(comment, scene)) }),
      ...(wants('comment_count') && { comment_count: said.length }),
      ...(wants('attachments') && {
        attachments: (attachments.get(id) ?? [])
          .filter((it) => it.created_at <= until)
          .map((it) => presentAttachment(it, inAttachments)),
      }),
      ...(wants('history') && { history: entriesOf((history.get(id) ?? []).filter(isBy)) }),
    }
  }
}

/** Later than any time that is kept. */
const END_OF_TIME = 'Z'

/** What of comments has to be read: nothing but their number when they are only counted. */
function commentSelection(select: FieldSelection): FieldSelection {
  const within = select.within('comments')
  const areShown = select.wants('comments', 'extra')
  const isDescribed = select.wants('description', 'extra')
  const wants = (field: string) => (field === 'text' && isDescribed) || (areShown && within.wants(field))
  return { ...within, wants }
}
