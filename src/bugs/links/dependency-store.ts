import { sql } from 'kysely'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** The bug `blocked_id` depends on the bug `depends_on_id`. */
export interface Dependency {
  blocked_id: number
  depends_on_id: number
}

const COLUMNS = { blocked_id: 'integer', depends_on_id: 'integer' } as const

const insert = statement<{ rows: string }>()((q, p, d) =>
  q
    .insertInto('bug_dependencies')
    .columns(['blocked_id', 'depends_on_id'])
    .expression(sql`select blocked_id, depends_on_id from ${d.recordsIn(p.rows, COLUMNS)} as given where true`)
    .onConflict((conflict) => conflict.doNothing()),
)
const remove = statement<{ rows: string }>()((q, p, d) =>
  q
    .deleteFrom('bug_dependencies')
    .where(
      sql<boolean>`(blocked_id, depends_on_id) in (select blocked_id, depends_on_id from ${d.recordsIn(p.rows, COLUMNS)} as given)`,
    ),
)

export async function insertDependencies(tx: BugTransaction, dependencies: readonly Dependency[]) {
  await tx.all(insert, { rows: JSON.stringify(dependencies) })
}

export async function deleteDependencies(tx: BugTransaction, dependencies: readonly Dependency[]) {
  await tx.all(remove, { rows: JSON.stringify(dependencies) })
}

const below = statement<{ ids: string }>()((q, p, d) =>
  q
    .withRecursive('reached(id)', (start) =>
      start
        .selectFrom('bug_dependencies')
        .select('depends_on_id as id')
        .where('blocked_id', 'in', d.integersIn(p.ids))
        .union(
          start
            .selectFrom('bug_dependencies')
            .innerJoin('reached', 'reached.id', 'bug_dependencies.blocked_id')
            .select('depends_on_id as id'),
        ),
    )
    .selectFrom('bug_dependencies')
    .select(['blocked_id', 'depends_on_id'])
    .where((it) =>
      it.or([
        it('blocked_id', 'in', d.integersIn(p.ids)),
        it('blocked_id', 'in', it.selectFrom('reached').select('reached.id')),
      ]),
    ),
)

/** All dependencies of these bugs, direct and indirect, including those of hidden bugs. */
export function listDependenciesBelow(tx: Db, ids: readonly number[]): Promise<Dependency[]> {
  return tx.all(below, { ids: JSON.stringify(ids) })
}
