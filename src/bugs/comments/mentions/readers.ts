import type { CallContext } from '../../../access/call.ts'
import type { Caller } from '../../../access/caller.ts'
import { isInsider } from '../../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { groupsSeenThrough } from '../../../people/bless.ts'
import { findUserIdsByNicks } from '../../../people/users/nick-store.ts'
import { listUsersByIds, type UserRow } from '../../../people/users/user-store.ts'
import type { Db } from '../../../platform/database/db.ts'
import { visibleAmong } from '../../values/bug-refs.ts'

type RightsContext = Pick<CallContext, 'caller' | 'settings' | 'groups'>

/** A user who is meant by a nick. */
export interface NamedUser {
  nick: string
  user: UserRow
}

/** The enabled users whom the caller may find by these nicks. */
export async function usersNamed(db: Db, context: RightsContext, nicks: readonly string[]): Promise<NamedUser[]> {
  const ids = await findUserIdsByNicks(db, nicks)
  // With the caller, so that a nick of nobody takes as long as that of a user whom the caller may not find.
  const asked = new Set([...ids.values(), context.caller.id ?? 0])
  const rows = new Map((await listUsersByIds(db, [...asked])).map((row) => [row.id, row]))
  return [...ids].flatMap(([nick, id]) => {
    const user = rows.get(id)
    return user !== undefined && user.disabled_text === '' && mayFind(context, user) ? [{ nick, user }] : []
  })
}

/** Whether a search for users would show the caller this one. */
export function mayFind({ caller, settings, groups }: RightsContext, user: UserRow): boolean {
  const through = groupsSeenThrough(groups, settings, caller)
  if (through === undefined || user.id === caller.id) return true
  return (JSON.parse(user.group_ids) as number[]).some((id) => through.has(id))
}

/** Which of these bugs, or private comments on them, each of the users may read now. There is one query for each user. */
export async function readableBy(
  db: Db,
  { settings, groups }: Pick<RightsContext, 'settings' | 'groups'>,
  users: readonly UserRow[],
  { bugIds, isPrivate }: { bugIds: readonly number[]; isPrivate: boolean },
): Promise<Map<number, ReadonlySet<number>>> {
  const found = new Map<number, ReadonlySet<number>>()
  for (const { id, group_ids } of users) {
    const reader = { id, groups: groups.membership(JSON.parse(group_ids) as number[]) }
    const isKeptOut = isPrivate && !isInsider(reader as Caller, settings)
    found.set(id, isKeptOut ? NONE : await visibleAmong(db, settings, viewerOf(reader as Caller), bugIds))
  }
  return found
}

const NONE: ReadonlySet<number> = new Set()
