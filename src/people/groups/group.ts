import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { faultInPattern } from '../../platform/text/regexps.ts'

export interface Group {
  id: number
  name: string
  description: string
  is_bug_group: 0 | 1
  user_regexp: string
  is_active: 0 | 1
  icon_url: string | null
  is_system: 0 | 1
}

export interface GroupEdit {
  /** Undefined for a new group. */
  before: Group | undefined
  after: Omit<Group, 'id'>
}

const LONGEST_NAME = 255
const LONGEST_TEXT = 10_000

export const groupsHaveAName: Rule<GroupEdit> = {
  says: 'A group has a name.',
  brokenBy: ({ after }) => after.name === '',
  error: () => errors.group_name_empty(),
}

export const groupNamesAreShort: Rule<GroupEdit> = {
  says: `The name of a group is one line of at most ${LONGEST_NAME} characters, and not a number.`,
  brokenBy: ({ after }) =>
    after.name.length > LONGEST_NAME || /^\d+$/.test(after.name) || /[\p{Cc}\u2028\u2029]/u.test(after.name),
  error: ({ after }) =>
    errors.bad_value({
      name: 'name',
      value: after.name,
      right: `it must be one line of at most ${LONGEST_NAME} characters, and not a number`,
    }),
}

export const groupsHaveADescription: Rule<GroupEdit> = {
  says: 'A group has a description.',
  brokenBy: ({ after }) => after.description === '',
  error: () => errors.group_description_empty(),
}

export const groupTextsHaveALimit: Rule<GroupEdit> = {
  says: `The description and the icon address of a group have at most ${LONGEST_TEXT} characters.`,
  brokenBy: ({ after }) => after.description.length > LONGEST_TEXT || (after.icon_url ?? '').length > LONGEST_TEXT,
  error: () =>
    errors.bad_value({ name: 'description', value: '…', right: `it must have at most ${LONGEST_TEXT} characters` }),
}

export const groupRegexpsCanBeUsed: Rule<GroupEdit> = {
  says: 'The regular expression of a group can be evaluated, in linear time.',
  brokenBy: ({ after }) => after.user_regexp !== '' && faultInPattern(after.user_regexp) !== undefined,
  error: ({ after }) =>
    errors.group_regexp_invalid({ regexp: after.user_regexp, why: faultInPattern(after.user_regexp) ?? '' }),
}

export const iconsAreWebAddresses: Rule<GroupEdit> = {
  says: 'The icon of a group is an address that begins with http:// or https://.',
  brokenBy: ({ after }) => after.icon_url !== null && !/^(https?:\/\/[^\s]+|[\w./-]+)$/i.test(after.icon_url),
  error: ({ after }) =>
    errors.bad_value({ name: 'icon_url', value: after.icon_url, right: 'it must begin with http:// or https://' }),
}

export const systemGroupsKeepTheirNature: Rule<GroupEdit> = {
  says: 'Of a system group, only the regular expression and the icon can be changed.',
  brokenBy: ({ before, after }) =>
    before?.is_system === 1 &&
    (before.name !== after.name || before.description !== after.description || before.is_active !== after.is_active),
  error: ({ before }) => errors.system_group_fixed({ group: before?.name ?? '' }),
}

/** In the order they are checked: the first broken rule is the error that the client gets. */
export const groupRules = [
  groupsHaveAName,
  groupNamesAreShort,
  groupsHaveADescription,
  groupTextsHaveALimit,
  groupRegexpsCanBeUsed,
  iconsAreWebAddresses,
  systemGroupsKeepTheirNature,
]
