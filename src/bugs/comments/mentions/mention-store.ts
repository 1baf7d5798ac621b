import { sql } from 'kysely'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { secondsAgo } from '../../../platform/time/clock.ts'

/** A nick in the text of a comment, and the user whom it meant when it was written. */
export interface NewMention {
  comment_id: number
  nick: string
  user_id: number
}

const COLUMNS = { comment_id: 'integer', nick: 'text', user_id: 'integer' } as const

const insert = statement<{ rows: string; authorId: number; at: string }>()((q, p, d) =>
  q
    .insertInto('comment_mentions')
    .columns(['comment_id', 'nick', 'user_id', 'author_id', 'at'])
    .expression(
      sql`select comment_id, nick, user_id, cast(${p.authorId} as integer), cast(${p.at} as text)
        from ${d.recordsIn(p.rows, COLUMNS)} as given where 1 = 1`,
    )
    .onConflict((conflict) => conflict.columns(['comment_id', 'nick']).doUpdateSet({ is_removed: 0 })),
)

const mark = statement<{ ids: string }>()((q, p, d) =>
  q.updateTable('comments').set({ has_mentions: 1 }).where('id', 'in', d.integersIn(p.ids)),
)

export async function insertMentions(
  tx: BugTransaction,
  rows: readonly NewMention[],
  { authorId, at }: { authorId: number; at: string },
) {
  if (rows.length === 0) return
  await tx.all(insert, { rows: JSON.stringify(rows), authorId, at })
  await tx.all(mark, { ids: JSON.stringify([...new Set(rows.map((row) => row.comment_id))]) })
}

const recent = statement<{ authorId: number; since: string }>()((q, p) =>
  q
    .selectFrom('comment_mentions')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('author_id', '=', p.authorId)
    .where('at', '>', p.since),
)

/** How many mentions the user wrote in the last hour. */
export async function countRecentMentions(db: Db, authorId: number): Promise<number> {
  return Number((await db.first(recent, { authorId, since: secondsAgo(3600) }))?.count ?? 0)
}

const ofComment = statement<{ commentId: number }>()((q, p) =>
  q.selectFrom('comment_mentions').select(['nick', 'user_id']).where('comment_id', '=', p.commentId),
)

/** Whom the comment or an earlier version of it mentions. */
export function listMentionsOf(tx: BugTransaction, commentId: number) {
  return tx.all(ofComment, { commentId })
}

const removeOthers = statement<{ commentId: number; nicks: string }>()((q, p, d) =>
  q
    .updateTable('comment_mentions')
    .set({ is_removed: 1 })
    .where('comment_id', '=', p.commentId)
    .where('nick', 'not in', d.textsIn(p.nicks)),
)

/** For an edited text: what it mentions no more. */
export async function removeMentions(tx: BugTransaction, commentId: number, nicks: readonly string[]) {
  await tx.all(removeOthers, { commentId, nicks: JSON.stringify(nicks) })
}

const forget = statement<{ commentId: number }>()((q, p) =>
  q.deleteFrom('comment_mentions').where('comment_id', '=', p.commentId),
)

/** For a text that is gone. */
export async function forgetMentions(tx: BugTransaction, commentId: number) {
  await tx.all(forget, { commentId })
}
