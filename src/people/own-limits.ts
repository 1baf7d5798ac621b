import { OWN_LIMITS, requireOwnRoom } from '../access/own-limits.ts'
import type { Db } from '../platform/database/db.ts'
import { ALL_ROWS } from '../platform/database/statements/all-rows.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { timeNow } from '../platform/time/clock.ts'

const saved = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('saved_searches')
    .select(({ fn }) => [
      fn.countAll<number>().as('searches'),
      fn.coalesce(fn.sum<number>(fn<number>('length', ['query'])), fn.countAll<number>()).as('characters'),
    ])
    .where('user_id', '=', p.userId),
)
const keys = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId)
    .where('revoked_at', 'is', null),
)

/** Refuses a saved search or report that would be too many, or too long together with the others. Call it in a transaction of accounts. */
export async function requireRoomForSearch(tx: Db, userId: number, added: { searches: number; characters: number }) {
  const has = await tx.first(saved, { userId })
  requireOwnRoom('savedSearches', Number(has?.searches ?? 0), added.searches)
  requireOwnRoom('savedCharacters', Number(has?.characters ?? 0), added.characters)
}

const forgetRevoked = statement<{ userId: number; most: number; all: number }>()((q, p) =>
  q
    .deleteFrom('api_keys')
    .where('id', 'in', (older) =>
      older
        .selectFrom('api_keys')
        .select('id')
        .where('user_id', '=', p.userId)
        .where('revoked_at', 'is not', null)
        .orderBy('id', 'desc')
        .limit(p.all)
        .offset(p.most),
    ),
)

const revokeDead = statement<{ userId: number; now: string }>()((q, p) =>
  q
    .updateTable('api_keys')
    .set({ revoked_at: p.now })
    .where('user_id', '=', p.userId)
    .where('grant_ends_at', '<', p.now)
    .where('revoked_at', 'is', null),
)

/** Refuses a key if the account has too many that are not revoked, and removes the oldest revoked ones. Call it in a transaction of accounts. */
export async function requireRoomForKey(tx: Db, userId: number) {
  // Access of programs that can be renewed no more.
  await tx.all(revokeDead, { userId, now: timeNow() })
  requireOwnRoom('apiKeys', Number((await tx.first(keys, { userId }))?.count ?? 0))
  await tx.all(forgetRevoked, { userId, most: OWN_LIMITS.revokedKeys.most, all: ALL_ROWS })
}
