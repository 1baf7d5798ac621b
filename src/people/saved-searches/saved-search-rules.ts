import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { LONGEST_QUERY, parametersIn, type SavedEdit, withoutCredentials } from './saved-search.ts'

const LONGEST_NAME = 64
/** More than a message shows. */
const SHOWN_CHARACTERS = 200

export const savedSearchesHaveAName: Rule<SavedEdit> = {
  says: 'A saved search or report has a name.',
  brokenBy: ({ name }) => name === '',
  error: () => errors.parameter_required({ name: 'name' }),
}

export const savedSearchNamesArePlain: Rule<SavedEdit> = {
  says: `The name of a saved search or report has at most ${LONGEST_NAME} characters, and none of < > &.`,
  brokenBy: ({ name }) => name.length > LONGEST_NAME || /[<>&\p{Cc}]/u.test(name),
  error: ({ name }) =>
    errors.bad_value({
      name: 'name',
      value: name,
      right: `it must have at most ${LONGEST_NAME} characters, and none of < > &`,
    }),
}

export const savedSearchesAskSomething: Rule<SavedEdit> = {
  says: 'A saved search or report has the parameters of a search.',
  brokenBy: ({ query }) => query === '',
  error: () => errors.parameter_required({ name: 'query' }),
}

export const savedSearchesHaveALimit: Rule<SavedEdit> = {
  says: `The parameters of a saved search or report have at most ${LONGEST_QUERY} characters.`,
  brokenBy: ({ query }) => query.length > LONGEST_QUERY,
  error: ({ query }) =>
    errors.bad_value({
      name: 'query',
      value: withoutCredentials(query.slice(0, SHOWN_CHARACTERS)),
      right: `it must have at most ${LONGEST_QUERY} characters`,
    }),
}

export const savedSearchesUseNoOther: Rule<SavedEdit> = {
  says: 'A saved search or report does not use another saved search.',
  brokenBy: ({ query }) => 'savedsearch' in parametersIn(query),
  error: ({ query }) =>
    errors.bad_value({
      name: 'query',
      value: query,
      right: 'a saved search cannot use another one: leave out savedsearch',
    }),
}

const GREATEST_SORT_KEY = 32_767

export const savedSearchesHaveASmallSortKey: Rule<SavedEdit> = {
  says: `The sort key of a saved search is from 0 to ${GREATEST_SORT_KEY}.`,
  brokenBy: ({ sort_key }) => sort_key < 0 || sort_key > GREATEST_SORT_KEY,
  error: ({ sort_key }) =>
    errors.bad_value({ name: 'sort_key', value: sort_key, right: `it must be from 0 to ${GREATEST_SORT_KEY}` }),
}

/** In the order they are checked: the first broken rule is the error that the client gets. */
export const savedSearchRules = [
  savedSearchesHaveAName,
  savedSearchNamesArePlain,
  savedSearchesAskSomething,
  savedSearchesHaveALimit,
  savedSearchesUseNoOther,
  savedSearchesHaveASmallSortKey,
]
