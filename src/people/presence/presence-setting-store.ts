import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'

const ofUser = statement<{ id: number }>()((q, p) =>
  q.selectFrom('users').select('hides_presence').where('id', '=', p.id),
)

/** Whether the user does not want others to see which bugs they have open. */
export async function hidesPresence(db: Db, id: number): Promise<boolean> {
  return (await db.first(ofUser, { id }))?.hides_presence === 1
}

const set = statement<{ id: number; hides: Flag }>()((q, p) =>
  q.updateTable('users').set({ hides_presence: p.hides }).where('id', '=', p.id),
)
const forget = statement<{ id: number }>()((q, p) => q.deleteFrom('bug_presences').where('user_id', '=', p.id))

/** A user who hides is no longer shown anywhere. The caller has locked the user. */
export async function setHidesPresence(tx: Db, id: number, hides: boolean) {
  await tx.all(set, { id, hides: hides ? 1 : 0 })
  if (hides) await tx.all(forget, { id })
}

const forgetExpired = statement<{ before: string }>()((q, p) =>
  q.deleteFrom('bug_presences').where('expires_at', '<', p.before),
)

/** Deletes what is long over, of users who have not come back. */
export async function deletePresencesBefore(db: Db, before: string) {
  await db.all(forgetExpired, { before })
}
