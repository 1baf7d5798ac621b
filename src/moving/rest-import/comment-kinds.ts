import { COMMENT_KIND } from '../../bugs/comments/comment.ts'

interface CommentCells {
  thetext: string
  type: number
  extra_data: string | null
}

/** What the source shows besides the text of a comment, which proves that the tracker has written a sentence into it. */
export interface CommentProof {
  /** The attachment that the source says it is about, and its summary. */
  readonly attachment: { id: number; summary: string } | undefined
  /** Whether its author made the bug a duplicate at the same moment, or the bug is a duplicate of this one now. */
  isDuplicateOf(bug: number): boolean
}

/** Bugzilla has an empty text before its sentence too. */
const HAS_DUPLICATE =
  /^(?:\n\n)?(?:\*\*\* Bug ([1-9]\d*) has been marked as a duplicate of this bug\. \*\*\*|Bug ([1-9]\d*) is a duplicate of this bug\.)$/
const DUPLICATE_OF =
  /(?:^|\n\n)(?:\*\*\* This bug has been marked as a duplicate of (?:bug )?([1-9]\d*) \*\*\*|Duplicate of bug ([1-9]\d*)\.)$/
const CREATED = ['Created attachment ', 'New attachment ']
const ABOUT = ['Comment on attachment ', 'About attachment ']

/**
 * The stored form of a comment. The REST API returns it with the sentence that the tracker adds; without it the comment is
 * about the bug or the attachment again. What a user may have written stays text: nothing of it is hidden with that bug.
 */
export function commentFrom(text: string, { attachment, isDuplicateOf }: CommentProof): CommentCells {
  const plain = { thetext: text, type: COMMENT_KIND.normal, extra_data: null }
  const duplicate = HAS_DUPLICATE.exec(text)
  if (duplicate !== null)
    return { thetext: '', type: COMMENT_KIND.hasDuplicate, extra_data: duplicate[1] ?? duplicate[2] ?? null }
  const original = DUPLICATE_OF.exec(text)
  const bug = original?.[1] ?? original?.[2]
  if (original !== null && bug !== undefined)
    return isDuplicateOf(Number(bug))
      ? { thetext: text.slice(0, original.index), type: COMMENT_KIND.duplicateOf, extra_data: bug }
      : plain
  if (attachment === undefined) return plain
  for (const [words, type] of [
    [CREATED, COMMENT_KIND.attachmentCreated],
    [ABOUT, COMMENT_KIND.aboutAttachment],
  ] as const)
    for (const word of words) {
      const own = textBelow(text, `${word}${attachment.id}\n${attachment.summary}`)
      if (own !== undefined) return { thetext: own, type, extra_data: String(attachment.id) }
    }
  return plain
}

/** What follows the heading; undefined if the text does not have exactly this heading. */
function textBelow(text: string, heading: string): string | undefined {
  if (text === heading) return ''
  return text.startsWith(`${heading}\n\n`) ? text.slice(heading.length + 2) : undefined
}
