import { TOKEN_DAYS } from '../../access/authentication/authenticate.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { digest, randomWord } from '../../platform/secrets/secrets.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'

const insert = statement<{ userId: number; digest: string; address: string | null; at: string }>()((q, p) =>
  q
    .insertInto('login_tokens')
    .values({ user_id: p.userId, digest: p.digest, address: p.address, created_at: p.at, last_used_at: p.at }),
)
const forgetUnused = statement<{ before: string }>()((q, p) =>
  q.deleteFrom('login_tokens').where('last_used_at', '<', p.before),
)

const TOKEN_LENGTH = 32

/** Creates a token and returns it; only its digest is stored. Also deletes tokens that were not used for a month. */
export async function insertToken(db: Db, userId: number, address: string | null): Promise<string> {
  const token = `${userId}-${randomWord(TOKEN_LENGTH)}`
  await db.transaction(async (tx) => {
    await tx.all(forgetUnused, { before: secondsAgo(TOKEN_DAYS * 86_400) })
    await tx.all(insert, { userId, digest: digest(token), address, at: timeNow() })
  })
  return token
}

const removeByDigest = statement<{ digest: string }>()((q, p) =>
  q.deleteFrom('login_tokens').where('digest', '=', p.digest),
)

export async function deleteToken(db: Db, token: string) {
  await db.all(removeByDigest, { digest: digest(token) })
}

const ofUser = statement<{ userId: number; since: string }>()((q, p) =>
  q
    .selectFrom('login_tokens')
    .select(['id', 'digest', 'address', 'created_at', 'last_used_at'])
    .where('user_id', '=', p.userId)
    .where('last_used_at', '>=', p.since)
    .orderBy('id'),
)

export function listTokens(db: Db, userId: number) {
  return db.all(ofUser, { userId, since: secondsAgo(TOKEN_DAYS * 86_400) })
}

const removeOwn = statement<{ id: number; userId: number }>()((q, p) =>
  q.deleteFrom('login_tokens').where('id', '=', p.id).where('user_id', '=', p.userId).returning('id'),
)

export async function deleteOwnToken(db: Db, userId: number, id: number) {
  return (await db.first(removeOwn, { id, userId })) !== undefined
}
