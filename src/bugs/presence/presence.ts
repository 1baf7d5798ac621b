import { neutralNick } from '../../../shared/nicks.ts'
import type { CallContext } from '../../access/call.ts'
import { anonymous, requireLogin, type SignedIn } from '../../access/caller.ts'
import { isNewAccount } from '../../access/new-account.ts'
import { loginFor } from '../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { hidesPresence } from '../../people/presence/presence-setting-store.ts'
import { listUsersByIds, lockEnabledUser, type UserRow } from '../../people/users/user-store.ts'
import { errors } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { mayFind, readableBy } from '../comments/mentions/readers.ts'
import { requireVisibleBugs, visibleAmong } from '../values/bug-refs.ts'
import {
  countPresencesOf,
  deletePresence,
  findOwnPresence,
  listOthers,
  lockSession,
  type OwnPresence,
  savePresence,
} from './presence-store.ts'

/** A page calls again after this time, and is shown for three times as long after the last call. */
const SECONDS_BETWEEN_CALLS = 20
const SECONDS_SHOWN = 60
/** Another call of the same user for the same bug writes nothing before. */
const LEAST_SECONDS_BETWEEN_WRITES = 2
const MOST_BUGS = 20
/** Of so many others, the first that the caller may see are named. */
const MOST_CONSIDERED = 50
export const MOST_NAMED = 8

/** Notes that the caller has the bug open, and returns who else has. */
export async function showPresence(context: CallContext, isWriting: boolean) {
  const caller = requireLogin(context.caller)
  const bugId = await requireBug(context)
  if (!context.settings.use_presence) return { users: [], is_shown: false, call_again_in: null }
  const isShown = await notePresence(context, caller, { bugId, isWriting })
  const users = await presentOthers({ ...context, caller }, bugId)
  return { users, is_shown: isShown, call_again_in: SECONDS_BETWEEN_CALLS }
}

/** The caller has left the page. */
export async function endPresence(context: CallContext) {
  const { id: userId } = requireLogin(context.caller)
  const key = { bugId: await requireBug(context), userId }
  if ((await findOwnPresence(context.db, key)) !== undefined) await deletePresence(context.db, key)
}

async function requireBug({ db, settings, caller, path }: CallContext): Promise<number> {
  const [id = 0] = await requireVisibleBugs(db, settings, viewerOf(caller), [path.ref ?? ''])
  return id
}

/** Returns whether others may see it. Writes only what a later call would not write anyway. */
async function notePresence(
  context: CallContext,
  caller: SignedIn,
  { bugId, isWriting }: { bugId: number; isWriting: boolean },
): Promise<boolean> {
  const { db, settings } = context
  if (isNewAccount(caller, settings) || (await hidesPresence(db, caller.id))) return false
  const key = { bugId, userId: caller.id }
  const before = await findOwnPresence(db, key)
  if (before !== undefined && !needsWrite(before, isWriting)) return true
  // Hundreds of open pages of one user write nothing.
  if (before === undefined && (await countPresencesOf(db, caller.id, timeNow())) >= MOST_BUGS) return false
  return db.transaction(async (tx) => {
    const now = timeNow()
    const row: OwnPresence = {
      session_id: null,
      is_writing: isWriting ? 1 : 0,
      since: before !== undefined && before.expires_at > now ? before.since : now,
      written_at: now,
      expires_at: secondsAgo(-SECONDS_SHOWN),
    }
    // First, because it locks the bug, which everybody else locks before the user.
    await savePresence(tx, key, row)
    await lockEnabledUser(tx, caller.id)
    if ((await hidesPresence(tx, caller.id)) || (await countPresencesOf(tx, caller.id, now)) > MOST_BUGS) {
      await deletePresence(tx, key)
      return false
    }
    const session = await sessionOf(context, tx)
    if (session !== null) await savePresence(tx, key, { ...row, session_id: session })
    return true
  })
}

function needsWrite({ is_writing, written_at, expires_at }: OwnPresence, isWriting: boolean): boolean {
  if (written_at > secondsAgo(LEAST_SECONDS_BETWEEN_WRITES)) return false
  return (is_writing === 1) !== isWriting || expires_at < secondsAgo(-SECONDS_SHOWN / 2)
}

/** A session that ends takes what it has shown with it. */
async function sessionOf({ caller, credentials }: CallContext, tx: Parameters<typeof lockSession>[0]) {
  if (caller.source !== 'token') return null
  const id = await lockSession(tx, digest(credentials.token ?? ''))
  if (id === undefined) throw errors.token_invalid()
  return id
}

/** The others whom the caller may find and who may still see the bug. */
async function presentOthers(context: CallContext & { caller: SignedIn }, bugId: number) {
  const { db, caller } = context
  const present = await listOthers(db, { bugId, userId: caller.id }, timeNow(), MOST_CONSIDERED)
  if (present.length === 0) return []
  const rows = await listUsersByIds(
    db,
    present.map(({ user_id }) => user_id),
  )
  const findable = new Map(rows.filter((row) => mayFind(context, row)).map((row) => [row.id, row]))
  const named = present.flatMap(({ user_id, is_writing }) => {
    const user = findable.get(user_id)
    return user === undefined ? [] : [{ user, isWriting: is_writing === 1 }]
  })
  const readers = await seenBy(
    context,
    bugId,
    named.map(({ user }) => user),
  )
  return named
    .filter(({ user }) => readers.has(user.id))
    .slice(0, MOST_NAMED)
    .map(({ user: { id, login, real_name, nick }, isWriting }) => ({
      ...{ id, real_name, nick: nick ?? neutralNick(id), name: loginFor(login, context) },
      is_writing: isWriting,
    }))
}

/** Most bugs are public. Otherwise each user is asked for, because rights may have been lost since they opened the bug. */
async function seenBy(context: CallContext, bugId: number, users: readonly UserRow[]): Promise<ReadonlySet<number>> {
  const { db, settings } = context
  const isPublic = (await visibleAmong(db, settings, viewerOf(anonymous), [bugId])).has(bugId)
  if (isPublic) return new Set(users.map(({ id }) => id))
  const readers = new Set<number>()
  for (const user of users) {
    if (readers.size === MOST_NAMED) break
    const readable = await readableBy(db, context, [user], { bugIds: [bugId], isPrivate: false })
    if (readable.get(user.id)?.has(bugId)) readers.add(user.id)
  }
  return readers
}
