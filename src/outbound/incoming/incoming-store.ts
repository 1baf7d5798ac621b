import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { storableReason } from '../jobs/storable-reason.ts'

const byDigest = statement<{ digest: string }>()((q, p) =>
  q.selectFrom('incoming_messages').select('bug_id').where('message_digest', '=', p.digest),
)

/** The bug to which this message was added when it arrived before; undefined for a new message. */
export async function findTakenMessage(db: Db, digest: string): Promise<number | undefined> {
  return (await db.first(byDigest, { digest }))?.bug_id
}

const lately = statement<{ userId: number; since: string }>()((q, p) =>
  q
    .selectFrom('incoming_messages')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId)
    .where('at', '>=', p.since),
)

const HOUR = 3600

export async function countInLastHour(db: Db, userId: number): Promise<number> {
  return Number((await db.first(lately, { userId, since: secondsAgo(HOUR) }))?.count ?? 0)
}

const insert = statement<{ digest: string; userId: number; bugId: number; at: string }>()((q, p) =>
  q.insertInto('incoming_messages').values({ message_digest: p.digest, user_id: p.userId, bug_id: p.bugId, at: p.at }),
)

export async function noteTakenMessage(tx: Db, taken: { digest: string; userId: number; bugId: number }) {
  await tx.all(insert, { ...taken, at: timeNow() })
}

const removeOlder = statement<{ at: string }>()((q, p) => q.deleteFrom('incoming_messages').where('at', '<', p.at))

export async function deleteMessagesBefore(db: Db, at: string) {
  await db.all(removeOlder, { at })
}

/** Anybody can have messages refused, so only the last ones are kept. */
const MOST_REFUSALS = 200

const insertRefusal = statement<{ userId: number | null; reason: string; at: string }>()((q, p) =>
  q.insertInto('refused_messages').values({ user_id: p.userId, reason: p.reason, at: p.at }),
)
const removeOldRefusals = statement<object>()((q) =>
  q
    .deleteFrom('refused_messages')
    .where('id', '<=', sql<number>`(select max(id) from refused_messages) - ${sql.lit(MOST_REFUSALS)}`),
)

export async function noteRefusedMessage(db: Db, refusal: { userId: number | null; reason: string }) {
  await db.all(insertRefusal, { ...refusal, reason: storableReason(refusal.reason), at: timeNow() })
  await db.all(removeOldRefusals, {})
}

const removeOlderRefusals = statement<{ at: string }>()((q, p) =>
  q.deleteFrom('refused_messages').where('at', '<', p.at),
)

export async function deleteRefusalsBefore(db: Db, at: string) {
  await db.all(removeOlderRefusals, { at })
}

const lastRefusals = statement<{ most: number }>()((q, p) =>
  q
    .selectFrom('refused_messages')
    .leftJoin('users', 'users.id', 'refused_messages.user_id')
    .select(['refused_messages.at', 'refused_messages.reason', 'users.login as user'])
    .orderBy('refused_messages.id', 'desc')
    .limit(p.most),
)

/** The messages that were refused last, newest first. */
export function listRefusedMessages(db: Db, most: number) {
  return db.all(lastRefusals, { most })
}

const takenSince = statement<{ since: string }>()((q, p) =>
  q
    .selectFrom('incoming_messages')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.max('at').as('last')])
    .where('at', '>=', p.since),
)

/** How many messages were accepted since then, and when the last one was. */
export async function countTakenSince(db: Db, since: string): Promise<{ count: number; last: string | null }> {
  const row = await db.first(takenSince, { since })
  return { count: Number(row?.count ?? 0), last: row?.last ?? null }
}
