import type { CallContext } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { groupsSeenThrough } from '../bless.ts'
import { listUsersByIds, listUsersByLogins, type UserRow } from '../users/user-store.ts'
import { listAbsences } from './absence-store.ts'

/** The absences of these users that are not over. Users who are missing or hidden from the caller are left out, so that they are the same. */
export async function readAbsences(context: CallContext, refs: readonly string[]) {
  const now = timeNow()
  const users = new Map((await visibleUsers(context, refs)).map((user) => [user.id, user]))
  const absences = await listAbsences(context.db, [...users.keys()], now)
  return absences.map(({ id, user_id, starts_at, ends_at, note }) => ({
    id,
    user_id,
    user: users.get(user_id)?.login ?? '',
    from: starts_at,
    until: ends_at,
    note,
    is_now: starts_at <= now,
  }))
}

async function visibleUsers(
  { db, caller, groups, settings }: CallContext,
  refs: readonly string[],
): Promise<UserRow[]> {
  const { id: callerId } = requireLogin(caller)
  const ids = refs.flatMap((ref) => idIn(ref) ?? [])
  const logins = refs.filter((ref) => idIn(ref) === undefined)
  const rows = [
    ...(ids.length > 0 ? await listUsersByIds(db, ids) : []),
    ...(logins.length > 0 ? await listUsersByLogins(db, logins) : []),
  ]
  const through = groupsSeenThrough(groups, settings, caller)
  return rows.filter(
    ({ id, group_ids }) =>
      id === callerId || through === undefined || (JSON.parse(group_ids) as number[]).some((it) => through.has(it)),
  )
}
