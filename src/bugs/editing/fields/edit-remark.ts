import { aboutField } from '../../../platform/about-field.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { isBlank, normalisedComment } from '../../comments/comment.ts'
import { commentRules, newCommentRules } from '../../comments/comment-rules.ts'
import { wantedTags } from '../../comments/tags/requested-tags.ts'
import { mayChange, requireMayChange } from '../../rights/bug-permissions.ts'
import { hoursIn } from '../../values/bug-values.ts'
import type { Batch, BugEdit } from '../batch/batch.ts'

/** Reads the comment and the hours worked. The hours reduce the remaining time, unless the request sets that too. */
export function editRemark(_: Db, batch: Batch) {
  const { params, edits, editor, settings } = batch
  const body = params.comment?.body ?? params.longdesc ?? ''
  const text = isBlank(body) ? '' : normalisedComment(body)
  const isPrivate = text !== '' && (params.comment?.isPrivate ?? false)
  const isMarkdown = text !== '' && (params.comment?.isMarkdown ?? false)
  enforce(commentRules, text)
  enforce(newCommentRules, { isMarkdown, settings })
  if (text !== '' && !edits.every(({ rights }) => mayChange(rights, 'comment'))) throw errors.comments_restricted()
  if (isPrivate && !edits.every(({ rights }) => rights.isInsider)) throw errors.not_an_insider({ field: 'comment' })
  const workHundredths = isGiven(params.work_time) ? hoursIn('work_time', params.work_time) : 0
  if (workHundredths !== 0) for (const { rights } of edits) requireMayChange(rights, 'work_time')
  const tags = aboutField('comment_tags', () => wantedTags({ caller: editor, settings }, params.comment_tags))
  if (text === '' && workHundredths === 0) {
    if (tags.length > 0) batch.ignored.add('comment_tags')
    return
  }
  batch.remark = { text, isPrivate, isMarkdown, workHundredths, tags }
  if (isGiven(params.remaining_time)) return
  for (const { after } of edits) after.remaining_hundredths = Math.max(0, after.remaining_hundredths - workHundredths)
}

/** Null and empty text count as not given. */
export function isGiven(value: unknown) {
  return value !== undefined && value !== null && value !== ''
}

const byIds = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('comments').select(['id', 'bug_id', 'is_private']).where('id', 'in', d.integersIn(p.ids)),
)

/** Makes comments private or public. Throws 117 for a comment of another bug. */
export async function editPrivacy(tx: Db, { params, edits, privacy }: Batch) {
  const wanted = params.comment_is_private
  if (wanted === undefined || wanted.size === 0) return
  if (!edits.every(({ rights }) => mayChange(rights, 'comment_is_private'))) throw errors.not_an_insider()
  const rows = new Map((await tx.all(byIds, { ids: JSON.stringify([...wanted.keys()]) })).map((row) => [row.id, row]))
  for (const edit of edits)
    for (const [id, isPrivate] of wanted) {
      const comment = requireOn(edit, rows.get(id), id)
      if ((comment.is_private === 1) !== isPrivate)
        privacy.push({ bugId: edit.before.id, commentId: id, isPrivate: isPrivate ? 1 : 0 })
    }
}

function requireOn<Row extends { bug_id: number }>({ before }: BugEdit, comment: Row | undefined, id: number): Row {
  if (comment?.bug_id !== before.id) throw errors.comment_on_another_bug({ id })
  return comment
}
