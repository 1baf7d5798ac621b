import { sql } from 'kysely'
import { type InsiderParams, isCommentReadable } from '../../../access/visibility/reader-rights.ts'
import {
  bugsVisibleTo,
  keyOfRules,
  type ViewerParams,
  type VisibilityRules,
} from '../../../access/visibility/visible-bugs.ts'
import type { ChangeColumns } from '../../../changes/change-json.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import { type PageParams, type RowsAtOnce, rowsInPages } from '../../reading/rows-in-pages.ts'
import { isBugVisible, keyOfVariant } from '../../reading/view-variant.ts'
import { idsParam, isOneOfIds, type OneOrMany } from '../../values/wanted-bugs.ts'
import { type CommentPart, partsOf } from './comment-columns.ts'

/** A comment as it is read, with the parts that were requested. */
export interface CommentRow extends Partial<ChangeColumns> {
  id: number
  bug_id: number
  number: number
  at: string
  is_private: Flag
  is_markdown: Flag
  kind: number
  about_id: number | null
  edit_count: number
  edited_at: string | null
  is_answer: Flag
  text?: string
  /** The bug that the comment is about; null if it exists and the reader may not see it. */
  other_id?: number | null
  /** Summary of the attachment that the comment is about, if the reader may see it. */
  attachment_summary?: string | null
  creator?: string
  creator_id?: number
  creator_name?: string
  creator_nick?: string | null
  /** As JSON text. */
  tags?: string
  /** The name of each reaction, as JSON text; null if there is none. */
  reactions?: string | null
  /** As JSON text; null if it mentions nobody. */
  mentions?: string | null
}

/** The user who reads comments. Private comments are only for insiders. */
type BugParams = InsiderParams & PageParams & { since: string; first: number; last: number }
type OneParams = InsiderParams & { ids: string }

/** The row of a visible bug without readable comments. */
export interface NoComment {
  bug_id: number
  id: null
}

/** Which comments to read. */
export interface CommentsOfBugs {
  ids: readonly number[]
  /** Only comments that are later than this time. */
  since?: string
  /** Only comments from this number on. */
  first?: number | undefined
  /** Only comments up to this number. */
  last?: number | undefined
}

const LAST_NUMBER = 2 ** 31 - 1

/**
 * The comments of bugs, oldest first, in pages. A bug that the reader may not see has no row. A visible bug without comments has
 * one row, NoComment.
 */
export function listCommentsOfBugs(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  { ids, since = '', first = 0, last = LAST_NUMBER, ...atOnce }: CommentsOfBugs & RowsAtOnce,
  parts: ReadonlySet<CommentPart>,
): AsyncIterableIterator<(CommentRow | NoComment)[]> {
  const numberOf = (row: CommentRow | NoComment) => (row.id === null ? null : row.number)
  const read = (page: PageParams, many: OneOrMany) =>
    db.all(commentsOf[many]({ rules, parts }), { ...reader, ...page, since, first, last })
  return rowsInPages(db, ids, numberOf, read, atOnce)
}

export interface CommentsOfBug extends Omit<CommentsOfBugs, 'ids'> {
  id: number
}

interface EndOfBug extends CommentsOfBug {
  end: 'oldest' | 'newest'
  most: number
}

/** So many of the oldest or newest comments of one bug, oldest first. */
export async function listEndOfBug(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  { id, since = '', first = 0, last = LAST_NUMBER, end, most }: EndOfBug,
  parts: ReadonlySet<CommentPart>,
): Promise<(CommentRow | NoComment)[]> {
  const params = { ...reader, ids: idsParam([id]), after: -1, most, since, first, last }
  if (end === 'oldest') return db.all(commentsOf.one({ rules, parts }), params)
  return (await db.all(newestOfOne({ rules, parts }), params)).reverse()
}

/** How many comments of each bug the reader may see. */
export async function countComments(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db.all(countsOfBugs(rules), { ...reader, ids: JSON.stringify(ids) })
  return new Map(rows.map(({ bug_id, comments }) => [bug_id, comments]))
}

/** The comments with these ids that the reader may see. */
export function listComments(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  ids: readonly number[],
  parts: ReadonlySet<CommentPart>,
): Promise<CommentRow[]> {
  return db.all(commentsByIds({ rules, parts }), { ...reader, ids: JSON.stringify(ids) })
}

const commentsOf = { one: commentStatements('one'), many: commentStatements('many') }
const newestOfOne = commentStatements('one', 'desc')

function commentStatements(many: OneOrMany, direction: 'asc' | 'desc' = 'asc') {
  return statementFamily(keyOfVariant<CommentPart>, ({ rules, parts }) =>
    statement<BugParams>()((q, p, d) =>
      bugsVisibleTo(q, d, rules, p)
        .leftJoin('comments', (join) =>
          join
            .onRef('comments.bug_id', '=', 'bugs.id')
            .on('comments.number', '>', p.after)
            .on('comments.number', '>=', p.first)
            .on('comments.number', '<=', p.last)
            .on('comments.at', '>', p.since)
            .on(isCommentReadable(d, rules, p)),
        )
        .select('bugs.id as bug_id')
        .select(COLUMNS)
        .select(partsOf(d, rules, p, parts))
        .where(isOneOfIds(d, p.ids, many))
        .orderBy('bugs.id')
        .orderBy('comments.number', direction)
        .limit(p.most)
        .$castTo<CommentRow | NoComment>(),
    ),
  )
}

const countsOfBugs = statementFamily(keyOfRules, (rules) =>
  statement<OneParams>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .innerJoin('comments', 'comments.bug_id', 'bugs.id')
      .select('bugs.id as bug_id')
      .select(sql<number>`count(*)`.as('comments'))
      .where('bugs.id', 'in', d.integersIn(p.ids))
      .where(isCommentReadable(d, rules, p))
      .groupBy('bugs.id')
      .$castTo<{ bug_id: number; comments: number }>(),
  ),
)

const commentsByIds = statementFamily(keyOfVariant<CommentPart>, ({ rules, parts }) =>
  statement<OneParams>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .innerJoin('comments', 'comments.bug_id', 'bugs.id')
      .select('bugs.id as bug_id')
      .select(COLUMNS)
      .select(partsOf(d, rules, p, parts))
      .where('comments.id', 'in', d.integersIn(p.ids))
      .where(isCommentReadable(d, rules, p))
      .$castTo<CommentRow>(),
  ),
)

const COLUMNS = [
  'comments.id',
  'comments.number',
  'comments.at',
  'comments.is_private',
  'comments.is_markdown',
  'comments.kind',
  'comments.about_id',
  'comments.edit_count',
  'comments.edited_at',
  'comments.is_answer',
] as const

interface CommentAccess {
  is_private: Flag
  kind: number
  is_bug_seen: Flag
}

/** Why a reader may not read a comment; undefined if it does not exist. */
export function findCommentAccess(db: Db, rules: VisibilityRules, viewer: ViewerParams, id: number) {
  return db.first(accessStatements(rules), { ...viewer, ids: JSON.stringify([id]) })
}

const accessStatements = statementFamily(keyOfRules, (rules) =>
  statement<ViewerParams & { ids: string }>()((q, p, d) =>
    q
      .selectFrom('comments')
      .innerJoin('bugs', 'bugs.id', 'comments.bug_id')
      .select(['comments.is_private', 'comments.kind'])
      .select(isBugVisible(d, rules, p))
      .where('comments.id', 'in', d.integersIn(p.ids))
      .$castTo<CommentAccess>(),
  ),
)
