import { sql } from 'kysely'
import { isNumberShown, type ViewerParams, type VisibilityRules } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { fold } from '../../platform/text/fold.ts'
import { COMMENT_KIND } from '../comments/comment.ts'

const lastChanges = statement<{ ids: string; at: string }>()((q, p, d) =>
  q
    .selectFrom('comments')
    .select((row) => ['bug_id', row.fn.max<string>('at').as('at')])
    .where('bug_id', 'in', d.integersIn(p.ids))
    .where('at', '<=', p.at)
    .groupBy('bug_id')
    .unionAll(
      q
        .selectFrom('bug_changes')
        .select((row) => ['bug_id', row.fn.max<string>('at').as('at')])
        .where('bug_id', 'in', d.integersIn(p.ids))
        .where('at', '<=', p.at)
        .groupBy('bug_id'),
    ),
)

/** The last change of each bug up to that time. A bug without changes until then has no entry. */
export async function lastChangesUpTo(db: Db, ids: readonly number[], at: string): Promise<Map<number, string>> {
  const last = new Map<number, string>()
  for (const row of await db.all(lastChanges, { ids: JSON.stringify(ids), at }))
    if (row.at > (last.get(row.bug_id) ?? '')) last.set(row.bug_id, row.at)
  return last
}

/** The last bug that each bug was marked as a duplicate of up to that time; null if the caller may not see it. */
export async function duplicatesUpTo(
  db: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  ids: readonly number[],
  at: string,
): Promise<Map<number, number | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query((q, d) =>
    q
      .selectFrom('comments')
      .select('comments.bug_id')
      .select(
        sql<
          number | null
        >`case when ${isNumberShown(d, rules, viewer, sql`comments.about_id`)} then comments.about_id end`.as(
          'other_id',
        ),
      )
      .where('comments.bug_id', 'in', d.integersIn(JSON.stringify(ids)))
      .where('comments.kind', '=', COMMENT_KIND.duplicateOf)
      .where('comments.at', '<=', at)
      .orderBy('comments.number'),
  )
  return new Map(rows.map((row) => [row.bug_id, row.other_id]))
}

const byLogins = statement<{ keys: string }>()((q, p, d) =>
  q.selectFrom('users').select(['id', 'login', 'real_name', 'nick']).where('login_key', 'in', d.textsIn(p.keys)),
)

/** The users with these login names today. */
export async function usersWithLogins(db: Db, logins: readonly string[]) {
  if (logins.length === 0) return []
  return db.all(byLogins, { keys: JSON.stringify(logins.map(fold)) })
}
