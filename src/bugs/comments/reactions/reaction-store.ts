import { type RawBuilder, sql } from 'kysely'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import type { SqlValue } from '../../../platform/database/statements/builder.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'
import { MOST_NAMED } from './reaction.ts'

/** Follows the names of the reader's own reactions. */
export const OWN = '*'

/** The reactions to the comment of the row, as a JSON list of names. Nothing is read of comments without reactions. */
export function reactionsOfComment(dialect: Dialect, readerId: SqlValue<number>): RawBuilder<string> {
  const names = dialect.jsonListOf(
    sql`select case when user_id = ${readerId} then name || ${sql.lit(OWN)} else name end as value from comment_reactions where comment_id = comments.id order by id`,
  )
  return sql<string>`case when comments.has_reactions = 1 then ${names} end`
}

export interface Reaction {
  name: string
  user_id: number
  login: string
  real_name: string
  nick: string | null
}

const ofComment = statement<{ id: number; name: string }>()((q, p) =>
  q
    .selectFrom('comment_reactions')
    .innerJoin('users', 'users.id', 'comment_reactions.user_id')
    .select(['comment_reactions.name', 'user_id', 'users.login', 'users.real_name', 'users.nick'])
    .where('comment_id', '=', p.id)
    .where('comment_reactions.name', '=', p.name)
    .orderBy('comment_reactions.id')
    .limit(MOST_NAMED),
)

/** Those of one name, in the order in which they came. */
export function listReactions(db: Db, commentId: number, name: string): Promise<Reaction[]> {
  return db.all(ofComment, { id: commentId, name })
}

const insert = statement<{ id: number; userId: number; names: string }>()((q, p, d) =>
  q
    .insertInto('comment_reactions')
    .columns(['comment_id', 'name', 'user_id'])
    .expression(
      sql`select cast(${p.id} as integer), given.name, cast(${p.userId} as integer)
        from ${d.recordsIn(p.names, { name: 'text' })} as given where true`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)
const remove = statement<{ id: number; userId: number; names: string }>()((q, p, d) =>
  q
    .deleteFrom('comment_reactions')
    .where('comment_id', '=', p.id)
    .where('user_id', '=', p.userId)
    .where('name', 'in', d.textsIn(p.names))
    .returning('id'),
)
const note = statement<{ id: number }>()((q, p) =>
  q
    .updateTable('comments')
    .set({
      has_reactions: sql<Flag>`case when exists (select 1 from comment_reactions where comment_id = ${p.id}) then 1 else 0 end`,
    })
    .where('id', '=', p.id),
)

interface OwnReactions {
  commentId: number
  userId: number
  names: readonly string[]
}

/** Returns how many are new. The caller has locked the bug. */
export async function addReactions(tx: BugTransaction, { commentId: id, userId, names }: OwnReactions) {
  if (names.length === 0) return 0
  const added = await tx.all(insert, { id, userId, names: JSON.stringify(names.map((name) => ({ name }))) })
  await tx.all(note, { id })
  return added.length
}

/** Returns how many there were. */
export async function removeReactions(tx: BugTransaction, { commentId: id, userId, names }: OwnReactions) {
  if (names.length === 0) return 0
  const removed = await tx.all(remove, { id, userId, names: JSON.stringify(names) })
  await tx.all(note, { id })
  return removed.length
}

const ofUser = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('comment_reactions')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId),
)
const lockUser = statement<{ id: number }>()((q, p, d) =>
  q.selectFrom('users').select('id').where('id', '=', p.id).modifyEnd(d.lockedBesideReferences()),
)

/** How many reactions the user has left. Of two calls at once, one waits. */
export async function countReactionsOf(tx: BugTransaction, userId: number): Promise<number> {
  await tx.all(lockUser, { id: userId })
  return Number((await tx.first(ofUser, { userId }))?.count ?? 0)
}

const closings = statement<{ bugId: number }>()((q, p) =>
  q
    .selectFrom('bugs')
    .innerJoin('field_values', 'field_values.id', 'bugs.status_id')
    .select('field_values.is_open')
    .select(
      sql<
        string | null
      >`(select max(bug_changes.at) from bug_changes where bug_changes.bug_id = bugs.id and bug_changes.field = 'status')`.as(
        'changed_at',
      ),
    )
    .where('bugs.id', '=', p.bugId),
)

/** Since when a bug has been closed; undefined for an open one. */
export async function closedSince(tx: Db, bugId: number): Promise<string | undefined> {
  const row = await tx.first(closings, { bugId })
  return row === undefined || row.is_open === 1 ? undefined : (row.changed_at ?? '')
}
