import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'

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
