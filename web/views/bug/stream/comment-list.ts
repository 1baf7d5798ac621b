// The comments of a bug that have been read. Of a long bug these are the oldest and the newest ones first, and the rest after the paint.

import { COMMENT_FIELDS, COMMENTS_AT_EACH_END } from '../../../../shared/parts-of-pages.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import type { Comment } from '../../../core/server/types.ts'

/** Hours without words: the stream has them as a change. */
export function isWordless({ count, text, attachment_id: file, tags }: Comment): boolean {
  return count > 0 && text === '' && file === null && !tags?.length
}

/** Numbers of comments, both ends included. */
export interface NumberRange {
  readonly from: number
  readonly to: number
}

export interface CommentList {
  /** Oldest first. */
  readonly comments: readonly Comment[]
  /** The comments that have not been read yet; not all of these numbers need to exist. */
  readonly gaps: readonly NumberRange[]
}

/** What is read with a linked comment, on each side of it. */
const NEAR = 5

/** The comments that are shown around the one that the address names. */
export function rangeAround(number: number): NumberRange {
  return { from: Math.max(number - NEAR, 0), to: number + NEAR }
}

/** The number of a comment in the address, such as `c12`. */
export function commentNumberIn(hash: string): number | undefined {
  return /^c\d{1,9}$/.test(hash) ? Number(hash.slice(1)) : undefined
}

export function partCall(ref: string, { from, to }: NumberRange) {
  return addressOf('/bug/:ref/comment', { ref, include_fields: COMMENT_FIELDS, from, to })
}

/** The oldest and the newest comments, as the page comes with them. */
export function listOfEnds(comments: readonly Comment[]): CommentList {
  const before = comments[COMMENTS_AT_EACH_END - 1]
  const after = comments[COMMENTS_AT_EACH_END]
  const isWhole = comments.length < 2 * COMMENTS_AT_EACH_END || before === undefined || after === undefined
  if (isWhole || after.count === before.count + 1) return { comments, gaps: [] }
  return { comments, gaps: [{ from: before.count + 1, to: after.count - 1 }] }
}

/** Adds all comments of a range. Those that were there already stay the same objects, so that they are not drawn again. */
export function withPart({ comments, gaps }: CommentList, part: readonly Comment[], range: NumberRange): CommentList {
  const byNumber = new Map(part.map((comment) => [comment.count, comment]))
  for (const comment of comments) byNumber.set(comment.count, comment)
  return {
    comments: [...byNumber.values()].sort((one, other) => one.count - other.count),
    gaps: gaps.flatMap((gap) =>
      [
        { from: gap.from, to: Math.min(gap.to, range.from - 1) },
        { from: Math.max(gap.from, range.to + 1), to: gap.to },
      ].filter(({ from, to }) => from <= to),
    ),
  }
}

export function sizeOf({ from, to }: NumberRange) {
  return to - from + 1
}
