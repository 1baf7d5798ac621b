import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold, sameAs } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'
import type { Group } from './group.ts'

const allGroups = statement<object>()((q) => q.selectFrom('groups').selectAll().orderBy('name_key'))
const byIds = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('groups').selectAll().where('id', 'in', d.integersIn(p.ids)),
)
const byNames = statement<{ keys: string }>()((q, p, d) =>
  q.selectFrom('groups').selectAll().where('name_key', 'in', d.textsIn(p.keys)),
)

export function listGroups(db: Db): Promise<Group[]> {
  return db.all(allGroups, {})
}

/** The groups with these ids or names, each once and in this order; undefined for a group that does not exist. */
export async function findGroups(db: Db, refs: readonly string[]): Promise<Map<string, Group | undefined>> {
  const ids = refs.flatMap((ref) => idIn(ref) ?? [])
  const keys = refs.filter((ref) => idIn(ref) === undefined).map((ref) => fold(ref.trim()))
  const rows = [
    ...(ids.length > 0 ? await db.all(byIds, { ids: JSON.stringify(ids) }) : []),
    ...(keys.length > 0 ? await db.all(byNames, { keys: JSON.stringify(keys) }) : []),
  ]
  const found = (ref: string) => {
    const id = idIn(ref)
    const isNamed = sameAs(ref.trim())
    return rows.find((row) => (id === undefined ? isNamed(row.name) : row.id === id))
  }
  return new Map(refs.map((ref) => [ref, found(ref)]))
}

export async function getGroups(db: Db, refs: readonly string[]): Promise<Group[]> {
  const found = await findGroups(db, refs)
  const groups = [...found].map(([ref, group]) => group ?? noSuchGroup(ref))
  return [...new Map(groups.map((group) => [group.id, group])).values()]
}

/**
 * For a group that was read when the request began: throws if it is gone. The transaction must exclude the deletion of
 * groups.
 */
export async function requireGroupStillExists(tx: Db, { id, name }: Pick<Group, 'id' | 'name'>) {
  const [found] = await tx.all(byIds, { ids: JSON.stringify([id]) })
  if (found === undefined) throw errors.group_not_yours({ ref: name })
}

function noSuchGroup(ref: string): never {
  throw errors.no_such_object({ what: 'group', ref })
}

const insert = statement<Omit<Group, 'id'> & { name_key: string }>()((q, p) =>
  q
    .insertInto('groups')
    .values({
      name: p.name,
      name_key: p.name_key,
      description: p.description,
      is_bug_group: p.is_bug_group,
      user_regexp: p.user_regexp,
      is_active: p.is_active,
      icon_url: p.icon_url,
      is_system: p.is_system,
    })
    .returning('id'),
)

export async function insertGroup(tx: Db, group: Omit<Group, 'id'>): Promise<number> {
  const row = await onUniqueViolation(
    tx,
    () => errors.group_exists({ name: group.name }),
    () => tx.first(insert, { ...group, name_key: fold(group.name) }),
  )
  return row?.id as number
}

const update = statement<Group & { name_key: string }>()((q, p) =>
  q
    .updateTable('groups')
    .set({
      name: p.name,
      name_key: p.name_key,
      description: p.description,
      user_regexp: p.user_regexp,
      is_active: p.is_active,
      icon_url: p.icon_url,
    })
    .where('id', '=', p.id),
)

export async function updateGroup(tx: Db, group: Group) {
  await onUniqueViolation(
    tx,
    () => errors.group_exists({ name: group.name }),
    () => tx.all(update, { ...group, name_key: fold(group.name) }),
  )
}

const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('groups').where('id', '=', p.id))

/** A foreign key keeps a group that flag types, products or bugs use. */
export async function deleteGroup(tx: Db, { id, name }: Group) {
  try {
    await tx.all(remove, { id })
  } catch (fault) {
    throw tx.dialect.isForeignKeyViolation(fault) ? errors.group_in_use({ group: name }) : fault
  }
}

const insertGrant = statement<GroupGrant>()((q, p) =>
  q
    .insertInto('group_grants')
    .values({ member_group_id: p.memberGroupId, group_id: p.groupId, right: p.right })
    .onConflict((conflict) => conflict.doNothing()),
)
const deleteGrant = statement<GroupGrant>()((q, p) =>
  q
    .deleteFrom('group_grants')
    .where('member_group_id', '=', p.memberGroupId)
    .where('group_id', '=', p.groupId)
    .where('right', '=', p.right),
)
const grantsTo = statement<{ groupId: number; right: GroupGrant['right'] }>()((q, p) =>
  q.selectFrom('group_grants').select('member_group_id').where('group_id', '=', p.groupId).where('right', '=', p.right),
)

export interface GroupGrant {
  memberGroupId: number
  groupId: number
  right: 'member' | 'bless' | 'see'
}

export async function insertGroupGrant(tx: Db, grant: GroupGrant) {
  await tx.all(insertGrant, grant)
}

export async function deleteGroupGrant(tx: Db, grant: GroupGrant) {
  await tx.all(deleteGrant, grant)
}

/** The groups whose members have that right in the group. */
export async function groupsGranted(tx: Db, groupId: number, right: GroupGrant['right']): Promise<number[]> {
  return (await tx.all(grantsTo, { groupId, right })).map((row) => row.member_group_id)
}

const usersDirectlyIn = statement<{ groupId: number }>()((q, p) =>
  q
    .selectFrom('user_group_grants')
    .select('user_id')
    .where('group_id', '=', p.groupId)
    .where('source', '=', 'direct')
    .where('right', '=', 'member')
    .limit(1),
)

export async function hasDirectMembers(tx: Db, groupId: number) {
  return (await tx.first(usersDirectlyIn, { groupId })) !== undefined
}

const members = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('users')
    .select(['users.id', 'users.login', 'users.real_name', 'users.nick', 'users.disabled_text', 'users.email_enabled'])
    .where('users.id', 'in', (grants) =>
      grants
        .selectFrom('user_group_grants')
        .select('user_id')
        .where('right', '=', 'member')
        .where('group_id', 'in', d.integersIn(p.ids)),
    )
    .orderBy('users.login_key'),
)

export type MemberRow = typeof members.row

/** All direct members of any of these groups. */
export function listMembers(db: Db, groupIds: ReadonlySet<number>): Promise<MemberRow[]> {
  return db.all(members, { ids: JSON.stringify([...groupIds]) })
}
