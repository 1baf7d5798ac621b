import type { CallContext } from '../../access/call.ts'
import { isIn, requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { groupsBlessableBy } from '../bless.ts'
import { mayChooseMembers, readGrantor } from '../grantor.ts'
import { countMembersSlowly, type MemberCounts, MOST_COUNTED_GROUPS } from '../member-counts.ts'
import { emailOf } from '../users/user.ts'
import type { Group } from './group.ts'
import { findGroups, listGroups, listMembers, type MemberRow } from './group-store.ts'

interface WantedMembers {
  membership: boolean
  member_counts: boolean
}

/** The requested groups, or all that the caller may see. docs/api/group.md says who sees what. */
export async function readGroups(context: CallContext, refs: readonly string[], wanted: WantedMembers) {
  const { db, groups: graph, settings, select, request } = context
  const withMembers = wanted.membership && (select.wants('membership') || select.wants('users'))
  const caller = requireLogin(context.caller)
  const isAdministrator = isIn(caller, 'creategroups') || isIn(caller, 'editusers')
  const grantor = select.wants('may_grant', 'extra') ? await readGrantor(db, caller.id) : undefined
  const blessable = await groupsBlessableBy(db, graph, settings, caller)
  const groups =
    refs.length === 0 ? (await listGroups(db)).filter(({ id }) => isAdministrator || blessable.has(id)) : await named()
  if (wanted.member_counts && groups.length > MOST_COUNTED_GROUPS)
    throw errors.bad_value({
      name: 'member_counts',
      value: 1,
      right: `it is for at most ${MOST_COUNTED_GROUPS} groups at once, by ids or names`,
    })
  const ids = groups.map(({ id }) => id)
  const countsOf = wanted.member_counts && (await countMembersSlowly(db.within(request.readLimits), graph, ids))
  return Promise.all(groups.map(present))

  /**
   * Administrators get an error that names a missing group. Other callers get the same error for missing and hidden
   * groups.
   */
  async function named(): Promise<Group[]> {
    const found = [...(await findGroups(db, refs))].map(([ref, group]) => {
      if (isAdministrator && group === undefined) throw errors.no_such_object({ what: 'group', ref })
      if (group === undefined || (!isAdministrator && !blessable.has(group.id))) throw errors.groups_not_visible()
      return group
    })
    return [...new Map(found.map((group) => [group.id, group])).values()]
  }

  async function present(group: Group) {
    const { id, name, description, is_bug_group, is_active, user_regexp, icon_url } = group
    const details = isIn(caller, 'creategroups') && { is_bug_group, is_active, user_regexp, icon_url }
    const extra = {
      is_system: group.is_system === 1,
      ...(grantor !== undefined && { may_grant: mayChooseMembers(grantor, id, settings) }),
    }
    const counts = countsOf && presentCounts(countsOf(id))
    if (!withMembers) return { id, name, description, ...extra, ...details, ...counts }
    const members = (await listMembers(db, graph.sourcesOf(id))).map(presentMember)
    return { id, name, description, ...extra, ...details, ...counts, membership: members, users: members }
  }

  function presentMember(user: MemberRow) {
    return {
      id: user.id,
      real_name: user.real_name,
      name: user.login,
      email: emailOf(user, settings),
      can_login: user.disabled_text === '',
      email_enabled: user.email_enabled === 1,
      login_denied_text: user.disabled_text,
      disabled_text: user.disabled_text,
    }
  }
}

function presentCounts({ members, direct, inherited }: MemberCounts) {
  return { member_count: members, direct_member_count: direct, inherited_member_count: inherited }
}
