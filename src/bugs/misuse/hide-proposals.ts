import type { BugTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const openOf = statement<{ userId: number; since: string }>()((q, p, d) =>
  q
    .selectFrom('proposals')
    .select('id')
    .where('user_id', '=', p.userId)
    .where('at', '>=', p.since)
    .where('state', '=', 'open')
    .orderBy('id')
    .modifyEnd(d.locked()),
)
const move = statement<{ ids: string; from: 'open' | 'hidden'; to: 'open' | 'hidden' }>()((q, p, d) =>
  q
    .updateTable('proposals')
    .set({ state: p.to })
    .where('id', 'in', d.integersIn(p.ids))
    .where('state', '=', p.from)
    .returning('id'),
)

/** Hides what keys of the user have proposed and nobody has decided: nobody can accept it. Returns which proposals. */
export async function hideProposals(tx: BugTransaction, period: { userId: number; since: string }): Promise<number[]> {
  const ids = (await tx.all(openOf, period)).map(({ id }) => id)
  if (ids.length > 0) await tx.all(move, { ids: JSON.stringify(ids), from: 'open', to: 'hidden' })
  return ids
}

/** Opens them again. Those whose key was revoked meanwhile have ended. */
export async function restoreProposals(tx: BugTransaction, ids: readonly number[]) {
  if (ids.length > 0) await tx.all(move, { ids: JSON.stringify(ids), from: 'hidden', to: 'open' })
}
