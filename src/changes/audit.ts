import type { Db } from '../platform/database/db.ts'
import { insertRows } from '../platform/database/insert-rows.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { timeNow } from '../platform/time/clock.ts'
import { currentChange } from './current-change.ts'

/** The classes of configuration objects, under their names in the audit log. */
export type AuditedClass =
  | 'User'
  | 'User::APIKey'
  | 'OAuthClient'
  | 'Group'
  | 'Keyword'
  | 'Parameter'
  | 'Classification'
  | 'Product'
  | 'Version'
  | 'Milestone'
  | 'Component'
  | 'CannedReply'
  | 'Rotation'
  | 'TriageQueue'
  | 'GroupControl'
  | 'FlagType'
  | 'Field'
  | 'FieldValue'
  | 'Workflow'
  | 'Webhook'
  | 'CodeSource'
  | 'Mail'
  | 'SignInProvider'
  | 'Bug'
  | 'Attachment'
  | 'Comment'

export interface Audited {
  who: number | null
  class: AuditedClass
  objectId: number
}

/** The field that stands for the whole object in the log when it is created or removed. */
export const CREATED = '__create__'
export const REMOVED = '__remove__'
/** The value that took the place of a removed one. */
export const MERGED = 'replaced_with'

/** Records who changed what in the configuration. To be called in the transaction that makes the change. */
export async function recordAudit(tx: Db, it: Audited, changes: Changes) {
  const at = timeNow()
  const change = await currentChange(tx, it.who, at)
  for (const [field, { removed, added }] of Object.entries(changes)) {
    await tx.all(insertEntry, {
      user_id: it.who,
      class: it.class,
      object_id: it.objectId,
      field,
      removed,
      added,
      at,
      change,
    })
  }
}

export function recordCreation(tx: Db, it: Audited, name: string) {
  return recordAudit(tx, it, { [CREATED]: { removed: '', added: name } })
}

/** The same for many objects of one class, with few statements. */
export async function recordCreations(
  tx: Db,
  who: number | null,
  className: AuditedClass,
  objects: readonly { id: number; name: string }[],
) {
  if (objects.length === 0) return
  const at = timeNow()
  const change_id = await currentChange(tx, who, at)
  const rows = objects.map(({ id, name }) => ({
    user_id: who,
    class: className,
    object_id: id,
    field: CREATED,
    removed: '',
    added: name,
    at,
    change_id,
  }))
  await insertRows(tx, 'audit_log', rows)
}

export function recordRemoval(tx: Db, it: Audited, name: string) {
  return recordAudit(tx, it, { [REMOVED]: { removed: name, added: '' } })
}

/** Changes by field, as the REST API returns them. */
export type Changes = Record<string, Change>

export interface Change {
  removed: string
  added: string
}

interface Entry extends Change {
  user_id: number | null
  class: string
  object_id: number
  field: string
  at: string
  change: number
}

const insertEntry = statement<Entry>()((q, p) =>
  q.insertInto('audit_log').values({
    user_id: p.user_id,
    class: p.class,
    object_id: p.object_id,
    field: p.field,
    removed: p.removed,
    added: p.added,
    at: p.at,
    change_id: p.change,
  }),
)

/** The class in a name such as Tracker::User or Bugzilla::User; undefined for any other text. */
export function auditClassIn(name: string): string | undefined {
  return /^(?:Tracker|Bugzilla)::(\w+(?:::\w+)*)$/.exec(name.trim())?.[1]
}
