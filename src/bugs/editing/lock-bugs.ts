import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const lock = statement<{ ids: string }>()((q, p, d) =>
  bugsUnfiltered(q, 'Bugs that are about to change are held before anything else is read of them.')
    .select('bugs.id')
    .where('bugs.id', 'in', d.integersIn(p.ids))
    .orderBy('bugs.id')
    .modifyEnd(d.locked()),
)

/** Nobody else changes these bugs until the transaction ends. Always in the order of their numbers, so that no two transactions wait for each other. */
export async function lockBugs(tx: Db, ids: readonly number[]) {
  if (ids.length > 0 && !tx.dialect.transactionsTakeTurns) await tx.all(lock, { ids: JSON.stringify(ids) })
}
