import { auditClassIn } from '../changes/audit.ts'
import type { LimitedDb } from '../platform/database/db.ts'
import { fold } from '../platform/text/fold.ts'

export interface AuditFilter {
  classes: string[] | undefined
  who: string | undefined
  id: number | undefined
  since: string | undefined
  limit: number
  offset: number
}

export async function readAuditLog(db: LimitedDb, filter: AuditFilter) {
  const rows = await db.querySlowly((q, d) => {
    let query = q
      .selectFrom('audit_log')
      .leftJoin('users', 'users.id', 'audit_log.user_id')
      .select(['users.login as who', 'class', 'object_id as id', 'field', 'removed', 'added', 'at'])
    if (filter.classes !== undefined)
      query = query.where(
        'class',
        'in',
        filter.classes.map((name) => auditClassIn(name) ?? name),
      )
    if (filter.who !== undefined) query = query.where('users.login_key', '=', fold(filter.who.trim()))
    if (filter.id !== undefined) query = query.where('object_id', 'in', d.integersIn(JSON.stringify([filter.id])))
    if (filter.since !== undefined) query = query.where('at', '>=', filter.since)
    return query.orderBy('audit_log.id', 'desc').limit(filter.limit).offset(filter.offset)
  })
  return rows.map((row) => ({
    ...row,
    class: `Tracker::${row.class}`,
    removed: row.removed ?? '',
    added: row.added ?? '',
  }))
}
