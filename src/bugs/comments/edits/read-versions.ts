import type { CallContext } from '../../../access/call.ts'
import { isSignedIn } from '../../../access/caller.ts'
import { insiderParams, loginFor } from '../../../access/visibility/reader-rights.ts'
import { listComments } from '../reading/comment-view-store.ts'
import { unreadableCommentError } from '../reading/read-comments.ts'
import { listReplacedTexts } from './comment-version-store.ts'
import { isCommentAdmin } from './edit-rights.ts'

/** The versions of a comment that the caller may see, oldest first; the last one is what it says now. Hidden texts are null for others. */
export async function readVersions(context: CallContext, id: number) {
  const { db, settings, caller } = context
  const [comment] = await listComments(db, settings, insiderParams(context), [id], new Set(['text', 'creator']))
  if (comment === undefined) throw await unreadableCommentError(db, context, id)
  const replaced = comment.edit_count === 0 ? [] : await listReplacedTexts(db, id)
  const seesHidden = isSignedIn(caller) && isCommentAdmin({ caller, settings })
  const now = { text: comment.text ?? '', is_markdown: comment.is_markdown, is_hidden: 0 as const }
  context.request.memory.hold(replaced.reduce((sum, { text }) => sum + text.length, now.text.length))
  return [...replaced, now].map((it, version) => {
    const before = version === 0 ? undefined : replaced[version - 1]
    return {
      version,
      text: it.is_hidden === 1 && !seesHidden ? null : it.text,
      is_markdown: it.is_markdown === 1,
      is_hidden: it.is_hidden === 1,
      creator: loginFor(before === undefined ? comment.creator : before.login, context),
      time: before?.at ?? comment.at,
    }
  })
}

/** What users wrote in these comments, without the lines of the tracker, by id. */
export async function readOwnTexts(context: CallContext, ids: readonly number[]): Promise<Record<string, string>> {
  const { db, settings } = context
  const rows = await listComments(db, settings, insiderParams(context), ids, new Set(['text']))
  const texts = new Map(rows.map(({ id, text }) => [id, text ?? '']))
  const missing = ids.find((id) => !texts.has(id))
  if (missing !== undefined) throw await unreadableCommentError(db, context, missing)
  context.request.memory.hold([...texts.values()].reduce((sum, text) => sum + text.length, 0))
  return Object.fromEntries(texts)
}
