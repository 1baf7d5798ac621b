import type { CallContext } from '../../../access/call.ts'
import { requireListRoom } from '../../../access/list-limits.ts'
import { insiderParams } from '../../../access/visibility/reader-rights.ts'
import { type WriteBasis, writeBugs } from '../../../access/write-bugs.ts'
import { errors } from '../../../platform/errors.ts'
import { lockBugs } from '../../editing/lock-bugs.ts'
import { noteCommentChanged } from '../edits/comment-version-store.ts'
import { listComments } from '../reading/comment-view-store.ts'
import { unreadableCommentError } from '../reading/read-comments.ts'
import { addTags, findTags, listTags, removeTags } from './comment-tag-store.ts'
import { requireTagger, wantedTags } from './requested-tags.ts'

type TagContext = Pick<CallContext, 'db' | 'caller' | 'settings'>

/** Adds and removes tags of a comment. Returns the resulting tags; none for a comment that does not exist. */
export async function changeCommentTags(
  context: WriteBasis,
  id: number,
  wanted: { add: readonly string[]; remove: readonly string[] },
): Promise<string[]> {
  requireTagger(context)
  return writeBugs(context, async (tx, current) => {
    requireTagger(current)
    const [comment] = await listComments(tx, current.settings, insiderParams(current), [id], new Set())
    if (comment === undefined) {
      const why = await unreadableCommentError(tx, current, id)
      if (why.reason === 'no_such_comment') return []
      throw why
    }
    await lockBugs(tx, [comment.bug_id])
    const before = await listTags(tx, comment.id)
    await addTags(tx, [comment.id], wantedTags(context, wanted.add))
    await removeTags(
      tx,
      comment.id,
      wanted.remove.map((tag) => tag.trim()),
    )
    const after = await listTags(tx, comment.id)
    requireListRoom('commentTags', before.length, after.length)
    if (after.join() !== before.join()) await noteCommentChanged(tx, comment.bug_id)
    return after
  })
}

const USUAL_LIMIT = 10
const MOST = 1000

/** The tags that contain the text, of comments that the caller may read. */
export async function searchCommentTags(
  context: TagContext & Pick<CallContext, 'request'>,
  part: string,
  limit = USUAL_LIMIT,
): Promise<string[]> {
  requireTagger(context)
  if (limit < 0) throw errors.bad_value({ name: 'limit', value: limit, right: 'it must not be negative' })
  const db = context.db.within(context.request.readLimits)
  return findTags(db, context.settings, insiderParams(context), part.trim(), Math.min(limit, MOST))
}
