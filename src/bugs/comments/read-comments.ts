import type { Asked } from '../../access/call.ts'
import { isInsider } from '../../access/reader.ts'
import { viewerOf } from '../../access/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { type ApiError, errors } from '../../platform/errors.ts'
import { idsOfRefs, whyNotThere } from '../bug-refs.ts'
import { COMMENT_KIND } from './comment.ts'
import { commentParts, presentComment } from './comment-json.ts'
import {
  type CommentReader,
  type CommentRow,
  findStanding,
  listComments,
  listCommentsOfBugs,
} from './comment-view-store.ts'

type Reading = Pick<Asked, 'db' | 'caller' | 'settings' | 'select'>

export interface WantedComments {
  /** Bugs, by number or alias, of which all comments are wanted. */
  refs: readonly string[]
  /** Only those of bugs that are later than this. */
  since: string | undefined
  /** Comments that are wanted by their own ids. */
  ids: readonly number[]
}

/** The comments of bugs and single comments, as far as the caller may read them. What is not there fails the call. */
export async function getComments(reading: Reading, { refs, since, ids }: WantedComments) {
  const bugs = await commentsByRef(reading, refs, since ?? '')
  const comments = await singleComments(reading, ids)
  return {
    bugs: Object.fromEntries([...bugs].map(([id, rows]) => [id, { comments: presented(reading, rows) }])),
    comments: Object.fromEntries(comments.map((row) => [row.id, presentComment(row, reading)])),
  }
}

function presented(reading: Reading, rows: readonly CommentRow[]) {
  return rows.map((row) => presentComment(row, reading))
}

async function commentsByRef(reading: Reading, refs: readonly string[], since: string) {
  const ids = await idsOfRefs(reading.db, refs)
  const known = [...ids.values()].flatMap((id) => id ?? [])
  const found = known.length === 0 ? new Map<number, CommentRow[]>() : await commentsOfBugs(reading, known, since)
  for (const [ref, id] of ids) if (id === undefined || !found.has(id)) throw await whyNotThere(reading.db, ref, id)
  return found
}

/** The comments of each bug that the caller may see, by its number. */
export async function commentsOfBugs(reading: Reading, ids: readonly number[], since = '') {
  const { db, settings } = reading
  const rows = await listCommentsOfBugs(db, settings, readerOf(reading), { ids, since }, commentParts(reading))
  const bugs = new Map<number, CommentRow[]>()
  for (const row of rows) {
    const comments = bugs.get(row.bug_id) ?? []
    bugs.set(row.bug_id, comments)
    if (row.id !== null) comments.push(row)
  }
  return bugs
}

async function singleComments(reading: Reading, ids: readonly number[]): Promise<CommentRow[]> {
  if (ids.length === 0) return []
  const { db, settings } = reading
  const rows = await listComments(db, settings, readerOf(reading), ids, commentParts(reading))
  const found = new Set(rows.map((row) => row.id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw await whyNotReadable(db, reading, missing)
  return rows
}

export function readerOf({ caller, settings }: Pick<Asked, 'caller' | 'settings'>): CommentReader {
  return { ...viewerOf(caller), insider: isInsider(caller, settings) ? 1 : 0 }
}

/** Why a comment is not there for the caller. One that only tells of a hidden duplicate is as if it were not. */
export async function whyNotReadable(
  db: Db,
  { caller, settings }: Pick<Asked, 'caller' | 'settings'>,
  id: number,
): Promise<ApiError> {
  const standing = await findStanding(db, settings, viewerOf(caller), id)
  if (standing === undefined) return errors.no_such_comment({ ref: String(id) })
  if (standing.is_bug_seen === 0) return errors.comments_bug_not_visible({ id })
  const isHiddenDuplicate = standing.kind === COMMENT_KIND.hasDuplicate && standing.is_private === 0
  return isHiddenDuplicate ? errors.no_such_comment({ ref: String(id) }) : errors.comment_is_private({ id })
}
