import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'

interface Key {
  bugId: number
  userId: number
}

export interface OwnPresence {
  session_id: number | null
  is_writing: Flag
  since: string
  written_at: string
  expires_at: string
}

const own = statement<Key>()((q, p) =>
  q
    .selectFrom('bug_presences')
    .select(['session_id', 'is_writing', 'since', 'written_at', 'expires_at'])
    .where('bug_id', '=', p.bugId)
    .where('user_id', '=', p.userId),
)

export function findOwnPresence(db: Db, key: Key): Promise<OwnPresence | undefined> {
  return db.first(own, key)
}

const put = statement<Key & Omit<OwnPresence, 'session_id'> & { session_id: number | null }>()((q, p) =>
  q
    .insertInto('bug_presences')
    .values({
      bug_id: p.bugId,
      user_id: p.userId,
      session_id: p.session_id,
      is_writing: p.is_writing,
      since: p.since,
      written_at: p.written_at,
      expires_at: p.expires_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['bug_id', 'user_id']).doUpdateSet({
        session_id: p.session_id,
        is_writing: p.is_writing,
        since: p.since,
        written_at: p.written_at,
        expires_at: p.expires_at,
      }),
    ),
)

export async function savePresence(tx: Db, key: Key, presence: OwnPresence) {
  await tx.all(put, { ...key, ...presence })
}

const drop = statement<Key>()((q, p) =>
  q.deleteFrom('bug_presences').where('bug_id', '=', p.bugId).where('user_id', '=', p.userId),
)

export async function deletePresence(db: Db, key: Key) {
  await db.all(drop, key)
}

const live = statement<{ userId: number; now: string }>()((q, p) =>
  q
    .selectFrom('bug_presences')
    .select((row) => row.fn.countAll<number | string>().as('count'))
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now),
)
/** On how many bugs the user is shown now. It is exact only while the user is locked. */
export async function countPresencesOf(tx: Db, userId: number, now: string): Promise<number> {
  return Number((await tx.first(live, { userId, now }))?.count ?? 0)
}

export interface PresentUser {
  user_id: number
  is_writing: Flag
}

const others = statement<Key & { now: string; most: number }>()((q, p) =>
  q
    .selectFrom('bug_presences')
    .innerJoin('users', 'users.id', 'bug_presences.user_id')
    .select(['bug_presences.user_id', 'is_writing'])
    .where('bug_id', '=', p.bugId)
    .where('bug_presences.user_id', '<>', p.userId)
    .where('expires_at', '>', p.now)
    .where('users.disabled_text', '=', '')
    .where('users.hides_presence', '=', 0)
    .orderBy('is_writing', 'desc')
    .orderBy('since')
    .orderBy('bug_presences.user_id')
    .limit(p.most),
)

/** The other users who have the bug open: those who write first, then in the order in which they came. */
export function listOthers(db: Db, key: Key, now: string, most: number): Promise<PresentUser[]> {
  return db.all(others, { ...key, now, most })
}

const session = statement<{ digest: string }>()((q, p, d) =>
  q.selectFrom('login_tokens').select('id').where('digest', '=', p.digest).modifyEnd(d.lockedBesideReferences()),
)

/** The id of the session, which cannot end before the transaction does; undefined if it has ended. */
export async function lockSession(tx: Db, digest: string): Promise<number | undefined> {
  return (await tx.first(session, { digest }))?.id
}
