import { HAS_DUPLICATE } from '../../access/visibility/reader-rights.ts'
import { POPULAR_VOTES } from '../../platform/database/coded-values.ts'

/** Kinds of comments. All but `normal` get a sentence from the tracker. The numbers are those of Bugzilla. */
export const COMMENT_KIND = {
  normal: 0,
  duplicateOf: 1,
  hasDuplicate: HAS_DUPLICATE,
  popularVotes: POPULAR_VOTES,
  attachmentCreated: 5,
  aboutAttachment: 6,
} as const

export type CommentKind = (typeof COMMENT_KIND)[keyof typeof COMMENT_KIND]

export const LONGEST_COMMENT = 65_535

/** The text as it is stored: lines end with a line feed, and white space at the end is removed. */
export function normalisedComment(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').trimEnd()
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** The stored text of a comment, and what it is about if its reader may see that. */
export interface CommentContent {
  text: string
  kind: number
  /** The other bug or the attachment; null if there is none, or a bug that the reader may not see. */
  aboutId: number | null
  /** Summary of the attachment; null if the reader may not see it. */
  attachmentSummary: string | null
}

/** The text that readers get: the stored text with the sentence that the tracker adds. */
export function servedText({ text, kind, aboutId, attachmentSummary }: CommentContent): string {
  switch (kind) {
    case COMMENT_KIND.duplicateOf:
      return followedBy(text, aboutId === null ? 'Duplicate of another bug.' : `Duplicate of bug ${aboutId}.`)
    case COMMENT_KIND.hasDuplicate:
      return followedBy(text, `Bug ${aboutId} is a duplicate of this bug.`)
    case COMMENT_KIND.popularVotes:
      return followedBy(text, 'This bug was confirmed by popular vote.')
    case COMMENT_KIND.attachmentCreated:
      return headed(`New attachment ${aboutId}`, attachmentSummary, text)
    case COMMENT_KIND.aboutAttachment:
      return headed(`About attachment ${aboutId}`, attachmentSummary, text)
    default:
      return text
  }
}

function followedBy(text: string, sentence: string) {
  return text === '' ? sentence : `${text}\n\n${sentence}`
}

function headed(heading: string, summary: string | null, text: string) {
  const first = summary === null ? heading : `${heading}\n${summary}`
  return text === '' ? first : `${first}\n\n${text}`
}

export function isAboutAttachment(kind: number): boolean {
  return kind === COMMENT_KIND.attachmentCreated || kind === COMMENT_KIND.aboutAttachment
}
