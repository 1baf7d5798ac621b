import { requireGroup } from '../../access/caller.ts'
import { insiderParams } from '../../access/visibility/reader-rights.ts'
import { type WriteBasis, writeBugs } from '../../access/write-bugs.ts'
import { recordRemoval } from '../../changes/audit.ts'
import { recordEvent } from '../../changes/outbox.ts'
import { DELETED_TEXT } from '../../changes/readable-history.ts'
import { recordBugChanges } from '../../changes/record-bug-changes.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { requireReason } from '../editing/deletion-reason.ts'
import { lockBugs } from '../editing/lock-bugs.ts'
import { bugOfComment, replaceText } from './comment-store.ts'
import { deleteVersions } from './edits/comment-version-store.ts'
import { forgetMentions } from './mentions/mention-store.ts'
import { listComments } from './reading/comment-view-store.ts'
import { unreadableCommentError } from './reading/read-comments.ts'

/** Deletes the text of a comment for good. The comment keeps its number, author and time, and gives the reason instead. */
export async function deleteCommentText(
  basis: WriteBasis,
  id: number,
  givenReason: string | undefined,
): Promise<{ id: number; name: string }> {
  requireGroup(basis.caller, 'admin')
  const reason = requireReason(givenReason)
  return writeBugs(basis, async (tx, current) => {
    const admin = requireGroup(current.caller, 'admin')
    const bugId = await bugOfComment(tx, id)
    if (bugId !== undefined) await lockBugs(tx, [bugId])
    const [comment] = await listComments(tx, current.settings, insiderParams(current), [id], new Set())
    if (comment === undefined) throw await unreadableCommentError(tx, current, id)
    const at = timeNow()
    await deleteVersions(tx, id)
    await replaceText(tx, comment, `The text of this comment was deleted: ${reason}`)
    await forgetMentions(tx, id)
    const what = `comment ${comment.number}`
    const line = { bugId: comment.bug_id, commentId: id, field: DELETED_TEXT, removed: what, added: '' }
    const history = (await recordBugChanges(tx, admin.id, [line], at)).get(comment.bug_id) ?? []
    await recordEvent(tx, { kind: 'bug.update', bugId: comment.bug_id, who: admin.id, at, facts: { history } })
    await recordRemoval(tx, { who: admin.id, class: 'Comment', objectId: id }, reason)
    return { id, name: `${what} of bug ${comment.bug_id}` }
  })
}
