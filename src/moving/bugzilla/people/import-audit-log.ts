import { IMPORTED } from '../../../changes/current-change.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { type ImportContext, numberOf, positionIn, stagedText } from '../import-context.ts'
import type { UserLookup } from './user-lookup.ts'

const AT_ONCE = 5000

const IMPOSSIBLE_TIME = 'its time is impossible; the time of the import stands for it'

/** The log of changes of the configuration. Its classes get the names that they have here. */
export async function importAuditLog(
  { staging, journal, zone }: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  after: number,
): Promise<number | 'done'> {
  const rows = staging.all('select * from audit_log where source_row > ? order by source_row limit ?', after, AT_ONCE)
  const made = rows.map((row) => {
    const user = numberOf(row.user_id)
    const at = zone.toUtc(stagedText(row.at_time))
    const isKnown = user !== undefined && lookup.users.has(user)
    const key = `${stagedText(row.class)} ${stagedText(row.object_id)} ${stagedText(row.field)}`
    if (user !== undefined && !isKnown) journal.note('audit_log', key, `its author ${user} does not exist; it has none`)
    if (at === undefined) journal.note('audit_log', key, IMPOSSIBLE_TIME)
    return {
      user_id: isKnown ? user : null,
      class: classFrom(stagedText(row.class)),
      object_id: numberOf(row.object_id) ?? 0,
      field: stagedText(row.field),
      removed: row.removed === null ? null : stagedText(row.removed),
      added: row.added === null ? null : stagedText(row.added),
      at: at ?? journal.begunAt,
      change_id: IMPORTED,
    }
  })
  await insertRows(tx, 'audit_log', made)
  journal.made('audit_log', made.length)
  return rows.length < AT_ONCE ? 'done' : (positionIn(rows.at(-1)?.source_row) as number)
}

/** `Bugzilla::Product` → `Product`; values of fields are of one class here. */
function classFrom(name: string) {
  const own = name.replace(/^Bugzilla::/, '')
  if (own.startsWith('Field::Choice')) return 'FieldValue'
  return own === 'Status' ? 'FieldValue' : own
}

/** The log of accounts becomes part of the same log. */
export async function importAccountLog(
  { staging, journal, zone }: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  after: number,
): Promise<number | 'done'> {
  const rows = staging.all(
    'select * from profiles_activity where source_row > ? order by source_row limit ?',
    after,
    AT_ONCE,
  )
  const names = new Map(
    staging.all('select id, name from fielddefs').map((row) => [numberOf(row.id), stagedText(row.name)]),
  )
  const made = rows.flatMap((row) => {
    const [user, who, field] = [numberOf(row.userid) ?? 0, numberOf(row.who), names.get(numberOf(row.fieldid))]
    if (!lookup.users.has(user) || field === undefined) {
      journal.refuse('profiles_activity', stagedText(row.id), 'its user or its field does not exist', row)
      return []
    }
    const at = zone.toUtc(stagedText(row.profiles_when))
    if (at === undefined) journal.note('profiles_activity', stagedText(row.id), IMPOSSIBLE_TIME)
    if (who !== undefined && !lookup.users.has(who))
      journal.note('profiles_activity', stagedText(row.id), `its author ${who} does not exist; it has none`)
    journal.made('profiles_activity')
    return {
      user_id: who !== undefined && lookup.users.has(who) ? who : null,
      class: 'User',
      object_id: user,
      field: field === 'creation_ts' ? '__create__' : field === 'bug_group' ? 'groups' : field,
      removed: stagedText(row.oldvalue),
      added: stagedText(row.newvalue),
      at: at ?? journal.begunAt,
      change_id: IMPORTED,
    }
  })
  await insertRows(tx, 'audit_log', made)
  return rows.length < AT_ONCE ? 'done' : (positionIn(rows.at(-1)?.source_row) as number)
}
