import { sql } from 'kysely'
import { OWN_LIMITS } from '../../../access/own-limits.ts'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { ALL_ROWS } from '../../../platform/database/statements/all-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'

const WHY = 'The user got mail about the bug; nothing of it is returned.'

const ofBug = statement<{ userId: number; bugId: number }>()((q, p) =>
  bugsUnfiltered(q, WHY)
    .innerJoin('components', 'components.id', 'bugs.component_id')
    .innerJoin('watches', (join) =>
      join.on(
        sql<boolean>`(watches.component_id = bugs.component_id or watches.product_id = components.product_id
          or watches.keyword_id in (select keyword_id from bug_keywords where bug_keywords.bug_id = bugs.id))`,
      ),
    )
    .select('watches.id')
    .where('bugs.id', '=', p.bugId)
    .where('watches.user_id', '=', p.userId)
    .orderBy('watches.id')
    .limit(sql.lit(10)),
)

/** The watches through which the bug reaches the user. */
export async function listWatchesOf(db: Db, userId: number, bugId: number): Promise<number[]> {
  return (await db.all(ofBug, { userId, bugId })).map(({ id }) => id)
}

const endWatches = statement<{ userId: number; ids: string }>()((q, p, d) =>
  q.deleteFrom('watches').where('user_id', '=', p.userId).where('id', 'in', d.integersIn(p.ids)),
)
const ignore = statement<{ userId: number; ids: string }>()((q, p, d) =>
  q
    .insertInto('ignored_bugs')
    .columns(['user_id', 'bug_id'])
    .expression(
      bugsUnfiltered(q, WHY)
        .innerJoin('users', (join) => join.on('users.id', '=', p.userId))
        .select(['users.id as user_id', 'bugs.id'])
        .where('bugs.id', 'in', d.integersIn(p.ids)),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const forgetMore = statement<{ userId: number; most: number; all: number }>()((q, p) =>
  q
    .deleteFrom('ignored_bugs')
    .where('user_id', '=', p.userId)
    .where('bug_id', 'in', (older) =>
      older
        .selectFrom('ignored_bugs')
        .select('bug_id')
        .where('user_id', '=', p.userId)
        .orderBy('bug_id', 'desc')
        .limit(p.all)
        .offset(p.most),
    ),
)

export async function deleteWatches(tx: Db, userId: number, ids: readonly number[]) {
  await tx.all(endWatches, { userId, ids: JSON.stringify(ids) })
}

/** Nobody is asked to make room here: those with the smallest numbers go. */
export async function ignoreBugs(tx: Db, userId: number, ids: readonly number[]) {
  await tx.all(ignore, { userId, ids: JSON.stringify(ids) })
  await tx.all(forgetMore, { userId, most: OWN_LIMITS.ignoredBugs.most, all: ALL_ROWS })
}
