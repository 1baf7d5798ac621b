import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { haveShortDescriptions } from '../name-rules.ts'
import type { Keyword, KeywordEdit } from './keyword.ts'

const LONGEST_NAME = 64

export const keywordsHaveAName: Rule<KeywordEdit> = {
  says: 'A keyword has a name.',
  brokenBy: ({ name }) => name === '',
  error: () => errors.parameter_required({ name: 'name' }),
}

export const keywordsAreOneWord: Rule<KeywordEdit> = {
  says: `A keyword is one word of at most ${LONGEST_NAME} characters, without spaces or commas.`,
  brokenBy: ({ name }) => /[\s,\p{Cc}]/u.test(name) || name.length > LONGEST_NAME,
  error: ({ name }) =>
    errors.bad_value({ name: 'name', value: name, right: `it must be one word of at most ${LONGEST_NAME} characters` }),
}

export const keywordsHaveADescription: Rule<KeywordEdit> = {
  says: 'A keyword has a description.',
  brokenBy: ({ description }) => description === '',
  error: () => errors.parameter_required({ name: 'description' }),
}

export const keywordDescriptionsHaveALimit: Rule<KeywordEdit> = haveShortDescriptions('Keywords')

/** Checked in this order. The client gets the error of the first broken rule. */
export const keywordRules = [
  keywordsHaveAName,
  keywordsAreOneWord,
  keywordsHaveADescription,
  keywordDescriptionsHaveALimit,
]

export const keywordsAreReplacedByOthers: Rule<{ from: Keyword; to: Keyword }> = {
  says: 'A deleted keyword is replaced only by another one.',
  brokenBy: ({ from, to }) => from.id === to.id,
  error: ({ to }) => errors.bad_value({ name: 'replace_with', value: to.name, right: 'it must be another keyword' }),
}

export const keywordMergeRules = [keywordsAreReplacedByOthers]
