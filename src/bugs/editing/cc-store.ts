import { sql } from 'kysely'
import type { BugTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const insertCc = statement<{ bugId: number; userIds: string }>()((q, p, d) =>
  q
    .insertInto('bug_cc')
    .columns(['bug_id', 'user_id'])
    .expression(
      q
        .selectFrom('users')
        .select([sql<number>`cast(${p.bugId} as integer)`.as('bug_id'), 'users.id'])
        .where('users.id', 'in', d.integersIn(p.userIds)),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Users who are on the CC list already are ignored. */
export async function addCc(tx: BugTransaction, bugId: number, userIds: readonly number[]) {
  if (userIds.length > 0) await tx.all(insertCc, { bugId, userIds: JSON.stringify(userIds) })
}

const insertCcOfBugs = statement<{ copies: string }>()((q, p, d) =>
  q
    .insertInto('bug_cc')
    .columns(['bug_id', 'user_id'])
    .expression(
      sql`select bug_id, user_id from ${d.recordsIn(p.copies, { bug_id: 'integer', user_id: 'integer' })} as copies where 1 = 1`,
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Adds users to the CC lists of several bugs at once. */
export async function addCcToBugs(tx: BugTransaction, copies: readonly { bugId: number; userId: number }[]) {
  if (copies.length === 0) return
  const rows = copies.map(({ bugId, userId }) => ({ bug_id: bugId, user_id: userId }))
  await tx.all(insertCcOfBugs, { copies: JSON.stringify(rows) })
}
