import { nameInSentence } from '../../../core/name-in-sentence.ts'
import { type FlagType, rowInWords, rowsOf } from './flag-type-state.ts'

const MOST_NAMED = 4

/** Where flags of a type can be set, such as “on bugs in every product, except Kettle”. */
export function whereInWords({ target_type, inclusions, exclusions }: Omit<FlagType, 'id'>) {
  const included = rowsOf(inclusions).map(rowInWords)
  const excluded = rowsOf(exclusions).map(rowInWords)
  const where = included.length === 0 ? 'every product' : named(included)
  return `on ${target_type}s in ${where}${excluded.length === 0 ? '' : `, except ${named(excluded)}`}`
}

/** What people can do with flags of a type, from the same data as the form. */
export function flagTypeInWords(type: Omit<FlagType, 'id'>) {
  const { is_active, is_requestable, is_specifically_requestable, is_multiplicable, is_question } = type
  const name = nameInSentence(type.name)
  const grantGroup = type.grant_group === null ? null : nameInSentence(type.grant_group)
  const grants = grantGroup === null ? 'everybody' : `members of ${grantGroup}`
  const asks =
    grantGroup === null || type.request_group === null
      ? 'everybody may ask for it'
      : `members of ${nameInSentence(type.request_group)} and ${grantGroup} may ask for it`
  const what = is_question ? `comments answer the question ${name}` : `${grants} can grant or deny ${name}`
  const first = `${what} ${whereInWords(type)}${is_requestable ? ';' : '.'}`
  return [
    is_active
      ? first.charAt(0).toUpperCase() + first.slice(1)
      : `No new ${name} can be set; flags that are set stay. When it can be set, ${first}`,
    is_requestable &&
      `${asks}${is_specifically_requestable ? ', of anybody or of a person' : ', of nobody in particular'}.`,
    `One ${type.target_type} can have ${is_multiplicable ? 'several' : 'one'}.`,
    type.cc_list.length > 0 && is_requestable && `Requests are also mailed to ${named(type.cc_list)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function named(names: readonly string[]) {
  const more = names.length - MOST_NAMED
  const shown = (more > 1 ? names.slice(0, MOST_NAMED) : names).map(nameInSentence).join(', ')
  return more > 1 ? `${shown} and ${more} more` : shown
}
