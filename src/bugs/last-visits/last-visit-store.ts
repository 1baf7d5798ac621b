import { sql } from 'kysely'
import { bugsVisibleTo, type ViewerParams, type VisibilityRules } from '../../access/visibility/visible-bugs.ts'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { ALL_ROWS } from '../../platform/database/statements/all-rows.ts'
import { statement } from '../../platform/database/statements/statement.ts'

export interface Visit {
  bug_id: number
  at: string
}

/** Records visits to these bugs, always in the order of their numbers, so that two transactions never deadlock. */
export async function saveVisits(
  tx: BugTransaction,
  rules: VisibilityRules,
  viewer: ViewerParams,
  bugIds: readonly number[],
  at: string,
) {
  await tx.query((q, d) =>
    q
      .insertInto('last_visits')
      .columns(['user_id', 'bug_id', 'at'])
      .expression(
        bugsVisibleTo(q, d, rules, viewer)
          .select([
            sql<number>`cast(${viewer.viewerId} as integer)`.as('user_id'),
            'bugs.id',
            sql<string>`cast(${at} as text)`.as('at'),
          ])
          .where('bugs.id', 'in', d.integersIn(JSON.stringify(bugIds)))
          .orderBy('bugs.id'),
      )
      .onConflict((conflict) => conflict.columns(['user_id', 'bug_id']).doUpdateSet({ at })),
  )
}

const forget = statement<{ userId: number; before: string }>()((q, p) =>
  q.deleteFrom('last_visits').where('user_id', '=', p.userId).where('at', '<', p.before),
)

const forgetMore = statement<{ userId: number; most: number; all: number }>()((q, p) =>
  q
    .deleteFrom('last_visits')
    .where('user_id', '=', p.userId)
    .where('bug_id', 'in', (older) =>
      older
        .selectFrom('last_visits')
        .select('bug_id')
        .where('user_id', '=', p.userId)
        .orderBy('at', 'desc')
        .orderBy('bug_id', 'desc')
        .limit(p.all)
        .offset(p.most),
    ),
)

/** Deletes the visits of the user before that time, and the oldest if there are more than `most`. */
export async function forgetVisits(tx: BugTransaction, userId: number, before: string, most: number) {
  await tx.all(forget, { userId, before })
  await tx.all(forgetMore, { userId, most, all: ALL_ROWS })
}

/** The viewer's visits since that time, newest first: the newest ones, or all to some bugs. Bugs that are now hidden are left out. */
export function listVisits(
  db: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  since: string,
  which: { newest: number } | { bugIds: readonly number[] },
): Promise<Visit[]> {
  return db.query((q, d) => {
    const visits = bugsVisibleTo(q, d, rules, viewer)
      .innerJoin('last_visits', 'last_visits.bug_id', 'bugs.id')
      .select(['last_visits.bug_id', 'last_visits.at'])
      .where('last_visits.user_id', '=', viewer.viewerId)
      .where('last_visits.at', '>=', since)
      .orderBy('last_visits.at', 'desc')
      .orderBy('last_visits.bug_id', 'desc')
    return 'newest' in which
      ? visits.limit(which.newest)
      : visits.where('last_visits.bug_id', 'in', d.integersIn(JSON.stringify(which.bugIds)))
  })
}
