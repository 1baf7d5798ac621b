import { errors } from '../../../platform/errors.ts'
import type { Rule } from '../../../platform/rule.ts'
import { isLongerThan } from '../../../platform/text/characters.ts'

/** The largest number of tags in one call. */
export const MOST_COMMENT_TAGS = 100

const SHORTEST = 3
const LONGEST = 24

export const commentTagsAreNotTooShort: Rule<string> = {
  says: `A tag of a comment has at least ${SHORTEST} characters.`,
  brokenBy: (tag) => !isLongerThan(tag, SHORTEST - 1),
  error: (tag) => errors.comment_tag_too_short({ tag, least: SHORTEST }),
}

export const commentTagsAreNotTooLong: Rule<string> = {
  says: `A tag of a comment has at most ${LONGEST} characters.`,
  brokenBy: (tag) => isLongerThan(tag, LONGEST),
  error: (tag) => errors.comment_tag_too_long({ tag, most: LONGEST }),
}

export const commentTagsAreOneWord: Rule<string> = {
  says: 'A tag of a comment consists only of letters, digits and the characters . _ -.',
  brokenBy: (tag) => !/^[\p{L}\p{M}\p{N}._-]*$/u.test(tag),
  error: (tag) => errors.comment_tag_wrong({ tag }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const commentTagRules = [commentTagsAreNotTooShort, commentTagsAreNotTooLong, commentTagsAreOneWord]
