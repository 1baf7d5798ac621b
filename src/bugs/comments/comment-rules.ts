import type { Settings } from '../../platform/config/settings.ts'
import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { isLongerThan } from '../../platform/text/characters.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { LONGEST_COMMENT } from './comment.ts'

export const commentsHaveALimit: Rule<string> = {
  says: `A comment has at most ${LONGEST_COMMENT} characters.`,
  brokenBy: (text) => isLongerThan(text, LONGEST_COMMENT),
  error: () => errors.comment_too_long({ most: LONGEST_COMMENT }),
}

export const markdownIsAllowed: Rule<{ isMarkdown: boolean; settings: Settings }> = {
  says: 'A comment can be in Markdown only while the parameter use_markdown is on.',
  brokenBy: ({ isMarkdown, settings }) => isMarkdown && !settings.use_markdown,
  error: () => errors.markdown_off(),
}

/** What a new comment may be. */
export const newCommentRules = [markdownIsAllowed]

/** Checked in this order. The client gets the error of the first broken rule. */
export const commentRules = [commentsHaveALimit]

/** compat: some calls for comments have their own error for an id that is not a number. */
export function commentIdIn(input: string): number {
  const id = idIn(input)
  if (id === undefined) throw errors.comment_id_not_a_number({ value: input })
  return id
}
