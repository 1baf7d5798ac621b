import type { CallContext } from '../../access/call.ts'
import { isIn, isSignedIn } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { groupsBlessableBy, groupsSeenThrough } from '../bless.ts'
import { readQuestionsOf } from '../request-settings/pending-question-store.ts'
import { listSavedSearches } from '../saved-searches/saved-search-store.ts'
import { matchUsers } from './match-users.ts'
import { type OwnSaved, presentUser } from './user-json.ts'
import { getUsersByLogins, listUsersByIds, type UserRow } from './user-store.ts'

export interface UserQuery {
  ids: number[]
  names: string[]
  match: string[]
  limit: number | undefined
  groups: string[]
  groupIds: number[]
  includesDisabled: boolean
}

/** The requested users, each once, as the caller may see them. */
export async function findUsers(context: CallContext, requested: UserQuery) {
  const { db, caller, groups, settings, select } = context
  if (!isSignedIn(caller) && (requested.ids.length > 0 || requested.match.length > 0)) throw errors.users_need_login()
  if (requested.ids.length + requested.names.length + requested.match.length === 0)
    throw errors.one_of_required({ names: ['ids', 'names', 'match'] })
  const memberOfAny = requestedGroups(context, requested)
  const found = [
    ...(await usersById(context, requested.ids)),
    ...(requested.names.length > 0 ? await usersByName(context, requested.names) : []),
    ...(await usersMatching(context, requested, memberOfAny)),
  ]
  const once = [...new Map(found.map((user) => [user.id, user])).values()]
  const members = memberOfAny === undefined ? once : once.filter((user) => isMemberOfAny(user, memberOfAny))
  const blessable = select.wants('groups') ? await groupsBlessableBy(db, groups, settings, caller) : new Set<number>()
  const saved = await savedByCaller(context, members)
  const wantsQuestions = isSignedIn(caller) && select.wants('requests', 'extra')
  const ids = members.map(({ id }) => id)
  const questionsOf = wantsQuestions ? await readQuestionsOf(context, ids) : undefined
  return members.map((user) => presentUser(user, { caller, groups, settings, select, blessable, saved, questionsOf }))
}

/** The saved searches and reports of the caller, if the caller is among the returned users. */
async function savedByCaller({ db, caller, select }: CallContext, shown: readonly UserRow[]): Promise<OwnSaved> {
  const { id } = caller
  if (id === null || !shown.some((user) => user.id === id)) return NOTHING_SAVED
  return {
    searches: select.wants('saved_searches') ? await listSavedSearches(db, id, 'search') : [],
    reports: select.wants('saved_reports') ? await listSavedSearches(db, id, 'report') : [],
  }
}

const NOTHING_SAVED: OwnSaved = { searches: [], reports: [] }

/**
 * compat: an unknown id is skipped. If users are hidden from each other, an unknown id gets the same error as a hidden
 * user, so that the two cannot be distinguished.
 */
async function usersById({ db, caller, groups, settings }: CallContext, ids: readonly number[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const rows = new Map((await listUsersByIds(db, ids)).map((row) => [row.id, row]))
  const through = groupsSeenThrough(groups, settings, caller)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    const isSeen = through === undefined || id === caller.id || (row !== undefined && isMemberOfAny(row, through))
    if (!isSeen) throw errors.user_not_visible({ ref: String(id) })
    return row ?? []
  })
}

/**
 * compat: an exact login name also finds users whom the caller does not see. Anonymous callers get the same response
 * for those and for unknown names, so that they cannot find out who has an account.
 */
async function usersByName(
  { db, caller, groups, settings }: CallContext,
  names: readonly string[],
): Promise<UserRow[]> {
  const through = isSignedIn(caller) ? undefined : groupsSeenThrough(groups, settings, caller)
  return getUsersByLogins(db, names, (user) => through === undefined || isMemberOfAny(user, through))
}

async function usersMatching(
  context: CallContext,
  requested: UserQuery,
  memberOfAny: ReadonlySet<number> | undefined,
): Promise<UserRow[]> {
  if (requested.match.length === 0) return []
  const { caller, groups, settings, request } = context
  const db = context.db.within(request.readLimits)
  const match = {
    memberOfAny,
    seenThrough: groupsSeenThrough(groups, settings, caller),
    callerId: caller.id,
    includesDisabled: requested.includesDisabled,
    limit: smallerLimit(requested.limit ?? 0, settings.maxusermatches),
    order: 'login' as const,
  }
  const found = await Promise.all(requested.match.map((text) => matchUsers(db, text, match)))
  return found.flat()
}

/** compat: 0 is no limit, in the request and in the parameter. */
function smallerLimit(limit: number, most: number): number | undefined {
  const limits = [limit, most].filter((limit) => limit > 0)
  return limits.length === 0 ? undefined : Math.min(...limits)
}

/**
 * The groups to restrict to, with all groups whose members are in them. Groups that the caller is not in count as
 * missing.
 */
function requestedGroups({ caller, groups }: CallContext, requested: UserQuery): ReadonlySet<number> | undefined {
  if (requested.groups.length + requested.groupIds.length === 0) return undefined
  const byName = new Map([...groups.groups.values()].map((group) => [fold(group.name), group.id]))
  const seesAll = isIn(caller, 'editusers') || isIn(caller, 'creategroups')
  const named = requested.groups.map((name) => {
    const id = byName.get(fold(name.trim()))
    if (id === undefined || !caller.groups.ids.has(id)) throw errors.group_not_yours({ ref: name })
    return id
  })
  const numbered = requested.groupIds.map((id) => {
    if (!groups.groups.has(id) && seesAll) throw errors.no_such_object({ what: 'group', ref: String(id) })
    if (!caller.groups.ids.has(id)) throw errors.group_not_yours({ ref: String(id) })
    return id
  })
  return new Set([...named, ...numbered].flatMap((id) => [...groups.sourcesOf(id)]))
}

function isMemberOfAny(user: UserRow, ids: ReadonlySet<number>) {
  return (JSON.parse(user.group_ids) as number[]).some((id) => ids.has(id))
}
