import { type Caller, isIn } from '../../access/caller.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { LARGEST_ID } from '../../platform/wire/reference.ts'

const lastId = statement<object>()((q) => q.selectFrom('audit_log').select((row) => row.fn.max('id').as('id')))

/** The id of the last entry of the audit log: every change of the configuration adds one. */
export async function lastAuditId(db: Db): Promise<number> {
  return (await db.first(lastId, {}))?.id ?? 0
}

const changedByOthers = statement<{ read: number; before: number }>()((q, p) =>
  q
    .selectFrom('audit_log as other')
    .leftJoin('users', 'users.id', 'other.user_id')
    .select(['users.login as who', 'other.class', 'other.field'])
    .where('other.id', '>', p.read)
    .where('other.id', '<=', p.before)
    .where((row) =>
      row.exists(
        row
          .selectFrom('audit_log as own')
          .select('own.id')
          .where('own.id', '>', p.before)
          .whereRef('own.class', '=', 'other.class')
          .whereRef('own.object_id', '=', 'other.object_id')
          // Parameters have no id: each is a field of the object 0.
          .where((it) => it.or([it('own.object_id', '<>', 0), it('own.field', '=', it.ref('other.field'))])),
      ),
    )
    .orderBy('other.id', 'desc')
    .limit(1),
)

/**
 * To be called after the changes: throws 412 if somebody else has changed one of the same objects since the client read them. `ifMatch`
 * is the version that it read, `before` the one at the begin of this transaction. Only those who may read the audit log read who it was.
 */
export async function requireUnchangedSince(
  tx: Db,
  { ifMatch, caller }: { ifMatch: string | undefined; caller: Caller },
  before: number,
) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const read = /^\s*(?:W\/)?"?(\d{1,15})(?:\.[^"]*)?"?\s*$/.exec(ifMatch)?.[1]
  if (read === undefined)
    throw errors.bad_value({ name: 'If-Match', value: ifMatch, right: 'it must be the version of the configuration' })
  const other = await tx.first(changedByOthers, { read: Math.min(Number(read), LARGEST_ID), before })
  if (other === undefined) return
  const who = isIn(caller, 'admin') ? (other.who ?? 'the server') : 'Somebody'
  throw errors.configuration_changed({ who, what: other.class, field: other.field })
}
