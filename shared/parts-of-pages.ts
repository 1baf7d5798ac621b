// How much a page comes with at first, and how its readers get at the rest.
import { addressOf } from './rest-address.ts'

/** So many of the oldest and of the newest comments come with the page of a bug; it reads the others after they are painted. */
export const COMMENTS_AT_EACH_END = 10
export const COMMENT_FIELDS = '_default,creator_detail'

/** Without scripts, a page of a bug with more comments than it comes with has links to so many of them each. */
export const COMMENTS_WITHOUT_SCRIPT = 50

/** The first comment that a reader without scripts has asked for. */
export function firstPlainComment(query: URLSearchParams): number | undefined {
  return query.has('comments_from') ? numberIn(query, 'comments_from') : undefined
}

export function commentPartCall(ref: string, from: number) {
  const to = from + COMMENTS_WITHOUT_SCRIPT - 1
  return addressOf('/bug/:ref/comment', { ref, include_fields: COMMENT_FIELDS, from, to })
}

/** The first row of a list that a reader without scripts has asked for. */
export function firstPlainRow(query: URLSearchParams): number {
  return numberIn(query, 'from')
}

/** Not so large that the sum with the length of a part is none of the numbers that the calls take. */
function numberIn(query: URLSearchParams, name: string): number {
  const given = query.get(name) ?? ''
  return /^\d{1,7}$/.test(given) ? Number(given) : 0
}
