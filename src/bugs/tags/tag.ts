import { errors } from '../../platform/errors.ts'
import { isLongerThan } from '../../platform/text/characters.ts'

export const LONGEST_TAG = 64

/** A personal tag as it is kept: in small letters, without blanks around it; 53 when it can be none. */
export function tagFrom(given: string): string {
  const tag = given.trim().toLowerCase()
  const wrong = (right: string) => errors.bad_value({ name: 'tag', value: given, right })
  if (tag === '') throw wrong('a tag cannot be empty')
  if (isLongerThan(tag, LONGEST_TAG)) throw wrong(`a tag has at most ${LONGEST_TAG} characters`)
  if (/[,\p{Cc}]/u.test(tag)) throw wrong('a tag holds no commas and no control characters')
  return tag
}
