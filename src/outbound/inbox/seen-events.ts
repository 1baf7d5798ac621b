import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** An event that a message would be about. */
export interface SeenQuery {
  userId: number
  bugId: number
  at: string
  /** Null if it has none; `description` for that of a new bug. */
  comment: number | 'description' | null
  /** The ids of its history lines. */
  history: readonly number[]
  /** Requests have been seen when the entry was read after them. */
  isRequest?: boolean
}

const seen = statement<{ userId: number; bugId: number; commentId: number }>()((q, p) =>
  q
    .selectFrom('users')
    .leftJoin('inbox_entries', (join) =>
      join.onRef('inbox_entries.user_id', '=', 'users.id').on('inbox_entries.bug_id', '=', p.bugId),
    )
    .leftJoin('last_visits', (join) =>
      join.onRef('last_visits.user_id', '=', 'users.id').on('last_visits.bug_id', '=', p.bugId),
    )
    .leftJoin('comments', (join) => join.on('comments.id', '=', p.commentId).on('comments.bug_id', '=', p.bugId))
    .select([
      'inbox_entries.read_comment',
      'inbox_entries.read_change',
      'inbox_entries.read_at',
      'last_visits.at as visited_at',
      'comments.number',
    ])
    .where('users.id', '=', p.userId),
)

/** Whether the user has seen the event, in the inbox or on the page of the bug: what has been seen need not be mailed. */
export async function hasSeenEvent(db: Db, query: SeenQuery): Promise<boolean> {
  const { userId, bugId, at, comment, history, isRequest } = query
  const row = await db.first(seen, { userId, bugId, commentId: typeof comment === 'number' ? comment : 0 })
  if (row === undefined) return false
  if (row.visited_at !== null && row.visited_at >= at) return true
  if (row.read_comment === null || row.read_change === null || row.read_at === null) return false
  if (isRequest === true) return row.read_at >= at
  if (comment === null && history.length === 0) return false
  const number = comment === 'description' ? 0 : row.number
  const isCommentSeen = comment === null || (number !== null && number <= row.read_comment)
  return isCommentSeen && Math.max(0, ...history) <= row.read_change
}
