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
  /** Whether the text is Markdown. The caller has checked that it may be. */
  isMarkdown?: boolean
  kind?: CommentKind
  /** The other bug or the attachment that the comment is about, if its kind has one. */
  aboutId?: number | null
  workHundredths?: number
  tags?: readonly string[]
}

/**
 * Adds a comment with the next number of its bug, and returns its id. The caller has locked the bug and checked the rights of the
 * author; it also writes the history, the time of the change and the event. The first comment is the description.
 */
export async function addComment(tx: BugTransaction, comment: CommentToAdd): Promise<number> {
  const text = normalisedComment(comment.text)
  enforce(commentRules, text)
  const { bugId, userId, at, isPrivate, kind = COMMENT_KIND.normal, aboutId = null, workHundredths = 0 } = comment
  if (workHundredths !== 0) await addWorkToBugs(tx, [bugId], workHundredths)
  const flags = { isPrivate: isPrivate ? 1 : 0, isMarkdown: comment.isMarkdown ? 1 : 0 } as const
  const stored = { bugId, userId, at, text, kind, aboutId, workHundredths, ...flags }
  const id = await insertComment(tx, stored)
  if (comment.tags?.length) await addTags(tx, [id], comment.tags)
  return id
}

/** Adds the same comment to several bugs. Returns the id of each comment, by bug. */
export async function addCommentToBugs(
  tx: BugTransaction,
  bugIds: readonly number[],
  comment: Omit<CommentToAdd, 'bugId' | 'aboutId'>,
): Promise<Map<number, number>> {
  const text = normalisedComment(comment.text)
  enforce(commentRules, text)
  const { userId, at, isPrivate, kind = COMMENT_KIND.normal, workHundredths = 0 } = comment
  if (workHundredths !== 0) await addWorkToBugs(tx, bugIds, workHundredths)
  const flags = { isPrivate: isPrivate ? 1 : 0, isMarkdown: comment.isMarkdown ? 1 : 0 } as const
  const stored = { bugIds, userId, at, text, kind, workHundredths, ...flags }
  const ids = await insertCommentOnEach(tx, stored)
  if (comment.tags?.length) await addTags(tx, [...ids.values()], comment.tags)
  return ids
}
