import { readGroupGraph } from '../access/visibility/group-graph.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'

const ADMIN = 'admin'

const enabledMember = statement<{ groupIds: string; except: number }>()((q, p, d) =>
  q
    .selectFrom('user_group_grants')
    .innerJoin('users', 'users.id', 'user_group_grants.user_id')
    .select('users.id')
    .where('users.disabled_text', '=', '')
    .where('users.id', '!=', p.except)
    .where('user_group_grants.right', '=', 'member')
    .where('user_group_grants.group_id', 'in', d.integersIn(p.groupIds))
    .limit(1),
)

/** No user has this id. */
const NOBODY = 0

/** Whether any enabled user, except this one, is in admin: directly, by a regexp, or through other groups. */
async function hasAdministrator(tx: Db, except = NOBODY): Promise<boolean> {
  const graph = await readGroupGraph(tx)
  const admin = [...graph.groups.values()].find(({ name }) => name === ADMIN)
  if (admin === undefined) return false
  const groupIds = JSON.stringify([...graph.sourcesOf(admin.id)])
  return (await tx.first(enabledMember, { groupIds, except })) !== undefined
}

/** Whether the installation has administrators, but none beside this user. */
export async function isLastAdministrator(tx: Db, userId: number): Promise<boolean> {
  return (await hasAdministrator(tx)) && !(await hasAdministrator(tx, userId))
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
