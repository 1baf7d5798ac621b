import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const lock = statement<{ ids: string }>()((q, p, d) =>
  bugsUnfiltered(q, 'Bugs are locked before anything else is read of them.')
    .select('bugs.id')
    .where('bugs.id', 'in', d.integersIn(p.ids))
    .orderBy('bugs.id')
    .modifyEnd(d.locked()),
)

/** Locks these bugs until the transaction ends, always in the order of their numbers, so that two transactions never deadlock. */
export async function lockBugs(tx: Db, ids: readonly number[]) {
  if (ids.length > 0 && !tx.dialect.transactionsTakeTurns) await tx.all(lock, { ids: JSON.stringify(ids) })
}
