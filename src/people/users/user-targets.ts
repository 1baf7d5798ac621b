import type { SignedIn } from '../../access/caller.ts'
import type { Db } from '../../platform/database/db.ts'
import { fold } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { getUsersByLogins, listUsersByIds, noSuchUser, type UserRow } from './user-store.ts'

/** The accounts with these ids or logins, each once. Throws 51 for the first that does not exist. */
export async function listTargets(db: Db, refs: readonly string[]): Promise<UserRow[]> {
  const ids = refs.flatMap((ref) => idIn(ref) ?? [])
  const names = refs.filter((ref) => idIn(ref) === undefined)
  const byId = new Map((ids.length > 0 ? await listUsersByIds(db, ids) : []).map((row) => [row.id, row]))
  const found = [
    ...ids.map((id) => byId.get(id) ?? noSuchUser(String(id))),
    ...(names.length > 0 ? await getUsersByLogins(db, names) : []),
  ]
  return [...new Map(found.map((row) => [row.id, row])).values()]
}

export async function getTarget(db: Db, ref: string): Promise<UserRow> {
  const [user] = await listTargets(db, [ref])
  return user ?? noSuchUser(ref)
}

/** Whether an id or a login name is the caller's own. */
export function isSelf(caller: SignedIn, ref: string) {
  return idIn(ref) === caller.id || fold(ref.trim()) === fold(caller.login)
}
