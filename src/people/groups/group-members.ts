import { sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import { isIn, requireGroup, requireLogin } from '../../access/caller.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { errors } from '../../platform/errors.ts'
import { compilePattern, faultInPattern } from '../../platform/text/regexps.ts'
import type { ListPage } from '../../platform/wire/list-page.ts'
import { groupsBlessableBy } from '../bless.ts'
import { readGrantor, requireMayGrant } from '../grantor.ts'
import { countMembersSlowly } from '../member-counts.ts'
import type { Group } from './group.ts'
import { findGroups, getGroups } from './group-store.ts'

/** Ways to be in a group: put into it, by its pattern or a provider, or only through another group. */
export const MEMBER_WAYS = ['direct', 'matched', 'inherited'] as const
export type MemberWay = (typeof MEMBER_WAYS)[number]

function membersOf(q: Builder, d: Dialect, { groups, id, way }: { groups: string; id: number; way?: MemberWay }) {
  const isIn = sql`select 1 from user_group_grants where user_id = users.id and "right" = 'member'`
  const isOwn = sql<boolean>`exists (${isIn} and group_id = ${id})`
  const isDirect = sql<boolean>`exists (${isIn} and group_id = ${id} and source = 'direct')`
  const members = q
    .selectFrom('users')
    .where('users.id', 'in', (grants) =>
      grants
        .selectFrom('user_group_grants')
        .select('user_id')
        .where('right', '=', 'member')
        .where('group_id', 'in', d.integersIn(groups)),
    )
  if (way === 'direct') return members.where(isDirect)
  if (way === 'matched') return members.where(isOwn).where(sql<boolean>`not ${isDirect}`)
  return way === 'inherited' ? members.where(sql<boolean>`not ${isOwn}`) : members
}

const sourcesOfUsers = statement<{ users: string; groups: string }>()((q, p, d) =>
  q
    .selectFrom('user_group_grants')
    .select(['user_id', 'group_id', 'source'])
    .where('right', '=', 'member')
    .where('user_id', 'in', d.integersIn(p.users))
    .where('group_id', 'in', d.integersIn(p.groups))
    .orderBy('group_id'),
)

export interface MemberPage extends ListPage {
  way: MemberWay | undefined
}

/** Who is in the group, and by what: a grant or the pattern of this group or of one whose members belong to it. */
export async function readMembers(context: CallContext, ref: string, { limit, offset, way }: MemberPage) {
  const { groups: graph, request } = context
  const db = context.db.within(request.readLimits)
  const { group, isNamed } = await getReadableGroup(context, ref)
  const { id } = group
  const groups = JSON.stringify([...graph.sourcesOf(id)])
  const countsOf = await countMembersSlowly(db, graph, [id])
  const { members: all, direct, inherited } = countsOf(id)
  const counts = { direct, matched: all - direct - inherited, inherited }
  const members = await db.querySlowly((q, d) =>
    membersOf(q, d, { groups, id, ...(way && { way }) })
      .select(['users.id', 'users.login', 'users.real_name', 'users.disabled_text'])
      .orderBy('users.login_key')
      .limit(limit)
      .offset(offset),
  )
  const users = JSON.stringify(members.map(({ id }) => id))
  const sources = Map.groupBy(await db.all(sourcesOfUsers, { users, groups }), (row) => row.user_id)
  return {
    total: way === undefined ? all : counts[way],
    counts,
    members: members.map(({ id, login, real_name, disabled_text }) => ({
      id,
      name: login,
      real_name,
      can_login: disabled_text === '',
      sources: (sources.get(id) ?? [])
        .filter(({ group_id }) => isNamed(group_id))
        .map(({ group_id, source }) => ({ kind: source, group: graph.groups.get(group_id)?.name ?? '' })),
    })),
  }
}

/** Members of creategroups read every group, others those that they may bless. To them no other group than their own is named. */
async function getReadableGroup({ db, caller, groups: graph, settings }: CallContext, ref: string) {
  const blessable = await groupsBlessableBy(db, graph, settings, requireLogin(caller))
  if (isIn(caller, 'creategroups')) return { group: (await getGroups(db, [ref]))[0] as Group, isNamed: () => true }
  if (blessable.size === 0) throw errors.group_required({ groups: ['creategroups'] })
  const group = (await findGroups(db, [ref])).get(ref)
  if (group === undefined || !blessable.has(group.id)) throw errors.groups_not_visible()
  return { group, isNamed: (id: number) => blessable.has(id) || caller.groups.ids.has(id) }
}

const someUsers = statement<{ after: number; groupId: number }>()((q, p) =>
  q
    .selectFrom('users')
    .leftJoin('user_group_grants as grants', (join) =>
      join
        .onRef('grants.user_id', '=', 'users.id')
        .on('grants.group_id', '=', p.groupId)
        .on('grants.right', '=', 'member')
        .on('grants.source', '=', 'regexp'),
    )
    .select(['users.id', 'users.login', 'grants.user_id as matched'])
    .where('users.id', '>', p.after)
    .orderBy('users.id')
    .limit(1000),
)
const MOST_NAMED = 50

/** Who would be matched by another pattern, and who no longer. For users who may set it. */
export async function tryPattern({ db, caller }: CallContext, ref: string, regexp: string) {
  const editor = requireGroup(caller, 'creategroups')
  const [group] = (await getGroups(db, [ref])) as [Group]
  requireMayGrant(await readGrantor(db, editor.id), group)
  const why = regexp === '' ? undefined : faultInPattern(regexp)
  if (why !== undefined) throw errors.group_regexp_invalid({ regexp, why })
  return compareMatches(db, group.id, regexp)
}

/** A thousand users at a time, so that other requests are answered in between. */
async function compareMatches(db: Db, groupId: number, regexp: string) {
  const pattern = regexp === '' ? undefined : compilePattern(regexp)
  const found = {
    users: 0,
    matching: 0,
    joining: 0,
    leaving: 0,
    joining_names: [] as string[],
    leaving_names: [] as string[],
  }
  for (let after = 0; ; ) {
    const users = await db.all(someUsers, { after, groupId })
    for (const { login, matched } of users) {
      const isMatch = pattern?.occursIn(login) === true
      found.users++
      if (isMatch) found.matching++
      if (isMatch && matched === null && ++found.joining <= MOST_NAMED) found.joining_names.push(login)
      if (!isMatch && matched !== null && ++found.leaving <= MOST_NAMED) found.leaving_names.push(login)
    }
    const last = users.at(-1)
    if (!last) return found
    after = last.id
    await new Promise(setImmediate)
  }
}
