import type { BugTransaction } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import { COMMENT_KIND, type CommentKind, normalisedComment } from './comment.ts'
import { commentRules } from './comment-rules.ts'
import { addWorkToBugs, insertComment, insertCommentOnEach } from './comment-store.ts'
import { addTags } from './tags/comment-tag-store.ts'

export interface CommentToAdd {
  bugId: number
  userId: number
  at: string
  text: string
  isPrivate: boolean
  kind?: CommentKind
  /** The other bug or the attachment that a comment of some kind is about. */
  aboutId?: number | null
  workHundredths?: number
  tags?: readonly string[]
}

/**
 * Adds a comment under the next number of its bug; the first one is the description. In a transaction that has locked the bug's row.
 * Whoever calls has decided that the author may, and writes the history, the time of the change and the event. Answers its id.
 */
export async function addComment(tx: BugTransaction, comment: CommentToAdd): Promise<number> {
  const text = normalisedComment(comment.text)
  enforce(commentRules, text)
  const { bugId, userId, at, isPrivate, kind = COMMENT_KIND.normal, aboutId = null, workHundredths = 0 } = comment
  if (workHundredths !== 0) await addWorkToBugs(tx, [bugId], workHundredths)
  const stored = { bugId, userId, at, text, isPrivate: isPrivate ? 1 : 0, kind, aboutId, workHundredths } as const
  const id = await insertComment(tx, stored)
  if (comment.tags?.length) await addTags(tx, [id], comment.tags)
  return id
}

/** The same comment on several bugs. Answers its id on each, by bug. */
export async function addCommentToBugs(
  tx: BugTransaction,
  bugIds: readonly number[],
  comment: Omit<CommentToAdd, 'bugId' | 'aboutId'>,
): Promise<Map<number, number>> {
  const text = normalisedComment(comment.text)
  enforce(commentRules, text)
  const { userId, at, isPrivate, kind = COMMENT_KIND.normal, workHundredths = 0 } = comment
  if (workHundredths !== 0) await addWorkToBugs(tx, bugIds, workHundredths)
  const stored = { bugIds, userId, at, text, isPrivate: isPrivate ? 1 : 0, kind, workHundredths } as const
  const ids = await insertCommentOnEach(tx, stored)
  if (comment.tags?.length) await addTags(tx, [...ids.values()], comment.tags)
  return ids
}
