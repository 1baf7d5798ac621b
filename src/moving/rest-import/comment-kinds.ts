import { COMMENT_KIND } from '../../bugs/comments/comment.ts'

interface CommentCells {
  thetext: string
  type: number
  extra_data: string | null
}

const DUPLICATE_OF =
  /\s*\*\*\* This bug has been marked as a duplicate of (?:bug )?(\d+)\.? \*\*\*\s*$|(?:^|\n\n)Duplicate of bug (\d+)\.$/
const HAS_DUPLICATE =
  /\s*\*\*\* Bug (\d+) has been marked as a duplicate of this bug\. \*\*\*\s*$|(?:^|\n\n)Bug (\d+) is a duplicate of this bug\.$/
const CREATED = /^(?:Created attachment |Created an attachment \(id=|New attachment )(\d+)\)?\n[^\n]*(?:\n\n|\n?$)/
const ABOUT = /^(?:Comment on attachment |\(From update of attachment |About attachment )(\d+)\)?\n[^\n]*(?:\n\n|\n?$)/

/**
 * The stored form of a comment. The REST API returns it with the sentence that the tracker adds; without it the comment is
 * about the bug or the attachment again, so that the sentence is hidden from users who may not see these.
 */
export function commentFrom(text: string, attachment: number | undefined): CommentCells {
  for (const [form, type] of [
    [DUPLICATE_OF, COMMENT_KIND.duplicateOf],
    [HAS_DUPLICATE, COMMENT_KIND.hasDuplicate],
  ] as const) {
    const match = form.exec(text)
    if (match !== null) return { thetext: text.slice(0, match.index), type, extra_data: match[1] ?? match[2] ?? null }
  }
  for (const [form, type] of [
    [CREATED, COMMENT_KIND.attachmentCreated],
    [ABOUT, COMMENT_KIND.aboutAttachment],
  ] as const) {
    const match = form.exec(text)
    if (match !== null && Number(match[1]) === attachment)
      return { thetext: text.slice(match[0].length), type, extra_data: String(attachment) }
  }
  return { thetext: text, type: COMMENT_KIND.normal, extra_data: null }
}
