import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { compilePattern } from '../platform/text/regexps.ts'

/**
 * A user is a member because the login matches a group's user_regexp (derived), or because a user granted it (direct).
 * Deriving never changes direct grants.
 */

const patterned = statement<object>()((q) =>
  q.selectFrom('groups').select(['id', 'user_regexp']).where('user_regexp', '!=', ''),
)
const forgetDerivedOfUser = statement<{ userId: number }>()((q, p) =>
  q.deleteFrom('user_group_grants').where('user_id', '=', p.userId).where('source', '=', 'regexp'),
)
const forgetDerivedOfGroup = statement<{ groupId: number }>()((q, p) =>
  q.deleteFrom('user_group_grants').where('group_id', '=', p.groupId).where('source', '=', 'regexp'),
)
const insertGrant = statement<Grant>()((q, p) =>
  q
    .insertInto('user_group_grants')
    .values({ user_id: p.userId, group_id: p.groupId, right: p.right, source: p.source })
    .onConflict((conflict) => conflict.doNothing()),
)
const deleteGrant = statement<Omit<Grant, 'source'>>()((q, p) =>
  q
    .deleteFrom('user_group_grants')
    .where('user_id', '=', p.userId)
    .where('group_id', '=', p.groupId)
    .where('right', '=', p.right)
    .where('source', '=', 'direct'),
)
const someLogins = statement<{ after: number }>()((q, p) =>
  q.selectFrom('users').select(['id', 'login']).where('id', '>', p.after).orderBy('id').limit(1000),
)

interface Grant {
  userId: number
  groupId: number
  right: 'member' | 'bless'
  source: 'direct' | 'regexp' | 'provider'
}

/** To be called after a login name is new or has changed. */
export async function deriveGroupsOfUser(tx: Db, userId: number, login: string) {
  await tx.all(forgetDerivedOfUser, { userId })
  for (const groupId of await groupsMatching(tx, login))
    await tx.all(insertGrant, { userId, groupId, right: 'member', source: 'regexp' })
}

/** The groups whose user_regexp matches the login name. */
export async function groupsMatching(tx: Db, login: string): Promise<number[]> {
  const groups = await tx.all(patterned, {})
  return groups.filter(({ user_regexp }) => compilePattern(user_regexp).occursIn(login)).map(({ id }) => id)
}

/**
 * To be called after a group's regexp is new or has changed. Works through the users a thousand at a time, so that
 * other work can run in between.
 */
export async function deriveMembersOfGroup(tx: Db, groupId: number, regexp: string) {
  await tx.all(forgetDerivedOfGroup, { groupId })
  if (regexp === '') return
  const pattern = compilePattern(regexp)
  for (let after = 0; ; ) {
    const users = await tx.all(someLogins, { after })
    for (const { id, login } of users) {
      if (pattern.occursIn(login)) await tx.all(insertGrant, { userId: id, groupId, right: 'member', source: 'regexp' })
    }
    const last = users.at(-1)
    if (!last) return
    after = last.id
    await new Promise(setImmediate)
  }
}

export async function grantDirectly(tx: Db, userId: number, groupId: number, right: 'member' | 'bless') {
  await tx.all(insertGrant, { userId, groupId, right, source: 'direct' })
}

export async function revokeGrant(tx: Db, userId: number, groupId: number, right: 'member' | 'bless') {
  await tx.all(deleteGrant, { userId, groupId, right })
}

const directGrants = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('user_group_grants')
    .select(['group_id', 'right'])
    .where('user_id', '=', p.userId)
    .where('source', '=', 'direct'),
)

/** The ids of the groups that were granted to the user directly, not by regexp. */
export async function directGroupsOf(db: Db, userId: number, right: 'member' | 'bless'): Promise<number[]> {
  const rows = await db.all(directGrants, { userId })
  return rows.filter((row) => row.right === right).map((row) => row.group_id)
}

const byProvider = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('user_group_grants')
    .select('group_id')
    .where('user_id', '=', p.userId)
    .where('right', '=', 'member')
    .where('source', '=', 'provider'),
)
const deleteByProvider = statement<{ userId: number; groupId: number }>()((q, p) =>
  q
    .deleteFrom('user_group_grants')
    .where('user_id', '=', p.userId)
    .where('group_id', '=', p.groupId)
    .where('source', '=', 'provider'),
)

/** The groups that the user is in because a provider of OpenID Connect says so. */
export async function groupsByProvider(tx: Db, userId: number): Promise<number[]> {
  return (await tx.all(byProvider, { userId })).map(({ group_id }) => group_id)
}

export async function grantByProvider(tx: Db, userId: number, groupId: number) {
  await tx.all(insertGrant, { userId, groupId, right: 'member', source: 'provider' })
}

export async function revokeByProvider(tx: Db, userId: number, groupId: number) {
  await tx.all(deleteByProvider, { userId, groupId })
}
