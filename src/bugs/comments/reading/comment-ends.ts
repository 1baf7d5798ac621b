import type { InsiderParams } from '../../../access/visibility/reader-rights.ts'
import type { VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { isTurnLong, laterTurn } from '../../../platform/monitoring/event-loop.ts'
import type { CommentPart } from './comment-columns.ts'
import {
  type CommentRow,
  type CommentsOfBug,
  type CommentsOfBugs,
  listComments,
  listCommentsOfBugs,
  listEndOfBug,
  type NoComment,
} from './comment-view-store.ts'

type Row = CommentRow | NoComment

/** How many of the oldest and of the newest comments of each bug are read. */
export interface CommentEnds {
  oldest: number
  newest: number
}

const ROWS_AT_ONCE = 250
const NO_PARTS: ReadonlySet<CommentPart> = new Set()

/** The oldest and the newest comments of each bug, oldest first, in pages. */
export async function* listCommentEnds(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  wanted: CommentsOfBugs & CommentEnds,
  parts: ReadonlySet<CommentPart>,
): AsyncGenerator<Row[]> {
  const [id] = wanted.ids
  if (id !== undefined && wanted.ids.length === 1 && Math.max(wanted.oldest, wanted.newest) <= ROWS_AT_ONCE)
    yield await endsOfOne(db, rules, reader, { ...wanted, id }, parts)
  else yield* endsOfMany(db, rules, reader, wanted, parts)
}

/** However many comments the bug has, only those that are wanted are read. */
async function endsOfOne(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  { oldest, newest, ...wanted }: CommentsOfBug & CommentEnds,
  parts: ReadonlySet<CommentPart>,
): Promise<Row[]> {
  const first =
    oldest === 0 ? [] : await listEndOfBug(db, rules, reader, { ...wanted, end: 'oldest', most: oldest }, parts)
  const areAll = oldest > 0 && first.length < oldest
  if (areAll || newest === 0) return first
  const end = first.at(-1)
  const last = await listEndOfBug(db, rules, reader, { ...wanted, end: 'newest', most: newest }, parts)
  if (end === undefined || end.id === null) return last
  return [...first, ...last.filter((row) => row.id !== null && row.number > end.number)]
}

/** The other comments are read without their texts. */
async function* endsOfMany(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  { oldest, newest, ...wanted }: CommentsOfBugs & CommentEnds,
  parts: ReadonlySet<CommentPart>,
): AsyncGenerator<Row[]> {
  const ends = new Map<number, { first: Row[]; last: Row[] }>()
  for await (const rows of listCommentsOfBugs(db, rules, reader, wanted, NO_PARTS))
    for (const row of rows) {
      const { first, last } = ends.get(row.bug_id) ?? { first: [], last: [] }
      ends.set(row.bug_id, { first, last })
      if (first.length < oldest) first.push(row)
      else if (last.push(row) > newest) last.shift()
    }
  const found = [...ends.values()].flatMap(({ first, last }) => [...first, ...last])
  for (let from = 0; from < found.length; from += ROWS_AT_ONCE) {
    if (isTurnLong()) await laterTurn()
    const some = found.slice(from, from + ROWS_AT_ONCE)
    const ids = some.flatMap(({ id }) => id ?? [])
    const whole = new Map((await listComments(db, rules, reader, ids, parts)).map((row) => [row.id, row]))
    yield some.flatMap((row) => (row.id === null ? row : (whole.get(row.id) ?? [])))
  }
}
