import { sql } from 'kysely'
import type { BugTransaction } from '../../platform/database/db.ts'
import { jsonPortions } from '../../platform/database/statements/json-portions.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** How many votes a user gives to a bug. */
export interface UserVotes {
  bug_id: number
  user_id: number
  votes: number
}

const VOTES = { bug_id: 'integer', user_id: 'integer', votes: 'integer' } as const

const put = statement<{ rows: string }>()((q, p, d) =>
  q
    .insertInto('bug_votes')
    .columns(['bug_id', 'user_id', 'votes'])
    .expression(sql`select bug_id, user_id, votes from ${d.recordsIn(p.rows, VOTES)} as given where true`)
    .onConflict((conflict) =>
      conflict.columns(['bug_id', 'user_id']).doUpdateSet((it) => ({ votes: it.ref('excluded.votes') })),
    ),
)

const removeNone = statement<{ rows: string }>()((q, p, d) =>
  q
    .deleteFrom('bug_votes')
    .where('votes', '=', 0)
    .where(sql<boolean>`(bug_id, user_id) in (select bug_id, user_id from ${d.recordsIn(p.rows, VOTES)} as given)`),
)

const sum = statement<{ ids: string }>()((q, p, d) =>
  q
    .updateTable('bugs')
    .set({ votes: sql<number>`(select coalesce(sum(votes), 0) from bug_votes where bug_votes.bug_id = bugs.id)` })
    .where('id', 'in', d.integersIn(p.ids)),
)

/**
 * Saves the votes of users and the sums of the bugs, which the caller has locked. A vote is no change of the bug: its time and its
 * revision stay.
 */
export async function saveVotes(tx: BugTransaction, votes: readonly UserVotes[]) {
  for (const rows of jsonPortions(tx, votes)) {
    await tx.all(put, { rows })
    await tx.all(removeNone, { rows })
  }
  const ids = [...new Set(votes.map((it) => it.bug_id))].sort((a, b) => a - b)
  for (const portion of jsonPortions(tx, ids)) await tx.all(sum, { ids: portion })
}

const lockVoters = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('users')
    .select('users.id')
    .where('users.id', 'in', (voters) =>
      voters.selectFrom('bug_votes').select('user_id').where('bug_id', 'in', d.integersIn(p.ids)),
    )
    .orderBy('users.id')
    .modifyEnd(d.lockedBesideReferences()),
)

/** Keeps those who vote for these bugs from voting elsewhere until the transaction ends. The bugs are locked already. */
export async function lockVotersOf(tx: BugTransaction, bugIds: readonly number[]) {
  if (!tx.dialect.transactionsTakeTurns) await tx.all(lockVoters, { ids: JSON.stringify(bugIds) })
}
