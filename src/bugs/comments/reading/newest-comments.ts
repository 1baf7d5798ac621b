import type { VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { isTurnLong, laterTurn } from '../../../platform/monitoring/event-loop.ts'
import {
  type CommentPart,
  type CommentReader,
  type CommentRow,
  type CommentsOfBugs,
  listComments,
  listCommentsOfBugs,
  type NoComment,
} from './comment-view-store.ts'

type Row = CommentRow | NoComment

const ROWS_AT_ONCE = 250
const NO_PARTS: ReadonlySet<CommentPart> = new Set()

/** The newest comments of each bug, oldest first, in pages. The other comments are read without their texts. */
export async function* listNewestComments(
  db: Db,
  rules: VisibilityRules,
  reader: CommentReader,
  wanted: CommentsOfBugs & { newest: number },
  parts: ReadonlySet<CommentPart>,
): AsyncGenerator<Row[]> {
  const newest = new Map<number, Row[]>()
  for await (const rows of listCommentsOfBugs(db, rules, reader, wanted, NO_PARTS))
    for (const row of rows) newest.set(row.bug_id, [...(newest.get(row.bug_id) ?? []), row].slice(-wanted.newest))
  const found = [...newest.values()].flat()
  for (let from = 0; from < found.length; from += ROWS_AT_ONCE) {
    if (isTurnLong()) await laterTurn()
    const some = found.slice(from, from + ROWS_AT_ONCE)
    const ids = some.flatMap(({ id }) => id ?? [])
    const whole = new Map((await listComments(db, rules, reader, ids, parts)).map((row) => [row.id, row]))
    yield some.flatMap((row) => (row.id === null ? row : (whole.get(row.id) ?? [])))
  }
}
