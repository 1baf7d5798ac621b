import type { Settings } from '../../platform/config/settings.ts'
import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { compilePattern } from '../../platform/text/regexps.ts'
import { type FlagType, LONGEST_CC_LIST, separateAddresses } from './flag-type.ts'

export interface FlagTypeEdit {
  after: Omit<FlagType, 'id'>
  settings: Settings
}

const LONGEST_NAME = 50
const LONGEST_DESCRIPTION = 10_000
const LEAST_SORT_KEY = 1
const MOST_SORT_KEY = 32_767

export const flagTypeNamesAreOneWord: Rule<FlagTypeEdit> = {
  says: `The name of a flag type is one word of at most ${LONGEST_NAME} characters, without spaces or commas.`,
  brokenBy: ({ after: { name } }) => name === '' || name.length > LONGEST_NAME || /[\s,\p{Cc}]/u.test(name),
  error: ({ after: { name } }) => errors.flag_type_name_invalid({ name, longest: LONGEST_NAME }),
}

export const flagTypesHaveADescription: Rule<FlagTypeEdit> = {
  says: 'A flag type has a description.',
  brokenBy: ({ after }) => after.description === '',
  error: () => errors.flag_type_description_empty(),
}

export const flagTypeDescriptionsHaveALimit: Rule<FlagTypeEdit> = {
  says: `The description of a flag type has at most ${LONGEST_DESCRIPTION} characters.`,
  brokenBy: ({ after }) => after.description.length > LONGEST_DESCRIPTION,
  error: ({ after }) =>
    errors.bad_value({
      name: 'description',
      value: after.description,
      right: `it must have at most ${LONGEST_DESCRIPTION} characters`,
    }),
}

export const flagTypeSortKeysAreInRange: Rule<FlagTypeEdit> = {
  says: `The sort key of a flag type is a whole number from ${LEAST_SORT_KEY} to ${MOST_SORT_KEY}.`,
  brokenBy: ({ after: { sort_key } }) =>
    !Number.isInteger(sort_key) || sort_key < LEAST_SORT_KEY || sort_key > MOST_SORT_KEY,
  error: () => errors.flag_type_sort_key_invalid({ least: LEAST_SORT_KEY, most: MOST_SORT_KEY }),
}

export const questionsCanBeAsked: Rule<FlagTypeEdit> = {
  says: 'A flag type that is a question is requestable.',
  brokenBy: ({ after }) => after.is_question === 1 && after.is_requestable === 0,
  error: () => errors.bad_value({ name: 'is_requestable', value: false, right: 'a question must be requestable' }),
}

export const flagTypeCcListsAreShort: Rule<FlagTypeEdit> = {
  says: `The cc_list of a flag type has at most ${LONGEST_CC_LIST} characters in total.`,
  brokenBy: ({ after }) => after.cc_list.length > LONGEST_CC_LIST,
  error: () => errors.flag_type_cc_list_too_long({ longest: LONGEST_CC_LIST }),
}

export const flagTypeCcListsHoldAddresses: Rule<FlagTypeEdit> = {
  says: 'The cc_list of a flag type consists of mail addresses, which do not have to belong to accounts.',
  brokenBy: (edit) => wrongAddress(edit) !== undefined,
  error: (edit) => errors.bad_cc_address({ address: wrongAddress(edit) ?? '' }),
}

function wrongAddress({ after, settings }: FlagTypeEdit) {
  return separateAddresses(after.cc_list).find((address) => !isAddress(address, settings))
}

/** A valid login name or a usual mail address, without characters that have a meaning in a mail header. */
function isAddress(address: string, settings: Settings) {
  const isPlain = /^[!-~]+$/.test(address) && !/[\\(),:;<>"&[\]]/.test(address)
  return isPlain && (/^[^@]+@[^@]+\.[^@.]+$/.test(address) || compilePattern(settings.emailregexp).occursIn(address))
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const flagTypeRules = [
  flagTypeNamesAreOneWord,
  flagTypesHaveADescription,
  flagTypeDescriptionsHaveALimit,
  flagTypeSortKeysAreInRange,
  questionsCanBeAsked,
  flagTypeCcListsAreShort,
  flagTypeCcListsHoldAddresses,
]
