import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const chain = statement<{ id: number }>()((q, p) =>
  q
    .withRecursive('chain(id, dupe_of_id)', (start) =>
      bugsUnfiltered(q, 'A circle of duplicates is refused even if the caller cannot see all of its bugs.')
        .select(['bugs.id', 'bugs.dupe_of_id'])
        .where('bugs.id', '=', p.id)
        .union(
          start
            .selectFrom('bugs as next')
            .innerJoin('chain', 'chain.dupe_of_id', 'next.id')
            .select(['next.id', 'next.dupe_of_id']),
        ),
    )
    .selectFrom('chain')
    .select('chain.id'),
)

/** The bug, the bug that it duplicates, and so on to the end of the chain. */
export async function listDuplicateChain(tx: Db, id: number): Promise<number[]> {
  return (await tx.all(chain, { id })).map((row) => row.id)
}

const openAmong = statement<{ ids: string; openStatuses: string }>()((q, p, d) =>
  bugsUnfiltered(q, 'Open bugs that a bug depends on count even if the caller cannot see them.')
    .select('bugs.id')
    .where('bugs.id', 'in', d.integersIn(p.ids))
    .where('bugs.status_id', 'in', d.integersIn(p.openStatuses)),
)

/** The bugs among these that have one of the statuses. */
export async function listBugsWithStatus(tx: Db, ids: readonly number[], statusIds: readonly number[]) {
  if (ids.length === 0) return new Set<number>()
  const rows = await tx.all(openAmong, { ids: JSON.stringify(ids), openStatuses: JSON.stringify(statusIds) })
  return new Set(rows.map((row) => row.id))
}
