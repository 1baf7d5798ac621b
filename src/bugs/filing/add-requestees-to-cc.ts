import type { BugTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { addCc } from '../editing/cc-store.ts'

const notOnCc = statement<{ bugId: number; ids: string }>()((q, p, d) =>
  q
    .selectFrom('users')
    .select('users.login')
    .where('users.id', 'in', d.integersIn(p.ids))
    .where('users.id', 'not in', q.selectFrom('bug_cc').select('bug_cc.user_id').where('bug_cc.bug_id', '=', p.bugId))
    .orderBy('users.login_key'),
)

/** Adds requestees of flags to the CC list. Returns the login names of those who were not on it before. */
export async function addRequesteesToCc(
  tx: BugTransaction,
  bugId: number,
  userIds: readonly number[],
): Promise<string[]> {
  if (userIds.length === 0) return []
  const added = await tx.all(notOnCc, { bugId, ids: JSON.stringify(userIds) })
  await addCc(tx, bugId, userIds)
  return added.map(({ login }) => login)
}
