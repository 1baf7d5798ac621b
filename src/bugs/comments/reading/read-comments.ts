import type { CallContext } from '../../../access/call.ts'
import { insiderParams } from '../../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { type ApiError, errors } from '../../../platform/errors.ts'
import { isTurnLong, laterTurn, mapInSlices } from '../../../platform/monitoring/event-loop.ts'
import { wholeOrPieces } from '../../../platform/wire/json/json-pieces.ts'
import { jsonSlices } from '../../../platform/wire/json/json-slices.ts'
import { isWrittenAtOnce, WrittenJson } from '../../../platform/wire/json/json-text.ts'
import { commentsAtOnceOf } from '../../reading/discussion-steps.ts'
import { isFullPage, ROWS_OF_A_PAGE, type RowsAtOnce } from '../../reading/rows-in-pages.ts'
import { idsOfRefs, missingBugError, visibleAmong } from '../../values/bug-refs.ts'
import { COMMENT_KIND } from '../comment.ts'
import { type CommentEnds, listCommentEnds } from './comment-ends.ts'
import { commentParts, presentComment, writtenComment } from './comment-json.ts'
import {
  type CommentRow,
  type CommentsOfBugs,
  countComments,
  findCommentAccess,
  listComments,
  listCommentsOfBugs,
  type NoComment,
} from './comment-view-store.ts'

type Page = readonly (CommentRow | NoComment)[]

type CommentReadContext = Pick<CallContext, 'db' | 'caller' | 'settings' | 'select'>
type CommentCallContext = CommentReadContext & Pick<CallContext, 'request'>

export interface WantedComments {
  /** Bugs whose comments are all returned, by number or alias. */
  refs: readonly string[]
  /** Only comments of bugs that are later than this time. */
  since: string | undefined
  /** Only comments of bugs from this number on. */
  from?: number | undefined
  /** Only comments of bugs up to this number. */
  to?: number | undefined
  /** The number of oldest comments of each bug to return. */
  oldest?: number | undefined
  /** The number of newest comments of each bug to return, besides the oldest ones. */
  newest?: number | undefined
  /** Ids of single comments. */
  ids: readonly number[]
}

/** The comments of bugs, and single comments, that the caller may read. Throws if a bug or single comment is missing. */
export async function getComments(context: CommentCallContext, request: WantedComments) {
  const { refs, since = '', from, to, ids } = request
  const ends = endsIn(request)
  const bugIds = await idsOfRefs(context.db, refs)
  const wanted = { ids: [...bugIds.values()].flatMap((id) => id ?? []), since, first: from, last: to }
  const laterRowsAtOnce = () => commentsAtOnceOf(context.db, wanted.ids)
  const pages =
    ends === undefined
      ? pagesOfComments(context, { ...wanted, rowsAtOnce: ROWS_OF_A_PAGE, laterRowsAtOnce })
      : pagesOfEnds(context, wanted, ends)
  const first: Page = (await pages.next()).value ?? []
  const isLong = isFullPage(first)
  const seen = isLong ? await visibleBugs(context, wanted.ids) : new Set(first.map((row) => row.bug_id))
  for (const [ref, id] of bugIds)
    if (id === undefined || !seen.has(id)) throw await missingBugError(context.db, ref, id)
  const singles = ids.length === 0 ? [] : await singleComments(context, ids)
  const presentSingle = (row: CommentRow) => [row.id, presentComment(row, context)] as const
  const comments = singles.length === 0 ? {} : Object.fromEntries(await mapInSlices(singles, presentSingle))
  if (isLong) return wholeOrPieces(written(context, [first], pages, comments), context.request.memory)
  if (isWrittenAtOnce(charactersOf(first) + charactersOf(singles)))
    return new WrittenJson(`{"bugs":{${writtenBugs(context, first)}},"comments":${JSON.stringify(comments)}}`)
  const bugs = Map.groupBy(first, (row) => row.bug_id)
  return {
    bugs: Object.fromEntries([...bugs].map(([id, rows]) => [id, { comments: presented(context, rows) }])),
    comments,
  }
}

/** The comments of each bug, `"1001":{"comments":[…]},…`, in the order of the rows, which is that of the bugs. */
function writtenBugs(context: CommentReadContext, rows: Page): string {
  let text = ''
  let bugId: number | undefined
  for (const row of rows) {
    if (row.bug_id !== bugId) text += `${bugId === undefined ? '' : ']},'}"${row.bug_id}":{"comments":[`
    else if (row.id !== null) text += ','
    if (row.id !== null) text += writtenComment(row, context)
    bugId = row.bug_id
  }
  return bugId === undefined ? '' : `${text}]}`
}

/** The comments of the bugs that the caller may see, in pages. */
export function pagesOfComments(
  context: CommentReadContext,
  wanted: CommentsOfBugs & RowsAtOnce,
): AsyncIterableIterator<Page> {
  return listCommentsOfBugs(context.db, context.settings, insiderParams(context), wanted, commentParts(context))
}

function pagesOfEnds(context: CommentReadContext, wanted: CommentsOfBugs, ends: CommentEnds) {
  return listCommentEnds(
    context.db,
    context.settings,
    insiderParams(context),
    { ...wanted, ...ends },
    commentParts(context),
  )
}

/** Undefined if all comments are wanted. */
function endsIn({ oldest, newest }: WantedComments): CommentEnds | undefined {
  for (const [name, value] of [['oldest', oldest] as const, ['newest', newest] as const])
    if (value !== undefined && value < 1) throw errors.number_too_small({ name, value, least: '1' })
  return oldest === undefined && newest === undefined ? undefined : { oldest: oldest ?? 0, newest: newest ?? 0 }
}

function visibleBugs({ db, caller, settings }: CommentReadContext, ids: readonly number[]) {
  return visibleAmong(db, settings, viewerOf(caller), ids)
}

function charactersOf(rows: readonly (CommentRow | NoComment)[]) {
  let characters = 0
  for (const row of rows) characters += CHARACTERS_OF_A_COMMENT + (row.id === null ? 0 : (row.text ?? '').length)
  return characters
}

/** Estimated size of the JSON of a comment without its text. */
const CHARACTERS_OF_A_COMMENT = 500

function presented(context: CommentReadContext, rows: readonly (CommentRow | NoComment)[]) {
  return rows.flatMap((row) => (row.id === null ? [] : presentComment(row, context)))
}

/** The response in pieces: `{"bugs": {"1001": {"comments": […]}, …}, "comments": {…}}`. */
async function* written(context: CommentCallContext, first: Page[], pages: AsyncIterable<Page>, comments: object) {
  let before = '{"bugs":{'
  let bugId: number | undefined
  for await (const rows of joined(first, pages)) {
    context.request.memory.holdStep(charactersOf(rows))
    let text = ''
    for (const row of rows) {
      if (row.bug_id !== bugId) text += `${before}"${row.bug_id}":{"comments":[`
      else if (row.id !== null) text += ','
      if (row.id !== null) text += writtenComment(row, context)
      bugId = row.bug_id
      before = ']},'
    }
    yield text
  }
  yield ']}},"comments":'
  yield* jsonSlices(comments)
  yield '}'
}

/** The first page is not kept while the others are read. */
async function* joined(first: Page[], more: AsyncIterable<Page>) {
  for (let page = first.shift(); page !== undefined; page = first.shift()) yield page
  yield* more
}

export function countCommentsOfBugs(context: CommentReadContext, ids: readonly number[]) {
  return countComments(context.db, context.settings, insiderParams(context), ids)
}

async function singleComments(context: CommentReadContext, ids: readonly number[]): Promise<CommentRow[]> {
  const { db, settings } = context
  const rows: CommentRow[] = []
  for (let from = 0; from < ids.length; from += SINGLES_AT_ONCE) {
    if (isTurnLong()) await laterTurn()
    const some = ids.slice(from, from + SINGLES_AT_ONCE)
    rows.push(...(await listComments(db, settings, insiderParams(context), some, commentParts(context))))
  }
  const match = new Set(rows.map((row) => row.id))
  const missing = ids.find((id) => !match.has(id))
  if (missing !== undefined) throw await unreadableCommentError(db, context, missing)
  return rows
}

const SINGLES_AT_ONCE = 250

/** The error for a comment that the caller may not read. One that only names a hidden duplicate looks like a missing comment. */
export async function unreadableCommentError(
  db: Db,
  { caller, settings }: Pick<CallContext, 'caller' | 'settings'>,
  id: number,
): Promise<ApiError> {
  const access = await findCommentAccess(db, settings, viewerOf(caller), id)
  if (access === undefined) return errors.no_such_comment({ ref: String(id) })
  if (access.is_bug_seen === 0) return errors.comments_bug_not_visible({ id })
  const isHiddenDuplicate = access.kind === COMMENT_KIND.hasDuplicate && access.is_private === 0
  return isHiddenDuplicate ? errors.no_such_comment({ ref: String(id) }) : errors.comment_is_private({ id })
}
