import type { Selectable } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import { ALL_ROWS } from '../../../platform/database/statements/all-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Database } from '../../../platform/database/tables.ts'
import { requireNoTransaction } from '../../../platform/database/transactions/transaction-watch.ts'
import { digest, randomWord } from '../../../platform/secrets/secrets.ts'
import { secondsAgo, timeNow, toTime } from '../../../platform/time/clock.ts'

/** What a code is given for, which its exchange must match. */
export interface CodeContent {
  clientId: number
  userId: number
  redirectUri: string
  challenge: string
  resource: string
  scopes: string
}

export type CodeRow = Selectable<Database['oauth_codes']>

const insert = statement<CodeContent & { digest: string; expiresAt: string }>()((q, p) =>
  q.insertInto('oauth_codes').values({
    digest: p.digest,
    client_id: p.clientId,
    user_id: p.userId,
    redirect_uri: p.redirectUri,
    challenge: p.challenge,
    resource: p.resource,
    scopes: p.scopes,
    expires_at: p.expiresAt,
  }),
)
const forgetOld = statement<{ before: string }>()((q, p) =>
  q.deleteFrom('oauth_codes').where('expires_at', '<', p.before),
)
const forgetMore = statement<{ userId: number; most: number; all: number }>()((q, p) =>
  q
    .deleteFrom('oauth_codes')
    .where('digest', 'in', (older) =>
      older
        .selectFrom('oauth_codes')
        .select('digest')
        .where('user_id', '=', p.userId)
        .orderBy('expires_at', 'desc')
        .orderBy('digest')
        .limit(p.all)
        .offset(p.most),
    ),
)

const CODE_LENGTH = 43
const SECONDS = 60
/** Used ones are kept for so long, because using one again ends what was given for it. */
const KEPT_SECONDS = 3600
const MOST_OF_USER = 30

/** Returns a code that works once, for a minute. Only its digest is stored. */
export async function insertCode(tx: Db, content: CodeContent): Promise<string> {
  const code = randomWord(CODE_LENGTH)
  await tx.all(forgetOld, { before: secondsAgo(KEPT_SECONDS) })
  await tx.all(forgetMore, { userId: content.userId, most: MOST_OF_USER - 1, all: ALL_ROWS })
  const expiresAt = toTime(Date.now() + SECONDS * 1000)
  await tx.all(insert, { ...content, digest: digest(code), expiresAt })
  return code
}

const take = statement<{ digest: string; now: string }>()((q, p) =>
  q
    .updateTable('oauth_codes')
    .set({ used_at: p.now })
    .where('digest', '=', p.digest)
    .where('used_at', 'is', null)
    .returningAll(),
)
const noteReuse = statement<{ digest: string; now: string }>()((q, p) =>
  q
    .updateTable('oauth_codes')
    .set({ reused_at: p.now })
    .where('digest', '=', p.digest)
    .where('used_at', 'is not', null)
    .returning('key_id'),
)

/** A code as it was used: for the first time, or again, with the key that was made for it, if there is one already. */
type UsedCode = { row: CodeRow } | { again: { keyId: number | null } }

/**
 * Uses a code up, whatever comes of it: of two requests with one code, one gets it. Undefined for an unknown one. It must stay used if the
 * exchange is refused.
 */
export async function useCode(db: Db, code: string): Promise<UsedCode | undefined> {
  requireNoTransaction('A code of OAuth was used')
  const it = { digest: digest(code), now: timeNow() }
  const row = await db.first(take, it)
  if (row !== undefined) return { row }
  const again = await db.first(noteReuse, it)
  return again && { again: { keyId: again.key_id } }
}

const setKey = statement<{ digest: string; keyId: number }>()((q, p) =>
  q
    .updateTable('oauth_codes')
    .set({ key_id: p.keyId })
    .where('digest', '=', p.digest)
    .where('reused_at', 'is', null)
    .returning('digest'),
)

/** Notes the key that was made for a code. False if the code was used again meanwhile, or has ended. */
export async function noteKeyOfCode(tx: Db, codeDigest: string, keyId: number): Promise<boolean> {
  return (await tx.first(setKey, { digest: codeDigest, keyId })) !== undefined
}

const closeOfUser = statement<{ userId: number }>()((q, p) =>
  q.deleteFrom('oauth_codes').where('user_id', '=', p.userId).where('key_id', 'is', null),
)

/** The open codes of the user no longer work. */
export async function closeCodesOfUser(tx: Db, userId: number) {
  await tx.all(closeOfUser, { userId })
}
