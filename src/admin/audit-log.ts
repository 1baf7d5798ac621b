import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { auditClassIn } from '../changes/audit.ts'
import { CHANGE_COLUMNS, presentSource } from '../changes/change-json.ts'
import type { LimitedDb } from '../platform/database/db.ts'
import { fold } from '../platform/text/fold.ts'
import type { ListPage } from '../platform/wire/list-page.ts'
import { readObjectNames } from './audited-names.ts'

export interface AuditFilter extends ListPage {
  classes: string[] | undefined
  who: string | undefined
  id: number | undefined
  fields: string[] | undefined
  text: string | undefined
  since: string | undefined
  until: string | undefined
  /** Only entries with a smaller number. */
  before: number | undefined
}

export async function readAuditLog(db: LimitedDb, caller: Caller, filter: AuditFilter) {
  const rows = await db.querySlowly((q, d) => {
    let query = q
      .selectFrom('audit_log')
      .leftJoin('users', 'users.id', 'audit_log.user_id')
      .leftJoin('changes', 'changes.id', 'audit_log.change_id')
      .select(['audit_log.id as entry', 'users.login as who'])
      .select(['class', 'object_id as id', 'field', 'removed', 'added', 'audit_log.at'])
      .select(['audit_log.change_id as change_ref', ...CHANGE_COLUMNS])
    if (filter.classes !== undefined)
      query = query.where(
        'class',
        'in',
        filter.classes.map((name) => auditClassIn(name) ?? name),
      )
    if (filter.who !== undefined) query = query.where('users.login_key', '=', fold(filter.who.trim()))
    if (filter.id !== undefined) query = query.where('object_id', 'in', d.integersIn(JSON.stringify([filter.id])))
    if (filter.fields !== undefined)
      query = query.where('field', 'in', d.textsIn(JSON.stringify(filter.fields.map((name) => name.trim()))))
    if (filter.since !== undefined) query = query.where('audit_log.at', '>=', filter.since)
    if (filter.until !== undefined) query = query.where('audit_log.at', '<', filter.until)
    if (filter.before !== undefined) query = query.where('audit_log.id', '<', filter.before)
    const { text } = filter
    if (text !== undefined)
      query = query.where((entry) =>
        entry.or(
          ['field', 'removed', 'added'].map((column) => d.contains(sql`coalesce(${sql.ref(column)}, '')`, text)),
        ),
      )
    return query.orderBy('audit_log.id', 'desc').limit(filter.limit).offset(filter.offset)
  })
  const names = await readObjectNames(db, rows)
  return rows.map(({ entry, who, class: name, id, field, removed, added, at, ...change }) => ({
    ...{ entry, who, class: `Tracker::${name}`, id, name: names(name, id), field },
    ...{ removed: removed ?? '', added: added ?? '', at, source: presentSource(caller, change) },
  }))
}
