import { readGroupGraph } from '../access/visibility/group-graph.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'

const ADMIN = 'admin'

const enabledMember = statement<{ groupIds: string }>()((q, p, d) =>
  q
    .selectFrom('user_group_grants')
    .innerJoin('users', 'users.id', 'user_group_grants.user_id')
    .select('users.id')
    .where('users.disabled_text', '=', '')
    .where('user_group_grants.right', '=', 'member')
    .where('user_group_grants.group_id', 'in', d.integersIn(p.groupIds))
    .limit(1),
)

/** Whether any enabled user is in admin: directly, by a regexp, or through other groups. */
async function hasAdministrator(tx: Db): Promise<boolean> {
  const graph = await readGroupGraph(tx)
  const admin = [...graph.groups.values()].find(({ name }) => name === ADMIN)
  if (admin === undefined) return false
  const groupIds = JSON.stringify([...graph.sourcesOf(admin.id)])
  return (await tx.first(enabledMember, { groupIds })) !== undefined
}

/**
 * Wraps every change that can remove a user from admin or disable a user. Throws if no administrator is left. The
 * transaction must exclude others of its kind ('configuration'), or two administrators could remove each other.
 */
export async function keepingAnAdministrator<Result>(tx: Db, change: () => Promise<Result>): Promise<Result> {
  const hadOne = await hasAdministrator(tx)
  const result = await change()
  if (hadOne && !(await hasAdministrator(tx))) throw errors.no_administrator_left()
  return result
}
