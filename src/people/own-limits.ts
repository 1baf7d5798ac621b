import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'

/** What one account can pile up. An import keeps more, which its owner can still change and delete. */
export const OWN_LIMITS = { savedSearches: 500, savedCharacters: 1_000_000, apiKeys: 200 } as const

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
  if (added.searches > 0 && Number(has?.searches ?? 0) + added.searches > OWN_LIMITS.savedSearches)
    throw errors.refused({
      why: `A user can have at most ${OWN_LIMITS.savedSearches} saved searches and reports: delete one first`,
    })
  if (added.characters > 0 && Number(has?.characters ?? 0) + added.characters > OWN_LIMITS.savedCharacters)
    throw errors.refused({
      why: `The saved searches and reports of a user can have at most ${OWN_LIMITS.savedCharacters} characters: delete one first`,
    })
}

/** Refuses a key if the account has too many that are not revoked. Call it in a transaction of accounts. */
export async function requireRoomForKey(tx: Db, userId: number) {
  if (Number((await tx.first(keys, { userId }))?.count ?? 0) >= OWN_LIMITS.apiKeys)
    throw errors.refused({ why: `A user can have at most ${OWN_LIMITS.apiKeys} API keys: revoke one first` })
}
