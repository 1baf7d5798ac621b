import { errors } from '../platform/errors.ts'
import type { Rule } from '../platform/rule.ts'
import { isOneLine } from '../platform/text/one-line.ts'

export const LONGEST_NAME = 64
export const LONGEST_DESCRIPTION = 10_000

/** Rules that several resources share. The argument is the plural name of the resource. */

export function haveAName(things: string): Rule<{ name: string }> {
  return {
    says: `${things} have a name.`,
    brokenBy: ({ name }) => name === '',
    error: () => errors.parameter_required({ name: 'name' }),
  }
}

export function haveShortNames(things: string): Rule<{ name: string }> {
  const right = `one line of at most ${LONGEST_NAME} characters`
  return {
    says: `The names of ${things.toLowerCase()} are ${right}.`,
    brokenBy: ({ name }) => name.length > LONGEST_NAME || !isOneLine(name),
    error: ({ name }) => errors.bad_value({ name: 'name', value: name, right: `it must be ${right}` }),
  }
}

export function haveShortDescriptions(things: string): Rule<{ description: string }> {
  return {
    says: `The descriptions of ${things.toLowerCase()} have at most ${LONGEST_DESCRIPTION} characters.`,
    brokenBy: ({ description }) => description.length > LONGEST_DESCRIPTION,
    error: ({ description }) =>
      errors.bad_value({
        name: 'description',
        value: description,
        right: `it must have at most ${LONGEST_DESCRIPTION} characters`,
      }),
  }
}

const GREATEST_SORT_KEY = 32_767

export function haveSortKeysFrom(least: number, things: string): Rule<{ sort_key: number }> {
  return {
    says: `The sort keys of ${things.toLowerCase()} are from ${least} to ${GREATEST_SORT_KEY}.`,
    brokenBy: ({ sort_key }) => sort_key < least || sort_key > GREATEST_SORT_KEY,
    error: ({ sort_key }) =>
      errors.bad_value({
        name: 'sort_key',
        value: sort_key,
        right: `it must be from ${least} to ${GREATEST_SORT_KEY}`,
      }),
  }
}
