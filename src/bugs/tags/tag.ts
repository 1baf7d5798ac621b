import { errors } from '../../platform/errors.ts'
import { isLongerThan } from '../../platform/text/characters.ts'

export const LONGEST_TAG = 64

/** A personal tag as it is stored: in lower case, without spaces around it. Throws 53 if it is not a valid tag. */
export function tagFrom(input: string): string {
  const tag = input.trim().toLowerCase()
  const wrong = (right: string) => errors.bad_value({ name: 'tag', value: input, right })
  if (tag === '') throw wrong('a tag must not be empty')
  if (isLongerThan(tag, LONGEST_TAG)) throw wrong(`a tag must have at most ${LONGEST_TAG} characters`)
  if (/[,\p{Cc}]/u.test(tag)) throw wrong('a tag must not contain commas or control characters')
  return tag
}
