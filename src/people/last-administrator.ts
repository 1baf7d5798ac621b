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

/** Whether somebody who can log in is in admin: directly, by a regexp, or through other groups. */
async function hasAdministrator(tx: Db): Promise<boolean> {
  const graph = await readGroupGraph(tx)
  const admin = [...graph.groups.values()].find(({ name }) => name === ADMIN)
  if (admin === undefined) return false
  const groupIds = JSON.stringify([...graph.sourcesOf(admin.id)])
  return (await tx.first(enabledMember, { groupIds })) !== undefined
}

/**
 * For every change that can take somebody out of admin or disable them: it is refused when nobody is left. The transaction must keep out
 * others of the same kind ('configuration'), or two administrators could remove each other.
 */
export async function keepingAnAdministrator<Result>(tx: Db, change: () => Promise<Result>): Promise<Result> {
  const hadOne = await hasAdministrator(tx)
  const result = await change()
  if (hadOne && !(await hasAdministrator(tx))) throw errors.no_administrator_left()
  return result
}
