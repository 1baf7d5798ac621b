import { errors } from '../../../platform/errors.ts'
import type { Rule } from '../../../platform/rule.ts'
import { COMMENT_KIND, isBlank } from '../comment.ts'
import type { EditedComment } from './comment-version-store.ts'

export const MOST_VERSIONS = 100
/** So that all versions of a comment are one short response. */
export const MOST_VERSION_CHARACTERS = 1_000_000
export const MOST_EDITS_AN_HOUR = 120

interface CommentEdit {
  before: EditedComment
  text: string
  isMarkdown: boolean
  wasDeleted: boolean
  size: { versions: number; characters: number }
  editsInLastHour: number
}

export const editedCommentsHaveAText: Rule<CommentEdit> = {
  says: 'A comment that is edited keeps a text.',
  brokenBy: ({ text }) => isBlank(text),
  error: () => errors.parameter_required({ name: 'new_comment' }),
}

export const commentsOfTheTrackerStay: Rule<CommentEdit> = {
  says: 'What the tracker wrote cannot be edited: comments about duplicates, comments without a text of their own (except for descriptions), and those whose text was deleted.',
  brokenBy: ({ before, wasDeleted }) =>
    wasDeleted || before.kind === COMMENT_KIND.hasDuplicate || (isBlank(before.text) && before.number > 0),
  error: () => errors.comment_not_written(),
}

export const editsChangeSomething: Rule<CommentEdit> = {
  says: 'An edit of a comment changes its text, or whether it is Markdown.',
  brokenBy: ({ before, text, isMarkdown }) => text === before.text && isMarkdown === (before.is_markdown === 1),
  error: () => errors.comment_unchanged(),
}

export const versionsHaveALimit: Rule<CommentEdit> = {
  says: `A comment has at most ${MOST_VERSIONS} earlier versions, with ${MOST_VERSION_CHARACTERS} characters in all.`,
  brokenBy: ({ before, size }) =>
    size.versions >= MOST_VERSIONS || size.characters + before.text.length > MOST_VERSION_CHARACTERS,
  error: () => errors.too_many_versions({ most: MOST_VERSIONS }),
}

export const editsHaveALimit: Rule<CommentEdit> = {
  says: `An account edits at most ${MOST_EDITS_AN_HOUR} comments an hour.`,
  brokenBy: ({ editsInLastHour }) => editsInLastHour >= MOST_EDITS_AN_HOUR,
  error: () => errors.too_many_edits({ most: MOST_EDITS_AN_HOUR }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const commentEditRules = [
  editedCommentsHaveAText,
  commentsOfTheTrackerStay,
  editsChangeSomething,
  versionsHaveALimit,
  editsHaveALimit,
]
