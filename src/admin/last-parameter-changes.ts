import type { LimitedDb } from '../platform/database/db.ts'

/**
 * Who last changed each parameter. The version is that of parameters only: their changes wait for each other, so that none
 * with a lower number is committed after it was read.
 */
export async function readLastChanges(db: LimitedDb) {
  const rows = await db.querySlowly((q) =>
    q
      .selectFrom('audit_log')
      .innerJoin(
        (it) =>
          it
            .selectFrom('audit_log')
            .select((row) => row.fn.max('id').as('id'))
            .where('class', '=', 'Parameter')
            .groupBy('field')
            .as('last'),
        (join) => join.onRef('last.id', '=', 'audit_log.id'),
      )
      .leftJoin('users', 'users.id', 'audit_log.user_id')
      .select(['audit_log.id', 'audit_log.field', 'audit_log.at', 'users.login as who']),
  )
  return {
    version: rows.reduce((newest, { id }) => Math.max(newest, id), 0),
    changes: new Map(rows.map(({ field, at, who }) => [field, { at, who }])),
  }
}
