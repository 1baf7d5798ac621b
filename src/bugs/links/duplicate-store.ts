import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const chain = statement<{ id: number }>()((q, p) =>
  q
    .withRecursive('chain(id, dupe_of_id)', (start) =>
      bugsUnfiltered(q, 'A circle of duplicates is refused even where the caller cannot see all of it.')
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

/** The bug, the one that it duplicates, the one that this duplicates, and so on. */
export async function listDuplicateChain(tx: Db, id: number): Promise<number[]> {
  return (await tx.all(chain, { id })).map((row) => row.id)
}

const openAmong = statement<{ ids: string; openStatuses: string }>()((q, p, d) =>
  bugsUnfiltered(q, 'A bug waits for its open blockers, also for those that the caller cannot see.')
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
